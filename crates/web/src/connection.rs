//! The conversation with one page.

use super::answers;
use super::hall::Seat;
use super::messages::{Answer, Ask, PROTOCOL, Reply, Request, Welcome};
use super::words;
use axum::extract::ws::{CloseFrame, Message, WebSocket, close_code};
use std::time::Duration;
use tokio::time::{Instant, MissedTickBehavior, interval, sleep, sleep_until, timeout};

/// Most bytes of a message.
pub(super) const LONGEST: usize = 1 << 20;
/// Most bytes that wait to be read by a page; a large answer fits in.
pub(super) const MOST_UNREAD: usize = 16 << 20;
/// How long a page may take to read an answer.
const PATIENCE: Duration = Duration::from_secs(10);
/// How often it is asked whether it is still there, and how long it may be silent.
const PULSE: Duration = Duration::from_secs(20);
const SILENCE: Duration = Duration::from_secs(50);
/// Between two updates of a search.
const UPDATE: Duration = Duration::from_millis(25);
/// What a page may ask for at once, and in a second: a message costs one, and one more for each [`COST`] bytes.
const BURST: f64 = 400.0;
const RATE: f64 = 100.0;
const COST: usize = 32 << 10;

/// How fast a page may ask. One that asks faster is read more slowly.
struct Budget {
    left: f64,
    at: Instant,
}

impl Budget {
    fn new() -> Budget {
        Budget {
            left: BURST,
            at: Instant::now(),
        }
    }

    /// Pays for a message; how long to wait until the next is read.
    fn pay(&mut self, bytes: usize) -> Duration {
        let now = Instant::now();
        let earned = now.duration_since(self.at).as_secs_f64() * RATE;
        self.at = now;
        self.left = (self.left + earned).min(BURST) - 1.0 - (bytes / COST) as f64;
        Duration::from_secs_f64((-self.left).max(0.0) / RATE)
    }
}

/// Talks to a page until it leaves.
pub(super) async fn run(socket: WebSocket, seat: Seat) {
    let mut connection = Connection {
        socket,
        seat,
        budget: Budget::new(),
        told: Instant::now() - UPDATE,
        heard: Instant::now(),
    };
    let why = connection.talk().await;
    log::debug!("a page left: {why:?}");
}

/// Why a conversation is over.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum End {
    Left,
    Silent,
    Slow,
}

struct Connection {
    socket: WebSocket,
    seat: Seat,
    budget: Budget,
    /// When an update was sent last.
    told: Instant,
    /// When the page was heard last.
    heard: Instant,
}

impl Connection {
    async fn talk(&mut self) -> End {
        match self.converse().await {
            Ok(never) => match never {},
            Err(end) => end,
        }
    }

    async fn converse(&mut self) -> Result<std::convert::Infallible, End> {
        let hall = &self.seat.hall;
        let welcome = Answer::Welcome(Welcome {
            version: env!("CARGO_PKG_VERSION").to_owned(),
            protocol: PROTOCOL,
            engines: hall.pool().engines(),
            longest: LONGEST,
            book: hall.book.is_some(),
            has_match: hall.watch.is_some(),
        });
        self.send(None, welcome).await?;
        let mut pulse = interval(PULSE);
        pulse.set_missed_tick_behavior(MissedTickBehavior::Delay);
        let mailbox = std::sync::Arc::clone(&self.seat.mailbox);
        loop {
            let due = self.told + UPDATE;
            tokio::select! {
                message = self.socket.recv() => match message {
                    Some(Ok(message)) => self.hear(message).await?,
                    Some(Err(_)) | None => return Err(End::Left),
                },
                () = mailbox.news.notified() => {}
                () = sleep_until(due), if !mailbox.is_empty() => {}
                _ = pulse.tick() => self.ping().await?,
            }
            self.tell().await?;
        }
    }

    /// Tells what is new of the search.
    async fn tell(&mut self) -> Result<(), End> {
        loop {
            let is_due = self.told.elapsed() >= UPDATE;
            let Some((id, game, event)) = self.seat.mailbox.take(is_due) else {
                return Ok(());
            };
            self.told = Instant::now();
            let answer = words::answer(&game, event, self.seat.hall.pool().meaning());
            self.send(Some(id), answer).await?;
        }
    }

    async fn ping(&mut self) -> Result<(), End> {
        if self.heard.elapsed() > SILENCE {
            return Err(End::Silent);
        }
        self.give(Message::Ping(Default::default())).await
    }

    async fn hear(&mut self, message: Message) -> Result<(), End> {
        self.heard = Instant::now();
        let bytes = match &message {
            Message::Text(text) => text.len(),
            other => other.clone().into_data().len(),
        };
        match message {
            Message::Text(text) => self.obey(text.as_str()).await?,
            Message::Binary(_) => {
                let message = "only text is understood".to_owned();
                self.send(None, Answer::Error { message }).await?;
            }
            Message::Ping(_) | Message::Pong(_) => {}
            Message::Close(_) => return Err(End::Left),
        }
        let wait = self.budget.pay(bytes);
        if !wait.is_zero() {
            sleep(wait).await;
        }
        Ok(())
    }

    async fn obey(&mut self, text: &str) -> Result<(), End> {
        let request: Request = match serde_json::from_str(text) {
            Ok(request) => request,
            Err(error) => {
                let message = format!("the message is not understood: {error}");
                return self.send(number(text), Answer::Error { message }).await;
            }
        };
        let id = request.id;
        match request.ask {
            Ask::Stop => {
                self.seat.stop();
                Ok(())
            }
            ask => match answers::search(id, &ask) {
                Some(Ok(search)) => {
                    self.seat.begin(search);
                    Ok(())
                }
                Some(Err(message)) => self.send(Some(id), Answer::Error { message }).await,
                None => {
                    let answer = answers::answer(&self.seat.hall, ask).await;
                    self.send(Some(id), answer).await
                }
            },
        }
    }

    async fn send(&mut self, id: Option<u32>, answer: Answer) -> Result<(), End> {
        // Only maps without text keys and types that refuse to be written can fail.
        let text = serde_json::to_string(&Reply { id, answer })
            .unwrap_or_else(|error| unreachable!("plain data: {error}"));
        self.give(Message::Text(text.into())).await
    }

    async fn give(&mut self, message: Message) -> Result<(), End> {
        match timeout(PATIENCE, self.socket.send(message)).await {
            Ok(Ok(())) => Ok(()),
            Ok(Err(_)) => Err(End::Left),
            Err(_) => {
                let frame = CloseFrame {
                    code: close_code::POLICY,
                    reason: "answers are not read".into(),
                };
                let _ = timeout(UPDATE, self.socket.send(Message::Close(Some(frame)))).await;
                Err(End::Slow)
            }
        }
    }
}

/// The number of a request that is not understood otherwise.
fn number(text: &str) -> Option<u32> {
    #[derive(serde::Deserialize)]
    struct Numbered {
        id: u32,
    }
    serde_json::from_str::<Numbered>(text)
        .ok()
        .map(|numbered| numbered.id)
}

//! The WebSocket connection of one page.

use super::answers::{self, Action};
use super::events;
use super::messages::{Answer, PROTOCOL, Reply, Request, Welcome};
use super::pool::Client;
use super::state::AppState;
use axum::extract::ws::{CloseFrame, Message, WebSocket, close_code};
use std::convert::Infallible;
use std::sync::Arc;
use std::time::Duration;
use tokio::time::{Instant, MissedTickBehavior, interval, sleep, sleep_until, timeout};

/// Maximum bytes of a message.
pub(super) const MAX_MESSAGE: usize = 1 << 20;
/// Maximum bytes that a page has not read yet; large enough for any answer.
pub(super) const MAX_UNREAD: usize = 16 << 20;
/// Time limit for sending a message.
const SEND_TIMEOUT: Duration = Duration::from_secs(10);
/// Interval between pings.
const PING_INTERVAL: Duration = Duration::from_secs(20);
/// Time without a message after which a connection is closed.
const IDLE_TIMEOUT: Duration = Duration::from_secs(50);
/// Minimum interval between updates of a search.
const UPDATE_INTERVAL: Duration = Duration::from_millis(25);
/// Rate limit: burst and messages per second. A message costs 1, and 1 more for each [`COST`] bytes.
const BURST: f64 = 400.0;
const RATE: f64 = 100.0;
const COST: usize = 32 << 10;

/// Limits the rate of requests by delaying the next read.
struct RateLimit {
    left: f64,
    at: Instant,
}

impl RateLimit {
    fn new() -> RateLimit {
        RateLimit {
            left: BURST,
            at: Instant::now(),
        }
    }

    /// Counts a message; returns the delay before the next read.
    fn pay(&mut self, bytes: usize) -> Duration {
        let now = Instant::now();
        let earned = now.duration_since(self.at).as_secs_f64() * RATE;
        self.at = now;
        self.left = (self.left + earned).min(BURST) - 1.0 - (bytes / COST) as f64;
        Duration::from_secs_f64((-self.left).max(0.0) / RATE)
    }
}

/// Serves a page until its connection ends.
pub(super) async fn run(socket: WebSocket, state: Arc<AppState>) {
    let client = state.pool.client();
    let mut connection = Connection {
        socket,
        state,
        client,
        rate_limit: RateLimit::new(),
        updated: Instant::now() - UPDATE_INTERVAL,
        received: Instant::now(),
    };
    let Err(end) = connection.serve().await;
    log::debug!("connection ended: {end:?}");
}

/// Why a connection ended.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum End {
    Closed,
    Idle,
    Slow,
}

struct Connection {
    socket: WebSocket,
    state: Arc<AppState>,
    client: Client,
    rate_limit: RateLimit,
    /// Time of the last update.
    updated: Instant,
    /// Time of the last message from the page.
    received: Instant,
}

impl Connection {
    async fn serve(&mut self) -> Result<Infallible, End> {
        let state = &self.state;
        let welcome = Answer::Welcome(Welcome {
            version: env!("CARGO_PKG_VERSION").to_owned(),
            protocol: PROTOCOL,
            engines: state.pool.engines(),
            longest: MAX_MESSAGE,
            book: state.book.is_some(),
            has_match: state.watch.is_some(),
        });
        self.send(None, welcome).await?;
        let mut ping = interval(PING_INTERVAL);
        ping.set_missed_tick_behavior(MissedTickBehavior::Delay);
        let mailbox = Arc::clone(&self.client.mailbox);
        loop {
            let due = self.updated + UPDATE_INTERVAL;
            tokio::select! {
                message = self.socket.recv() => match message {
                    Some(Ok(message)) => self.receive(message).await?,
                    Some(Err(_)) | None => return Err(End::Closed),
                },
                () = mailbox.changed.notified() => {}
                () = sleep_until(due), if !mailbox.is_empty() => {}
                _ = ping.tick() => self.ping().await?,
            }
            self.push_events().await?;
        }
    }

    /// Sends new events of the search.
    async fn push_events(&mut self) -> Result<(), End> {
        loop {
            let is_due = self.updated.elapsed() >= UPDATE_INTERVAL;
            let Some((id, game, event)) = self.client.mailbox.take(is_due) else {
                return Ok(());
            };
            self.updated = Instant::now();
            let answer = events::answer(&game, event, self.state.pool.wdl_model());
            self.send(Some(id), answer).await?;
        }
    }

    async fn ping(&mut self) -> Result<(), End> {
        if self.received.elapsed() > IDLE_TIMEOUT {
            return Err(End::Idle);
        }
        self.send_message(Message::Ping(Default::default())).await
    }

    async fn receive(&mut self, message: Message) -> Result<(), End> {
        self.received = Instant::now();
        let bytes = match &message {
            Message::Text(text) => text.len(),
            other => other.clone().into_data().len(),
        };
        match message {
            Message::Text(text) => self.dispatch(text.as_str()).await?,
            Message::Binary(_) => {
                let message = "only text messages are supported".to_owned();
                self.send(None, Answer::Error { message }).await?;
            }
            Message::Ping(_) | Message::Pong(_) => {}
            Message::Close(_) => return Err(End::Closed),
        }
        let wait = self.rate_limit.pay(bytes);
        if !wait.is_zero() {
            sleep(wait).await;
        }
        Ok(())
    }

    async fn dispatch(&mut self, text: &str) -> Result<(), End> {
        let request: Request = match serde_json::from_str(text) {
            Ok(request) => request,
            Err(error) => {
                let message = format!("invalid message: {error}");
                return self.send(number(text), Answer::Error { message }).await;
            }
        };
        let id = request.id;
        match answers::handle(&self.state, id, request.ask).await {
            Action::Reply(answer) => self.send(Some(id), answer).await?,
            Action::Search(search) => self.client.begin(search),
            Action::Stop => self.client.stop(),
        }
        Ok(())
    }

    async fn send(&mut self, id: Option<u32>, answer: Answer) -> Result<(), End> {
        // Only maps with other keys than text and failing `Serialize` implementations can fail.
        let text = serde_json::to_string(&Reply { id, answer })
            .unwrap_or_else(|error| unreachable!("plain data: {error}"));
        self.send_message(Message::Text(text.into())).await
    }

    async fn send_message(&mut self, message: Message) -> Result<(), End> {
        match timeout(SEND_TIMEOUT, self.socket.send(message)).await {
            Ok(Ok(())) => Ok(()),
            Ok(Err(_)) => Err(End::Closed),
            Err(_) => {
                let frame = CloseFrame {
                    code: close_code::POLICY,
                    reason: "answers are not read".into(),
                };
                let _ = timeout(
                    UPDATE_INTERVAL,
                    self.socket.send(Message::Close(Some(frame))),
                )
                .await;
                Err(End::Slow)
            }
        }
    }
}

/// The number of an invalid request.
fn number(text: &str) -> Option<u32> {
    #[derive(serde::Deserialize)]
    struct Numbered {
        id: u32,
    }
    serde_json::from_str::<Numbered>(text)
        .ok()
        .map(|numbered| numbered.id)
}

//! The WebSocket connection of one page.

use super::answers::{self, Action};
use super::base::Asked;
use super::events;
use super::messages::{Answer, Ask, PROTOCOL, Reply, Request, Welcome};
use super::pool::Client;
use super::state::{self, AppState};
use damier_analysis::json;
use futures_util::{SinkExt, StreamExt};
use hyper::upgrade::Upgraded;
use hyper_util::rt::TokioIo;
use std::convert::Infallible;
use std::sync::Arc;
use std::time::Duration;
use tokio::sync::OwnedSemaphorePermit;
use tokio::time::{Instant, MissedTickBehavior, interval, sleep, sleep_until, timeout};
use tokio_tungstenite::WebSocketStream;
use tokio_tungstenite::tungstenite::error::ProtocolError;
use tokio_tungstenite::tungstenite::protocol::frame::Frame;
use tokio_tungstenite::tungstenite::protocol::frame::coding::{CloseCode, Data, OpCode};
use tokio_tungstenite::tungstenite::protocol::{CloseFrame, Role, WebSocketConfig};
use tokio_tungstenite::tungstenite::{Bytes, Error, Message};

/// Maximum bytes of a message.
const MAX_MESSAGE: usize = 1 << 20;
/// Maximum bytes of an answer.
const MAX_ANSWER: usize = 16 << 20;
/// Bytes of an answer that are sent at once.
const PART: usize = 64 << 10;
/// Bytes of a buffer.
const BUFFER: usize = 8 << 10;
/// Bytes from which on a request waits for memory, KiB of memory for each KiB of it, and the maximum.
const LARGE_REQUEST: usize = 8 << 10;
const MEMORY: usize = 64;
const MAX_MEMORY: usize = 24 << 10;
/// Time limit for sending [`PART`] bytes.
const PART_TIMEOUT: Duration = Duration::from_secs(10);
/// Time limit for sending an answer.
const ANSWER_TIMEOUT: Duration = Duration::from_secs(60);
/// Time limit for sending why a connection ends.
const CLOSE_TIMEOUT: Duration = Duration::from_secs(1);
/// Interval between looks at the match, for a page that follows it.
const MATCH_INTERVAL: Duration = Duration::from_millis(250);
/// Interval between answers while games are in progress, whose clocks run.
const CLOCK_INTERVAL: Duration = Duration::from_secs(1);
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
pub(super) async fn run(upgraded: Upgraded, state: Arc<AppState>) {
    let config = WebSocketConfig::default()
        .read_buffer_size(BUFFER)
        .write_buffer_size(BUFFER)
        .max_write_buffer_size(4 * PART)
        .max_message_size(Some(MAX_MESSAGE))
        .max_frame_size(Some(MAX_MESSAGE));
    let io = TokioIo::new(upgraded);
    let client = state.pool.client();
    let mut connection = Connection {
        socket: WebSocketStream::from_raw_socket(io, Role::Server, Some(config)).await,
        state,
        client,
        following: None,
        asked: Asked::new(),
        rate_limit: RateLimit::new(),
        updated: Instant::now() - UPDATE_INTERVAL,
        received: Instant::now(),
    };
    let Err(end) = connection.serve().await;
    log::debug!("connection ended: {end:?}");
    connection.close(end).await;
}

/// Why a connection ended.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum End {
    /// Closed or lost.
    Closed,
    /// The server stops.
    Away,
    /// No message for [`IDLE_TIMEOUT`].
    Idle,
    /// Answers are not read.
    Slow,
    /// A binary message.
    Binary,
    /// A message of more than [`MAX_MESSAGE`] bytes.
    TooLong,
    /// A text that is not UTF-8.
    NotUtf8,
    /// Not as RFC 6455 has it.
    Protocol,
}

impl End {
    /// Code and reason for the page.
    fn frame(self) -> Option<CloseFrame> {
        let (code, reason) = match self {
            End::Closed => return None,
            End::Away => (CloseCode::Away, "the server stops"),
            End::Idle => (CloseCode::Policy, "nothing was heard for too long"),
            End::Slow => (CloseCode::Policy, "answers are not read"),
            End::Binary => (CloseCode::Unsupported, "only text messages are supported"),
            End::TooLong => (CloseCode::Size, "a message has at most 1 MiB"),
            End::NotUtf8 => (CloseCode::Invalid, "a text is not UTF-8"),
            End::Protocol => (CloseCode::Protocol, "an error in the WebSocket protocol"),
        };
        let reason = reason.into();
        Some(CloseFrame { code, reason })
    }
}

impl From<Error> for End {
    fn from(error: Error) -> End {
        match error {
            Error::Capacity(_) => End::TooLong,
            Error::Utf8(_) => End::NotUtf8,
            Error::Protocol(ProtocolError::ResetWithoutClosingHandshake) => End::Closed,
            Error::Protocol(_) => End::Protocol,
            _ => End::Closed,
        }
    }
}

/// What a page that follows the match was told.
struct Following {
    /// Number of the request.
    id: u32,
    told: MatchState,
    at: Instant,
}

/// What changes in a match: finished games, and numbers and plies of those in progress.
#[derive(PartialEq, Eq, Debug)]
struct MatchState(u64, Option<Vec<(u64, usize)>>);

impl MatchState {
    fn of(answer: &Answer) -> MatchState {
        let Answer::Match { standings, live } = answer else {
            return MatchState(0, None);
        };
        let revision = standings.as_ref().map_or(0, |standings| standings.revision);
        let games = live.as_ref().map(|live| {
            let games = live.games.iter();
            games.map(|game| (game.game, game.plies)).collect()
        });
        MatchState(revision, games)
    }
}

struct Connection {
    socket: WebSocketStream<TokioIo<Upgraded>>,
    state: Arc<AppState>,
    client: Client,
    following: Option<Following>,
    /// What waits for the base.
    asked: Asked,
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
            base: state.base.as_ref().map(|base| base.name.clone()),
        });
        self.send(&text(None, welcome)).await?;
        let mut ping = interval(PING_INTERVAL);
        ping.set_missed_tick_behavior(MissedTickBehavior::Delay);
        let mut look = interval(MATCH_INTERVAL);
        look.set_missed_tick_behavior(MissedTickBehavior::Delay);
        let mailbox = Arc::clone(&self.client.mailbox);
        let mut stops = self.state.stops.subscribe();
        loop {
            let due = self.updated + UPDATE_INTERVAL;
            tokio::select! {
                message = self.socket.next() => match message {
                    Some(message) => self.receive(message?).await?,
                    None => return Err(End::Closed),
                },
                (id, answer) = self.asked.answer() => self.send(&text(Some(id), answer)).await?,
                () = mailbox.changed.notified() => {}
                () = sleep_until(due), if !mailbox.is_empty() => {}
                () = state::stopped(&mut stops) => return Err(End::Away),
                _ = ping.tick() => self.ping().await?,
                _ = look.tick(), if self.following.is_some() => self.look_at_match().await?,
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
            self.send(&text(Some(id), answer)).await?;
        }
    }

    /// Tells a page that follows the match what has changed.
    async fn look_at_match(&mut self) -> Result<(), End> {
        let Some(Following { id, told, at }) = &self.following else {
            return Ok(());
        };
        let ask = Ask::Match { follow: true };
        let Action::Follow(answer, _) = answers::handle(&self.state, *id, ask).await else {
            // It cannot be read now.
            return Ok(());
        };
        let state = MatchState::of(&answer);
        let has_clocks = state.1.as_ref().is_some_and(|games| !games.is_empty());
        if state == *told && !(has_clocks && at.elapsed() >= CLOCK_INTERVAL) {
            return Ok(());
        }
        let id = *id;
        let at = Instant::now();
        self.following = Some(Following {
            id,
            told: state,
            at,
        });
        self.send(&text(Some(id), answer)).await
    }

    async fn ping(&mut self) -> Result<(), End> {
        if self.received.elapsed() > IDLE_TIMEOUT {
            return Err(End::Idle);
        }
        self.send_part(Message::Ping(Bytes::new())).await
    }

    async fn receive(&mut self, message: Message) -> Result<(), End> {
        self.received = Instant::now();
        let bytes = message.len();
        match message {
            Message::Text(text) => self.dispatch(text.as_str()).await?,
            Message::Binary(_) => return Err(End::Binary),
            Message::Ping(_) | Message::Pong(_) | Message::Frame(_) => {}
            Message::Close(_) => return Err(End::Closed),
        }
        let wait = self.rate_limit.pay(bytes);
        if !wait.is_zero() {
            sleep(wait).await;
        }
        Ok(())
    }

    async fn dispatch(&mut self, request: &str) -> Result<(), End> {
        let state = Arc::clone(&self.state);
        let mut memory = memory(&state, request.len()).await;
        let request: Request = match serde_json::from_str(request) {
            Ok(request) => request,
            Err(error) => {
                let message = format!("invalid message: {error}");
                return self
                    .send(&text(number(request), Answer::Error { message }))
                    .await;
            }
        };
        let id = request.id;
        match answers::handle(&state, id, request.ask).await {
            Action::Reply(answer) => {
                let answer = text(Some(id), answer);
                // Only the text is left, while it is sent.
                let spare = memory.as_mut().and_then(|memory| {
                    let spare = memory.num_permits().saturating_sub(answer.len() >> 10);
                    memory.split(spare)
                });
                drop(spare);
                self.send(&answer).await?;
            }
            Action::Follow(answer, follow) => {
                self.following = follow.then(|| Following {
                    id,
                    told: MatchState::of(&answer),
                    at: Instant::now(),
                });
                self.send(&text(Some(id), answer)).await?;
            }
            Action::Base(work) => {
                if let Err(message) = self.asked.ask(state.base.as_ref(), id, work, memory) {
                    self.send(&text(Some(id), Answer::Error { message }))
                        .await?;
                }
            }
            Action::Search(search) => self.client.begin(search),
            Action::Stop => self.client.stop(),
        }
        Ok(())
    }

    /// Sends a text; a long one in parts, so that the buffer of the socket stays small.
    async fn send(&mut self, text: &str) -> Result<(), End> {
        if text.len() <= PART {
            return self.send_part(Message::text(text)).await;
        }
        let parts = text.as_bytes().chunks(PART);
        let last = parts.len() - 1;
        let began = Instant::now();
        for (index, part) in parts.enumerate() {
            let code = match index {
                0 => Data::Text,
                _ => Data::Continue,
            };
            let part = Bytes::copy_from_slice(part);
            let frame = Frame::message(part, OpCode::Data(code), index == last);
            self.send_part(Message::Frame(frame)).await?;
            if began.elapsed() > ANSWER_TIMEOUT {
                return Err(End::Slow);
            }
        }
        Ok(())
    }

    async fn send_part(&mut self, message: Message) -> Result<(), End> {
        match timeout(PART_TIMEOUT, self.socket.send(message)).await {
            Ok(sent) => Ok(sent?),
            Err(_) => Err(End::Slow),
        }
    }

    /// Says why the connection ends, or answers the page's own closing.
    async fn close(&mut self, end: End) {
        let closing = async {
            match end.frame() {
                Some(frame) => self.socket.send(Message::Close(Some(frame))).await,
                None => self.socket.flush().await,
            }
        };
        // The page is told if it still reads.
        let _ = timeout(CLOSE_TIMEOUT, closing).await;
    }
}

/// Waits until there is memory for a large request, with what it is read into and its answer.
async fn memory(state: &AppState, bytes: usize) -> Option<OwnedSemaphorePermit> {
    if bytes < LARGE_REQUEST {
        return None;
    }
    let wanted = ((bytes * MEMORY) >> 10).min(MAX_MEMORY) as u32;
    // The semaphore is never closed.
    Arc::clone(&state.memory)
        .acquire_many_owned(wanted)
        .await
        .ok()
}

/// An answer as a text.
fn text(id: Option<u32>, answer: Answer) -> String {
    let write = |answer| json::text(&Reply { id, answer });
    let text = write(answer);
    if text.len() <= MAX_ANSWER {
        return text;
    }
    let message = format!(
        "the answer would have {} MiB, and {} are the most: ask for less at once",
        text.len() >> 20,
        MAX_ANSWER >> 20
    );
    write(Answer::Error { message })
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

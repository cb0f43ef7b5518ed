//! HTTP: the files of the page, and the door to the socket.

use super::assets::{ASSETS, Asset};
use super::connection;
use super::guard::Guard;
use super::hall::Hall;
use axum::Router;
use axum::body::Body;
use axum::extract::{Request, State, WebSocketUpgrade};
use axum::http::{HeaderMap, HeaderName, HeaderValue, Method, StatusCode, header};
use axum::middleware::{self, Next};
use axum::response::{IntoResponse, Response};
use axum::routing::{any, get};
use hyper::server::conn::http1;
use hyper_util::rt::{TokioIo, TokioTimer};
use hyper_util::service::TowerToHyperService;
use std::sync::Arc;
use std::time::Duration;
use tokio::net::TcpListener;
use tokio::sync::Semaphore;

/// Most connections of HTTP at once; a page uses up to six while it loads.
const MOST_CONNECTIONS: usize = 512;
/// How long a request may take to arrive.
const PATIENCE: Duration = Duration::from_secs(10);
/// Most bytes of the head of a request.
const MOST_HEAD: usize = 16 << 10;
/// How long to wait where the system has no more sockets.
const PAUSE: Duration = Duration::from_millis(50);

const POLICY: &str = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; \
    base-uri 'none'; form-action 'none'; frame-ancestors 'none'; require-trusted-types-for 'script'; \
    trusted-types 'none'";

/// Headers of every answer.
const HEADERS: [(HeaderName, &str); 6] = [
    (header::CONTENT_SECURITY_POLICY, POLICY),
    (header::X_CONTENT_TYPE_OPTIONS, "nosniff"),
    (header::X_FRAME_OPTIONS, "DENY"),
    (header::REFERRER_POLICY, "no-referrer"),
    (
        HeaderName::from_static("cross-origin-resource-policy"),
        "same-origin",
    ),
    (
        HeaderName::from_static("cross-origin-opener-policy"),
        "same-origin",
    ),
];

/// What the handlers share.
#[derive(Clone)]
struct Shared {
    guard: Arc<Guard>,
    hall: Arc<Hall>,
}

/// Serves until the process wants to end.
pub(super) async fn serve(
    listener: TcpListener,
    guard: Guard,
    hall: Arc<Hall>,
    asked_to_end: fn() -> bool,
) {
    let router = router(Shared {
        guard: Arc::new(guard),
        hall,
    });
    let places = Arc::new(Semaphore::new(MOST_CONNECTIONS));
    let mut look = tokio::time::interval(Duration::from_millis(100));
    loop {
        let accepted = tokio::select! {
            accepted = listener.accept() => accepted,
            _ = look.tick() => match asked_to_end() {
                true => return,
                false => continue,
            },
        };
        let stream = match accepted {
            Ok((stream, _)) => stream,
            Err(error) => {
                log::debug!("no connection: {error}");
                tokio::time::sleep(PAUSE).await;
                continue;
            }
        };
        let Ok(place) = Arc::clone(&places).try_acquire_owned() else {
            log::warn!("more than {MOST_CONNECTIONS} connections: one is refused");
            continue;
        };
        if let Err(error) = stream.set_nodelay(true) {
            log::debug!("no TCP_NODELAY: {error}");
        }
        let service = TowerToHyperService::new(router.clone());
        tokio::spawn(async move {
            let mut builder = http1::Builder::new();
            builder
                .timer(TokioTimer::new())
                .header_read_timeout(PATIENCE)
                .max_buf_size(MOST_HEAD);
            let connection = builder.serve_connection(TokioIo::new(stream), service);
            if let Err(error) = connection.with_upgrades().await {
                log::debug!("a connection ended: {error}");
            }
            drop(place);
        });
    }
}

fn router(shared: Shared) -> Router {
    let mut router = Router::new().route("/ws", any(socket));
    for asset in ASSETS {
        let answer = move |headers: HeaderMap| async move { file(asset, &headers) };
        router = router.route(asset.path, get(answer));
    }
    let guarded = middleware::from_fn_with_state(shared.clone(), guard);
    router
        .fallback(|| async { StatusCode::NOT_FOUND })
        .layer(guarded)
        .with_state(shared)
}

/// Refuses what was meant for another server; adds the headers.
async fn guard(State(shared): State<Shared>, request: Request, next: Next) -> Response {
    let is_read = matches!(*request.method(), Method::GET | Method::HEAD);
    let mut response = if !shared.guard.is_ours(request.headers()) {
        let why = "This server is to be opened by its address, such as http://127.0.0.1, not by another name; behind \
                   a proxy, allow the name with --allow-host.\n";
        (StatusCode::MISDIRECTED_REQUEST, why).into_response()
    } else if !is_read {
        StatusCode::METHOD_NOT_ALLOWED.into_response()
    } else {
        next.run(request).await
    };
    for (name, value) in HEADERS {
        response
            .headers_mut()
            .insert(name, HeaderValue::from_static(value));
    }
    response
}

/// A file, or nothing where the browser has it already.
fn file(asset: &'static Asset, headers: &HeaderMap) -> Response {
    let tag = format!("\"{:08x}\"", crc32fast::hash(asset.bytes));
    let is_known = headers
        .get(header::IF_NONE_MATCH)
        .is_some_and(|known| known.as_bytes() == tag.as_bytes());
    let builder = Response::builder()
        .header(header::ETAG, tag)
        .header(header::CACHE_CONTROL, "no-cache");
    let response = match is_known {
        true => builder.status(StatusCode::NOT_MODIFIED).body(Body::empty()),
        false => builder
            .header(header::CONTENT_TYPE, asset.kind)
            .body(Body::from(asset.bytes)),
    };
    response.unwrap_or_else(|_| StatusCode::INTERNAL_SERVER_ERROR.into_response())
}

/// The socket of a page.
async fn socket(State(shared): State<Shared>, request: Request) -> Response {
    use axum::extract::FromRequestParts;
    let (mut parts, _) = request.into_parts();
    if !shared.guard.may_connect(&parts.headers, parts.uri.query()) {
        let why = "Only the page of this server may connect, opened with the whole address that damier printed.\n";
        return (StatusCode::FORBIDDEN, why).into_response();
    }
    let Some(place) = shared.hall.enter() else {
        return (
            StatusCode::SERVICE_UNAVAILABLE,
            "Too many pages are open.\n",
        )
            .into_response();
    };
    match WebSocketUpgrade::from_request_parts(&mut parts, &()).await {
        Ok(upgrade) => upgrade
            .max_message_size(connection::LONGEST)
            .max_frame_size(connection::LONGEST)
            .max_write_buffer_size(connection::MOST_UNREAD)
            .on_upgrade(move |socket| connection::run(socket, place)),
        Err(refusal) => refusal.into_response(),
    }
}

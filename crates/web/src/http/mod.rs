//! HTTP: the files of the page and the upgrade to a WebSocket.

pub(crate) mod guard;
pub(crate) mod places;
mod stream;

use crate::assets::{ASSETS, TEXT};
use crate::connection;
use crate::state::AppState;
use axum::Router;
use axum::body::Body;
use axum::extract::{Request, State};
use axum::http::{HeaderMap, HeaderName, HeaderValue, Method, StatusCode, header};
use axum::middleware::{self, Next};
use axum::response::{IntoResponse, Response};
use axum::routing::get;
use damier_analysis::puzzle::built_in_text;
use hyper::server::conn::http1;
use hyper_util::rt::{TokioIo, TokioTimer};
use hyper_util::service::TowerToHyperService;
use places::Places;
use std::sync::Arc;
use std::time::Duration;
use stream::Stream;
use tokio::net::TcpListener;
use tokio_tungstenite::tungstenite::handshake::derive_accept_key;

/// Time limit for the head of a request.
const HEAD_TIMEOUT: Duration = Duration::from_secs(10);
/// Maximum bytes of the head of a request.
const MAX_HEAD: usize = 16 << 10;
/// Delay after a failed accept, such as with too many open files.
const ACCEPT_DELAY: Duration = Duration::from_millis(50);

const POLICY: &str = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; \
    base-uri 'none'; form-action 'none'; frame-ancestors 'none'; require-trusted-types-for 'script'; \
    trusted-types 'none'";

/// Headers of every response.
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

/// Serves until `asked_to_end`.
pub(super) async fn serve(
    listener: TcpListener,
    state: Arc<AppState>,
    places: Arc<Places>,
    mut asked_to_end: impl FnMut() -> bool,
) {
    let router = router(state);
    let mut look = tokio::time::interval(Duration::from_millis(100));
    loop {
        let accepted = tokio::select! {
            accepted = listener.accept() => accepted,
            _ = look.tick() => match asked_to_end() {
                true => return,
                false => continue,
            },
        };
        let (stream, address) = match accepted {
            Ok(accepted) => accepted,
            Err(error) => {
                log::debug!("accept failed: {error}");
                tokio::time::sleep(ACCEPT_DELAY).await;
                continue;
            }
        };
        let Some((place, ended)) = places.admit(address.ip()) else {
            log::warn!(
                "refused a connection of {}: too many are open",
                address.ip()
            );
            continue;
        };
        if let Err(error) = stream.set_nodelay(true) {
            log::debug!("cannot set TCP_NODELAY: {error}");
        }
        let service = TowerToHyperService::new(router.clone());
        let (places, number) = (Arc::clone(&places), place.number);
        let stream = Stream::new(stream, place);
        tokio::spawn(async move {
            let mut builder = http1::Builder::new();
            builder
                .timer(TokioTimer::new())
                .header_read_timeout(HEAD_TIMEOUT)
                .max_buf_size(MAX_HEAD);
            let connection = builder.serve_connection(TokioIo::new(stream), service);
            tokio::select! {
                served = connection.with_upgrades() => match served {
                    // Closed, or upgraded to a socket.
                    Ok(()) => places.keep(number),
                    Err(error) => log::debug!("connection ended: {error}"),
                },
                _ = ended => log::debug!("connection ended for a new one"),
            }
        });
    }
}

fn router(state: Arc<AppState>) -> Router {
    let mut router = Router::new().route("/ws", get(socket));
    for asset in ASSETS {
        let answer =
            move |headers: HeaderMap| async move { file(asset.kind, asset.bytes, &headers) };
        router = router.route(asset.path, get(answer));
    }
    let puzzles = |headers: HeaderMap| async move {
        match built_in_text() {
            Ok(text) => file(TEXT, text.as_bytes(), &headers),
            Err(damaged) => {
                (StatusCode::INTERNAL_SERVER_ERROR, damaged.to_string()).into_response()
            }
        }
    };
    router = router.route("/puzzles.pdn", get(puzzles));
    let guarded = middleware::from_fn_with_state(Arc::clone(&state), guard);
    router
        .fallback(|| async { StatusCode::NOT_FOUND })
        .layer(guarded)
        .with_state(state)
}

/// Refuses requests for another host; adds the headers.
async fn guard(State(state): State<Arc<AppState>>, request: Request, next: Next) -> Response {
    let is_read = matches!(*request.method(), Method::GET | Method::HEAD);
    let mut response = if !state.guard.is_own_host(request.headers()) {
        let why = "Unknown host name: open this server by its address, such as http://127.0.0.1, or allow the name of \
                   a proxy with --allow-host.\n";
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

/// A file of the page, or 304 where the browser has it.
fn file(kind: &'static str, bytes: &'static [u8], headers: &HeaderMap) -> Response {
    let tag = format!("\"{:08x}\"", crc32fast::hash(bytes));
    let is_known = headers
        .get(header::IF_NONE_MATCH)
        .is_some_and(|known| known.as_bytes() == tag.as_bytes());
    let builder = Response::builder()
        .header(header::ETAG, tag)
        .header(header::CACHE_CONTROL, "no-cache");
    let response = match is_known {
        true => builder.status(StatusCode::NOT_MODIFIED).body(Body::empty()),
        false => builder
            .header(header::CONTENT_TYPE, kind)
            .body(Body::from(bytes)),
    };
    response.unwrap_or_else(|_| StatusCode::INTERNAL_SERVER_ERROR.into_response())
}

/// Upgrades to the WebSocket of a page.
async fn socket(State(state): State<Arc<AppState>>, mut request: Request) -> Response {
    if !state
        .guard
        .may_connect(request.headers(), request.uri().query())
    {
        let why = "Only the page of this server may connect. Open it with the whole address that damier printed.\n";
        return (StatusCode::FORBIDDEN, why).into_response();
    }
    let Some(accept) = accept_key(request.headers()) else {
        let headers = [
            (header::UPGRADE, "websocket"),
            (header::SEC_WEBSOCKET_VERSION, "13"),
        ];
        return (
            StatusCode::UPGRADE_REQUIRED,
            headers,
            "This is a WebSocket.\n",
        )
            .into_response();
    };
    let Ok(permit) = Arc::clone(&state.pages).try_acquire_owned() else {
        return (
            StatusCode::SERVICE_UNAVAILABLE,
            "Too many pages are open.\n",
        )
            .into_response();
    };
    let upgrade = hyper::upgrade::on(&mut request);
    tokio::spawn(async move {
        match upgrade.await {
            Ok(upgraded) => connection::run(upgraded, state).await,
            Err(error) => log::debug!("no socket: {error}"),
        }
        drop(permit);
    });
    let headers = [
        (header::CONNECTION, "upgrade"),
        (header::UPGRADE, "websocket"),
        (header::SEC_WEBSOCKET_ACCEPT, accept.as_str()),
    ];
    (StatusCode::SWITCHING_PROTOCOLS, headers).into_response()
}

/// The key that accepts a WebSocket. None for another request.
fn accept_key(headers: &HeaderMap) -> Option<String> {
    let has = |name, wanted: &str| {
        let values = headers
            .get_all(name)
            .iter()
            .filter_map(|value| value.to_str().ok());
        let mut words = values.flat_map(|value| value.split(','));
        words.any(|word| word.trim().eq_ignore_ascii_case(wanted))
    };
    let is_socket = has(header::CONNECTION, "upgrade")
        && has(header::UPGRADE, "websocket")
        && has(header::SEC_WEBSOCKET_VERSION, "13");
    let key = headers
        .get(header::SEC_WEBSOCKET_KEY)
        .filter(|_| is_socket)?;
    Some(derive_accept_key(key.as_bytes()))
}

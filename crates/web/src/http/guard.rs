//! Access control: only pages of this server and programs other than browsers may connect.
//!
//! Any site can make a browser send requests to this machine: across sites, visible in `Origin`, or through a domain
//! that the site has pointed here (DNS rebinding), visible in `Host`. Unknown host names are refused; addresses cannot
//! be rebound. If other machines can connect, the socket also requires a token, contained in the printed address.

use axum::http::{HeaderMap, header};
use std::net::{IpAddr, SocketAddr};

/// Bytes of a token.
const TOKEN_BYTES: usize = 16;

/// Decides which requests the server accepts.
#[derive(Clone, Debug)]
pub(crate) struct Guard {
    /// The host name that the user gave.
    name: String,
    /// Host names of a proxy that serves `https` and forwards requests.
    forwarded: Vec<String>,
    token: Option<String>,
}

impl Guard {
    /// For a server at `address`, which the user gave as `name`, behind a proxy with the host names `forwarded`. A
    /// loopback address needs no token: access through the proxy is the proxy's concern.
    ///
    /// # Errors
    /// The system has no random numbers.
    pub fn new(
        address: SocketAddr,
        name: &str,
        forwarded: &[String],
    ) -> Result<Guard, getrandom::Error> {
        let token = match address.ip().is_loopback() {
            true => None,
            false => Some(token()?),
        };
        Ok(Guard {
            name: name.to_ascii_lowercase(),
            forwarded: forwarded
                .iter()
                .map(|name| name.to_ascii_lowercase())
                .collect(),
            token,
        })
    }

    /// The token, if one is required.
    pub fn token(&self) -> Option<&str> {
        self.token.as_deref()
    }

    /// Whether `Host` names this server: an address, `localhost`, or a name that the user gave.
    pub fn is_own_host(&self, headers: &HeaderMap) -> bool {
        let Some(host) = single(headers, &header::HOST) else {
            return false;
        };
        let Some(name) = name_of(host) else {
            return false;
        };
        let name = name.to_ascii_lowercase();
        let is_own = name == "localhost" || name == self.name || address(&name).is_some();
        is_own || self.forwarded.contains(&name)
    }

    /// The host part of an `Origin` with the right scheme: `https` through a proxy, because a page over plain http
    /// could be forged on the way.
    fn origin_host<'o>(&self, origin: &'o str, host: &str) -> Option<&'o str> {
        let name = name_of(host)?.to_ascii_lowercase();
        let scheme = match self.forwarded.contains(&name) {
            true => "https://",
            false => "http://",
        };
        origin.strip_prefix(scheme)
    }

    /// Whether a request may open the socket: from a page of this server, or without `Origin`; with the token.
    pub fn may_connect(&self, headers: &HeaderMap, query: Option<&str>) -> bool {
        let is_same = match headers.get(header::ORIGIN) {
            None => true,
            Some(_) => match (
                single(headers, &header::ORIGIN),
                single(headers, &header::HOST),
            ) {
                (Some(origin), Some(host)) => {
                    let origin = self.origin_host(origin, host);
                    origin.is_some_and(|origin| origin.eq_ignore_ascii_case(host))
                }
                _ => false,
            },
        };
        let given = query.into_iter().flat_map(|query| query.split('&'));
        let mut given = given.filter_map(|pair| pair.strip_prefix("token="));
        let is_allowed = match &self.token {
            None => true,
            Some(token) => given.any(|given| is_equal(given.as_bytes(), token.as_bytes())),
        };
        self.is_own_host(headers) && is_same && is_allowed
    }
}

/// A random token in hexadecimal.
fn token() -> Result<String, getrandom::Error> {
    let mut bytes = [0; TOKEN_BYTES];
    getrandom::fill(&mut bytes)?;
    Ok(bytes.iter().map(|byte| format!("{byte:02x}")).collect())
}

/// Compares in constant time for equal lengths.
fn is_equal(a: &[u8], b: &[u8]) -> bool {
    let differ = a.iter().zip(b).fold(0, |differ, (a, b)| differ | (a ^ b));
    a.len() == b.len() && differ == 0
}

/// The value of a header that occurs once.
fn single<'a>(headers: &'a HeaderMap, name: &header::HeaderName) -> Option<&'a str> {
    let mut all = headers.get_all(name).iter();
    let first = all.next()?.to_str().ok()?;
    all.next().is_none().then_some(first)
}

/// The host without the port, which may be that of a tunnel.
fn name_of(host: &str) -> Option<&str> {
    match host.rsplit_once(':') {
        Some((name, port)) if !port.ends_with(']') => {
            port.parse::<u16>().ok()?;
            Some(name)
        }
        _ => Some(host),
    }
    .filter(|name| !name.is_empty())
}

/// The host as an IP address, if it is one.
fn address(host: &str) -> Option<IpAddr> {
    let inner = host
        .strip_prefix('[')
        .and_then(|host| host.strip_suffix(']'));
    inner.unwrap_or(host).parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn headers(pairs: &[(&'static str, &'static str)]) -> HeaderMap {
        let mut map = HeaderMap::new();
        for (name, value) in pairs {
            map.append(*name, axum::http::HeaderValue::from_static(value));
        }
        map
    }

    fn guard(address: &str) -> Guard {
        let forwarded = ["Draughts.example".to_owned()];
        Guard::new(address.parse().unwrap(), "Board.example", &forwarded).unwrap()
    }

    #[test]
    fn only_addresses_and_own_names_are_hosts() {
        let guard = guard("127.0.0.1:80");
        for host in [
            "127.0.0.1",
            "localhost:80",
            "localhost:8080",
            "LOCALHOST",
            "[::1]:80",
            "192.168.1.5",
            "board.example",
            "draughts.example",
        ] {
            assert!(guard.is_own_host(&headers(&[("host", host)])), "{host}");
        }
        for host in [
            "evil.example",
            "127.0.0.1.evil.example",
            "",
            ":80",
            "localhost:x",
            "localhost.",
        ] {
            assert!(!guard.is_own_host(&headers(&[("host", host)])), "{host}");
        }
        assert!(!guard.is_own_host(&headers(&[])));
        assert!(!guard.is_own_host(&headers(&[("host", "localhost"), ("host", "evil.example")])));
    }

    #[test]
    fn no_other_site_may_connect() {
        let guard = guard("127.0.0.1:8000");
        let may = |pairs: &[_]| guard.may_connect(&headers(pairs), None);
        let host = ("host", "127.0.0.1:8000");
        assert!(may(&[host]), "a program");
        assert!(may(&[host, ("origin", "http://127.0.0.1:8000")]));
        for origin in [
            "http://evil.example",
            "null",
            "https://127.0.0.1:8000",
            "http://127.0.0.1:8001",
            "http://localhost:8000",
        ] {
            assert!(!may(&[host, ("origin", origin)]), "{origin}");
        }
        // A proxy speaks to browsers by https under the name that it was allowed.
        let forwarded = ("host", "draughts.example");
        assert!(may(&[forwarded, ("origin", "https://draughts.example")]));
        assert!(!may(&[forwarded, ("origin", "http://draughts.example")]));
        assert!(!may(&[forwarded, ("origin", "https://evil.example")]));
        assert!(!may(&[host, ("origin", "https://draughts.example")]));
        assert!(!may(&[
            ("host", "evil.example:8000"),
            ("origin", "http://evil.example:8000")
        ]));
    }

    #[test]
    fn others_need_the_token() {
        let guard = guard("0.0.0.0:8000");
        let token = guard.token().expect("one is needed").to_owned();
        assert_eq!(token.len(), 2 * TOKEN_BYTES);
        let host = headers(&[("host", "192.168.1.5:8000")]);
        assert!(guard.may_connect(&host, Some(&format!("token={token}"))));
        for query in [
            None,
            Some(""),
            Some("token="),
            Some(&token[1..]),
            Some("token=00000000000000000000000000000000"),
        ] {
            assert!(!guard.may_connect(&host, query), "{query:?}");
        }
    }
}

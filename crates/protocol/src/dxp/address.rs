//! Resolves host names: a host may have several addresses, of which only some work.

use std::io;
use std::net::{Ipv4Addr, SocketAddr, ToSocketAddrs};

/// The addresses of a host, at least one. For `localhost` IPv4 comes first, which most DXP programs use.
///
/// # Errors
/// The host has none.
pub fn addresses(host: &str, port: u16) -> io::Result<Vec<SocketAddr>> {
    let mut found: Vec<SocketAddr> = (host, port).to_socket_addrs()?.collect();
    order(host, &mut found);
    match found.is_empty() {
        true => Err(io::Error::other("it has none")),
        false => Ok(found),
    }
}

fn order(host: &str, found: &mut [SocketAddr]) {
    if host.eq_ignore_ascii_case("localhost") {
        found.sort_by_key(SocketAddr::is_ipv6);
    }
}

/// Tries each address in turn until one works.
///
/// # Errors
/// The error of the last one.
pub fn first_of<T>(
    addresses: &[SocketAddr],
    mut attempt: impl FnMut(SocketAddr) -> io::Result<T>,
) -> Result<(SocketAddr, T), (SocketAddr, io::Error)> {
    let nowhere = SocketAddr::from((Ipv4Addr::UNSPECIFIED, 0));
    let mut last = (nowhere, io::Error::other("no address"));
    for &address in addresses {
        match attempt(address) {
            Ok(made) => return Ok((address, made)),
            Err(error) => last = (address, error),
        }
    }
    Err(last)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::net::{TcpListener, TcpStream};

    #[test]
    fn every_address_is_tried_until_one_works() {
        let listener = TcpListener::bind("127.0.0.1:0").expect("a port");
        let open = listener.local_addr().expect("an address");
        // Port 1 of this machine, where nothing listens.
        let closed = SocketAddr::from((Ipv4Addr::LOCALHOST, 1));
        let (address, _) = first_of(&[closed, open], TcpStream::connect).expect("the second");
        assert_eq!(address, open);
        let (address, _) = first_of(&[closed], TcpStream::connect).expect_err("closed");
        assert_eq!(address, closed);
        // Listening too.
        let free = SocketAddr::from((Ipv4Addr::LOCALHOST, 0));
        assert_eq!(
            first_of(&[open, free], TcpListener::bind)
                .expect("the second")
                .0,
            free
        );
    }

    #[test]
    fn localhost_is_first_of_all_ipv4() {
        let both = ["[::1]:7", "127.0.0.1:7"].map(|text| text.parse().expect("an address"));
        let [mut localhost, mut other] = [both; 2];
        order("LocalHost", &mut localhost);
        order("example.org", &mut other);
        assert_eq!(localhost, [both[1], both[0]]);
        assert_eq!(other, both);
        assert!(addresses("localhost", 7).expect("known")[0].is_ipv4());
        assert!(addresses("no such host", 7).is_err());
    }
}

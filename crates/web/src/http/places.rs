//! The connections that are open. Where there is no place for a new one, the oldest that is not a page's socket ends:
//! such a connection loads files in a moment, or is silent.

use std::collections::BTreeMap;
use std::net::{IpAddr, Ipv6Addr};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use tokio::sync::{OwnedSemaphorePermit, Semaphore, oneshot};

/// Maximum number of connections; a page opens up to six while it loads.
const MAX_CONNECTIONS: usize = 512;
/// Maximum number of connections of an address, unless told otherwise; this machine may have all, for a proxy.
const PER_ADDRESS: usize = 64;
/// Maximum number of closed connections whose rest is read.
const MAX_LINGERING: usize = 64;

/// An open connection.
struct Entry {
    address: IpAddr,
    /// Ends the connection. None for the socket of a page.
    end: Option<oneshot::Sender<()>>,
}

#[derive(Default)]
struct Open {
    next: u64,
    /// In the order in which they were opened.
    entries: BTreeMap<u64, Entry>,
}

impl Open {
    /// Ends the oldest connection that is not a socket, of an address or of all; whether there is one.
    fn end_oldest(&mut self, address: Option<IpAddr>) -> bool {
        let oldest = self.entries.iter().find(|(_, entry)| {
            entry.end.is_some() && address.is_none_or(|address| address == entry.address)
        });
        let Some((&number, _)) = oldest else {
            return false;
        };
        let entry = self.entries.remove(&number);
        if let Some(end) = entry.and_then(|entry| entry.end) {
            // Fails only where the connection has just ended.
            let _ = end.send(());
        }
        true
    }
}

/// The places for connections.
pub(crate) struct Places {
    open: Mutex<Open>,
    per_address: Option<usize>,
    lingering: Arc<Semaphore>,
}

impl Places {
    /// With at most so many connections of one address.
    pub fn new(per_address: Option<usize>) -> Arc<Places> {
        Arc::new(Places {
            open: Mutex::default(),
            per_address,
            lingering: Arc::new(Semaphore::new(MAX_LINGERING)),
        })
    }

    fn lock(&self) -> MutexGuard<'_, Open> {
        self.open.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// A place for a connection from `address`, and the channel that ends it. None where sockets have all places.
    pub fn admit(self: &Arc<Self>, address: IpAddr) -> Option<(Place, oneshot::Receiver<()>)> {
        let most = self.per_address.unwrap_or(match address.is_loopback() {
            true => MAX_CONNECTIONS,
            false => PER_ADDRESS,
        });
        let address = network(address);
        let mut open = self.lock();
        let own = open.entries.values();
        let own = own.filter(|entry| entry.address == address).count();
        let is_free = match (own >= most, open.entries.len() >= MAX_CONNECTIONS) {
            (true, _) => open.end_oldest(Some(address)),
            (false, true) => open.end_oldest(None),
            (false, false) => true,
        };
        if !is_free {
            return None;
        }
        let (end, ended) = oneshot::channel();
        let number = open.next;
        open.next += 1;
        let end = Some(end);
        open.entries.insert(number, Entry { address, end });
        let places = Arc::clone(self);
        Some((Place { places, number }, ended))
    }

    /// The connection is the socket of a page from now on, if it is still open.
    pub fn keep(&self, number: u64) {
        if let Some(entry) = self.lock().entries.get_mut(&number) {
            entry.end = None;
        }
    }

    /// Leave to read the rest of a closed connection.
    pub fn linger(&self) -> Option<OwnedSemaphorePermit> {
        Arc::clone(&self.lingering).try_acquire_owned().ok()
    }
}

/// What counts as one address: of IPv6 the network, of which a machine has many addresses.
fn network(address: IpAddr) -> IpAddr {
    match address.to_canonical() {
        IpAddr::V6(address) if !address.is_loopback() => {
            Ipv6Addr::from_bits(address.to_bits() & !u128::from(u64::MAX)).into()
        }
        address => address,
    }
}

/// The place of a connection, until it is dropped.
pub(crate) struct Place {
    pub places: Arc<Places>,
    pub number: u64,
}

impl Drop for Place {
    fn drop(&mut self) {
        self.places.lock().entries.remove(&self.number);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn address(text: &str) -> IpAddr {
        text.parse().unwrap()
    }

    #[test]
    fn a_new_connection_takes_the_place_of_the_oldest_that_is_no_socket() {
        let places = Places::new(None);
        let here = address("127.0.0.1");
        let mut all: Vec<_> = (0..MAX_CONNECTIONS)
            .map(|_| places.admit(here).unwrap())
            .collect();
        places.keep(all[0].0.number);
        let other = places.admit(address("192.0.2.1")).expect("a place");
        assert!(all[0].1.try_recv().is_err(), "a socket stays");
        assert_eq!(all[1].1.try_recv(), Ok(()));
        assert!(all[2].1.try_recv().is_err());
        drop(all.swap_remove(2));
        let more = places.admit(here).expect("a place that is free");
        assert!(
            all.iter_mut()
                .skip(2)
                .all(|(_, ended)| ended.try_recv().is_err())
        );
        // Sockets alone leave no place.
        let kept = all.iter().chain([&other, &more]);
        kept.for_each(|(place, _)| places.keep(place.number));
        assert!(places.admit(here).is_none());
        assert!(places.admit(address("192.0.2.1")).is_none());
    }

    #[test]
    fn an_address_has_its_own_limit() {
        let places = Places::new(None);
        let there = |host: usize| address(&format!("2001:db8::{host:x}"));
        let own: Vec<_> = (0..PER_ADDRESS)
            .map(|host| places.admit(there(host)).unwrap())
            .collect();
        own.iter().for_each(|(place, _)| places.keep(place.number));
        assert!(places.admit(there(0)).is_none(), "one network");
        assert!(places.admit(address("2001:db8:0:1::1")).is_some());
        let places = Places::new(Some(1));
        let (_first, mut ended) = places.admit(address("127.0.0.1")).unwrap();
        let _second = places.admit(address("::ffff:127.0.0.1")).unwrap();
        assert_eq!(ended.try_recv(), Ok(()));
    }
}

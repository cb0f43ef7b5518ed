//! Processors, and which of them are near to the same memory (NUMA nodes).

#[cfg(target_os = "linux")]
pub use linux::stay_near_memory;

/// Nothing is known of the processors.
#[cfg(not(target_os = "linux"))]
pub fn stay_near_memory(_thread: usize) {}

#[cfg(target_os = "linux")]
mod linux {
    use once_cell::sync::Lazy;
    use rustix::thread::{CpuSet, sched_getaffinity, sched_setaffinity};
    use std::fs;
    use std::path::Path;

    /// Where the kernel lists the nodes.
    const NODES: &str = "/sys/devices/system/node";

    /// Keeps the calling thread, one of a team, on the processors of one node, the nodes dealt out in turn: what it
    /// allocates and writes first then stays near. Does nothing on a machine of one node.
    pub fn stay_near_memory(thread: usize) {
        static ALLOWED: Lazy<Vec<CpuSet>> = Lazy::new(|| {
            let allowed = sched_getaffinity(None).ok();
            allowed.map_or(Vec::new(), |allowed| {
                usable(&nodes(Path::new(NODES)), &allowed)
            })
        });
        if ALLOWED.len() > 1 {
            // Where the system does not want it, the thread stays where it is.
            let _ = sched_setaffinity(None, &ALLOWED[thread % ALLOWED.len()]);
        }
    }

    /// The processors of each node that this process may use; nodes without any are left out.
    fn usable(nodes: &[Vec<usize>], allowed: &CpuSet) -> Vec<CpuSet> {
        let set = |cpus: &Vec<usize>| {
            let mut set = CpuSet::new();
            let cpus = cpus.iter().filter(|&&cpu| cpu < CpuSet::MAX_CPU);
            cpus.filter(|&&cpu| allowed.is_set(cpu))
                .for_each(|&cpu| set.set(cpu));
            set
        };
        nodes
            .iter()
            .map(set)
            .filter(|set| set.count() > 0)
            .collect()
    }

    /// The processors of each node, as the kernel lists them in this folder; no node where it cannot be read.
    fn nodes(folder: &Path) -> Vec<Vec<usize>> {
        let Ok(entries) = fs::read_dir(folder) else {
            return Vec::new();
        };
        let mut found: Vec<(usize, Vec<usize>)> = entries
            .filter_map(|entry| {
                let path = entry.ok()?.path();
                let number = path.file_name()?.to_str()?.strip_prefix("node")?;
                let list = fs::read_to_string(path.join("cpulist")).ok()?;
                Some((number.parse().ok()?, cpus(&list)?))
            })
            .collect();
        found.sort();
        found.into_iter().map(|(_, cpus)| cpus).collect()
    }

    /// A list of the kernel, such as `0-3,8-11`.
    fn cpus(list: &str) -> Option<Vec<usize>> {
        let mut all = Vec::new();
        for part in list.trim().split(',').filter(|part| !part.is_empty()) {
            let (first, last) = part.split_once('-').unwrap_or((part, part));
            all.extend(first.parse().ok()?..=last.parse::<usize>().ok()?);
        }
        Some(all)
    }

    #[cfg(test)]
    mod tests {
        use super::*;

        #[test]
        fn lists_of_the_kernel_are_read() {
            assert_eq!(cpus("0-3,8,10-11\n"), Some(vec![0, 1, 2, 3, 8, 10, 11]));
            assert_eq!(cpus("\n"), Some(Vec::new()), "a node of memory alone");
            assert_eq!(cpus("0-x"), None);
        }

        #[test]
        fn nodes_are_found_in_the_order_of_their_numbers() {
            let folder = tempfile::tempdir().expect("a folder");
            for (name, list) in [("node10", "4-5\n"), ("node2", "0-1,6\n"), ("online", "0\n")] {
                let path = folder.path().join(name);
                fs::create_dir(&path).expect("created");
                fs::write(path.join("cpulist"), list).expect("written");
            }
            let found = nodes(folder.path());
            assert_eq!(found, [vec![0, 1, 6], vec![4, 5]]);
            let mut allowed = CpuSet::new();
            [1, 6, 7].into_iter().for_each(|cpu| allowed.set(cpu));
            let usable = usable(&found, &allowed);
            assert_eq!(usable.len(), 1, "the second node is not ours");
            assert!(usable[0].is_set(1) && usable[0].is_set(6) && usable[0].count() == 2);
            assert!(nodes(&folder.path().join("missing")).is_empty());
        }

        #[test]
        fn a_thread_may_run_where_it_could_before() {
            let run = || {
                let before = sched_getaffinity(None).expect("known");
                stay_near_memory(3);
                let after = sched_getaffinity(None).expect("known");
                assert!((0..CpuSet::MAX_CPU).all(|cpu| before.is_set(cpu) || !after.is_set(cpu)));
                assert!(after.count() > 0);
            };
            std::thread::spawn(run).join().expect("no panic");
        }
    }
}

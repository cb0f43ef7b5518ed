//! A match of many games: nothing grows, and nothing is left behind.
#![cfg(target_os = "linux")]

use crate::doubles::{damier, double, folder};
use std::fs;
use std::path::Path;
use std::process::Stdio;
use std::thread;
use std::time::Duration;

/// What a process holds.
#[derive(Clone, Copy, Debug, Default)]
struct Held {
    /// Memory in KiB.
    memory: u64,
    /// Open files.
    files: usize,
}

fn held(id: u32) -> Option<Held> {
    let status = fs::read_to_string(format!("/proc/{id}/status")).ok()?;
    let line = status
        .lines()
        .find_map(|line| line.strip_prefix("VmRSS:"))?;
    let files = fs::read_dir(format!("/proc/{id}/fd")).ok()?.count();
    let memory = line.split_whitespace().next()?.parse().ok()?;
    Some(Held { memory, files })
}

/// Children of a process that have ended and that it has not asked about.
fn zombies(parent: u32) -> usize {
    let entries = fs::read_dir("/proc").expect("proc").flatten();
    let stats = entries.filter_map(|entry| fs::read_to_string(entry.path().join("stat")).ok());
    let is_zombie = |stat: &String| {
        let fields = stat.rsplit_once(')').map_or("", |(_, fields)| fields);
        let mut fields = fields.split_whitespace();
        fields.next() == Some("Z") && fields.next() == Some(parent.to_string().as_str())
    };
    stats.filter(is_zombie).count()
}

fn games_in(journal: &Path) -> u64 {
    let text = fs::read(journal).unwrap_or_default();
    let lines = text.iter().filter(|&&byte| byte == b'\n').count() as u64;
    lines.saturating_sub(1)
}

/// So many games in all, at 1,000 nodes a move, with an engine that crashes now and then among them.
#[test]
#[ignore = "takes minutes: DAMIER_GAMES=2000 cargo test --release --test arena long -- --ignored"]
fn a_long_match_holds_no_more_than_a_short_one() {
    let total = std::env::var("DAMIER_GAMES").map_or(2000, |text| text.parse().expect("a number"));
    let games = (total / 3).max(20) / 2 * 2;
    let journal = folder("long").join("journal");
    let path = env!("CARGO_BIN_EXE_damier");
    let engine = |name: &str| {
        format!(
            "name={name} cmd=\"'{path}' hub\" book=false nodes=1000 line-gap=0 tt-size=16 bb-size=0"
        )
    };
    let (a, b) = (engine("A"), engine("B"));
    let c = format!("name=C cmd=\"'{}' crash 20 3\" nodes=1000", double());
    let (games_text, file) = (games.to_string(), journal.to_str().expect("a plain path"));
    let args = [
        "--engine",
        &a,
        "--engine",
        &b,
        "--engine",
        &c,
        "--games",
        &games_text,
        "--journal",
        file,
        "--random-plies",
        "6",
        "--concurrency",
        "2",
        "--play-out",
        "--json",
    ];
    let mut child = damier(&args)
        .stdout(Stdio::null())
        .spawn()
        .expect("the binary runs");
    let (mut early, mut late, mut left) = (Held::default(), Held::default(), Vec::new());
    let all = 3 * games;
    while child.try_wait().expect("a child").is_none() {
        let done = games_in(&journal);
        if let Some(now) = held(child.id()) {
            let most = if done < all / 4 {
                &mut early
            } else {
                &mut late
            };
            most.memory = most.memory.max(now.memory);
            most.files = most.files.max(now.files);
            left.push(zombies(child.id()));
        }
        thread::sleep(Duration::from_millis(200));
    }
    assert!(child.wait().expect("an end").success());
    assert_eq!(games_in(&journal), all);
    // The results of the openings and the list of what was drawn take some bytes each.
    let allowed = early.memory / 10 + 1024 + all / 8;
    assert!(late.memory <= early.memory + allowed, "{early:?} {late:?}");
    // Between the end of an engine and the start of the next a few more may be open.
    assert!(late.files <= early.files + 4, "{early:?} {late:?}");
    // One that has just ended is seen now and then; any that stayed would be seen to the end.
    let stayed = left.iter().rev().take(5).min();
    assert_eq!(stayed, Some(&0), "{left:?}");
    assert!(left.iter().all(|&count| count <= 4), "{left:?}");
}

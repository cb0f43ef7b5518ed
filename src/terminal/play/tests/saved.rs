//! Saving games, on command and when a session is interrupted; loading them.

use super::*;

#[test]
fn a_live_game_is_not_thrown_away_unasked() {
    for word in ["quit", "new", "fen start"] {
        let script = format!("32-28\n{word}\ngame\n{word}\n{word}\nquit\n");
        let out = play_live(START, HUMANS, &script);
        assert_eq!(out.matches("is not saved").count(), 2, "{out}");
        assert!(out.contains("1. 32-28\n"), "{out}");
    }
    let out = play_live(START, HUMANS, "quit\n");
    assert!(!out.contains("is not saved"), "{out}");
}

#[test]
fn a_game_that_is_interrupted_is_saved_under_a_name_that_is_said() {
    static ASKED: AtomicBool = AtomicBool::new(false);
    let asking = |job: &Job, control: &Control| {
        ASKED.store(true, Relaxed);
        endless(job, control)
    };
    let folder = tempfile::tempdir().unwrap();
    // The second time the name that it would take is in use.
    for _ in 0..2 {
        ASKED.store(false, Relaxed);
        let setting = PlaySettings {
            folder: folder.path().to_owned(),
            asked_to_end: || ASKED.load(Relaxed),
            ..setting(START, WHITE)
        };
        let (sender, input) = typed();
        sender.send(b"32-28\n".to_vec()).unwrap();
        let mut out = Vec::new();
        let exit = run(stub(asking), setting, input, &mut out).unwrap();
        assert_eq!(exit, Exit::Interrupted);
        let out = String::from_utf8(out).unwrap();
        let saved = std::fs::read_dir(folder.path()).unwrap();
        let names: Vec<_> = saved.map(|entry| entry.unwrap().path()).collect();
        let said = names
            .iter()
            .find(|name| out.contains(&format!("{}.", name.display())));
        let bytes = std::fs::read(said.expect(&out)).unwrap();
        let games: Vec<_> = pdn::read(&pdn::decode(&bytes))
            .map(Result::unwrap)
            .collect();
        assert_eq!((games.len(), games[0].moves.len()), (1, 1), "{out}");
    }
    assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 2);
}

#[test]
fn a_live_game_whose_input_ends_is_saved() {
    let folder = tempfile::tempdir().unwrap();
    let setting = PlaySettings {
        live: true,
        folder: folder.path().to_owned(),
        ..setting(START, HUMANS)
    };
    shown(stub(first), setting, "32-28\n");
    assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 1);
}

/// A terminal that is gone after some lines: reading and writing fail.
struct GoneTerminal(io::Cursor<&'static [u8]>);

impl io::Read for GoneTerminal {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        match self.0.read(buffer)? {
            0 => Err(io::Error::other("the window was closed")),
            count => Ok(count),
        }
    }
}

impl io::Write for GoneTerminal {
    fn write(&mut self, text: &[u8]) -> io::Result<usize> {
        match self.0.position() < self.0.get_ref().len() as u64 {
            true => {
                self.0.set_position(self.0.position() + 1);
                Ok(text.len())
            }
            false => Err(io::Error::other("the window was closed")),
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

#[test]
fn a_live_game_is_saved_when_its_terminal_is_gone() {
    let gone = |text: &'static [u8]| GoneTerminal(io::Cursor::new(text));
    for (live, writes) in [(true, true), (true, false), (false, true)] {
        let folder = tempfile::tempdir().unwrap();
        let setting = PlaySettings {
            live,
            folder: folder.path().to_owned(),
            ..setting(START, HUMANS)
        };
        let input = io::BufReader::new(gone(b"32-28\n19-23\n"));
        // It takes a number of pieces of text and then no more.
        let result = match writes {
            true => run(stub(first), setting, input, &mut Vec::new()),
            false => run(stub(first), setting, input, &mut gone(&[0; 60])),
        };
        assert!(result.is_err());
        let saved = std::fs::read_dir(folder.path()).unwrap().count();
        assert_eq!(saved, usize::from(live), "{live} {writes}");
    }
}

#[test]
fn a_game_is_saved_again_whatever_its_first_tag_is() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name).to_str().unwrap().to_owned();
    std::fs::write(path("in.pdn"), "[White \"Ann\"]\n\n1. 32-28 *\n").unwrap();
    let (from, to) = (path("in.pdn"), path("out.pdn"));
    let script = format!("load {from}\n19-23\nsave {to}\n28x19\nsave\n");
    let out = play(START, HUMANS, &script);
    assert_eq!(out.matches("Saved to ").count(), 2, "{out}");
}

#[test]
fn what_stands_in_a_loaded_file_is_saved_again() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name).to_str().unwrap().to_owned();
    let text = "[Event \"Club\"]\n[White \"Ann\"]\n[Black \"Bob\"]\n[WhiteRating \"1400\"]\n[Result \"1-1\"]\n\n\
                {hello} 1. 32-28 $1 {best} (1. 33-29 19-23 {or}) 19-23 2. 28x19 14x23 1-1\n\n";
    std::fs::write(path("club.pdn"), text).unwrap();
    let script = format!(
        "load {}\nsave {}\n35-30\nsave {}\nback\nback\n13x24\nsave {}\nresign\nsave\nnew\n32-28\nsave {}\n",
        path("club.pdn"),
        path("same.pdn"),
        path("more.pdn"),
        path("other.pdn"),
        path("new.pdn"),
    );
    let shown = play(START, HUMANS, &script);
    let read = |name: &str| {
        let bytes = std::fs::read(path(name)).unwrap_or_else(|error| panic!("{error}: {shown}"));
        pdn::read(&pdn::decode(&bytes)).next().unwrap().unwrap()
    };
    let [before, same, more, other] = ["club.pdn", "same.pdn", "more.pdn", "other.pdn"].map(read);
    assert_eq!(same.moves, before.moves);
    assert_eq!(same.comment.as_deref(), Some("hello"));
    assert_eq!(same.result, pdn::Outcome::Draw);
    for game in [&same, &more, &other] {
        assert_eq!(game.tag("White"), Some("Ann"));
        assert_eq!(game.tag("WhiteRating"), Some("1400"));
        assert_eq!(game.moves[0], before.moves[0]);
    }
    assert_eq!(more.moves[..4], before.moves[..]);
    assert_eq!(more.moves.len(), 5);
    assert_eq!(more.result, pdn::Outcome::Unknown);
    // The move that was taken back is a variation of the other one.
    assert_eq!(other.moves.len(), 4);
    assert_eq!(other.moves[3].variations[0].moves[..], before.moves[3..]);
    assert_ne!(other.result, pdn::Outcome::Unknown);
    assert_eq!(read("new.pdn").tag("Event"), Some("Game in the terminal"));
}

#[test]
fn games_are_saved_and_loaded() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("my game.pdn");
    let name = path.display();
    let script = format!("32-28\n19-23\nsave {name}\nresign\nsave\nnew\nsave {name}\n");
    let out = play(START, HUMANS, &script);
    assert_eq!(out.matches("Saved to ").count(), 2, "{out}");
    assert!(out.contains("exists already"), "{out}");
    let bytes = std::fs::read(&path).unwrap();
    let game = pdn::read(&pdn::decode(&bytes)).next().unwrap().unwrap();
    assert_eq!((game.moves.len(), game.result), (2, pdn::Outcome::Black));
    assert!(game.tag("Date").is_some_and(|date| date.starts_with("2")));
    // Played on after the result that the file names, and from a file with several games.
    let mut two = bytes.clone();
    two.extend(b"[White \"X\"]\n[FEN \"B:W31:B20\"]\n\n1... 20-24 *\n");
    std::fs::write(&path, two).unwrap();
    let out = play(
        START,
        HUMANS,
        &format!("load {name}\n28x19\ngame\nload {name} 2\nfen\n"),
    );
    assert!(out.contains("black has won"), "{out}");
    assert!(out.contains("1. 32-28 19-23 2. 28x19\n"), "{out}");
    assert!(out.contains("W:W31:B24\n"), "{out}");
    for (load, said) in [
        (format!("load {name} 3"), "there are 2"),
        ("load /no/such".to_owned(), "/no/such: "),
        ("load".to_owned(), "name the file"),
        ("save".to_owned(), "Name the file"),
    ] {
        let out = play(START, HUMANS, &format!("32-28\n{load}\ngame\n"));
        assert!(out.contains(said) && out.contains("1. 32-28\n"), "{out}");
    }
}

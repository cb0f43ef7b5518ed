//! Files of games: what is read from them, and what becomes of damaged ones.

use crate::games::*;
use crate::messages::one_line;
use damier::engine::Options;
use damier::eval::WeightsFile;
use damier::notation::pdn;
use damier::os::shard::Shard;
use damier::training::dataset::{
    self, Filter, GameRecord, Order, Reader, Sample, Shuffle, Stillness,
};
use damier::training::selfplay::import::{self, Import};
use damier::training::selfplay::rescore::{self, Rescore};
use damier::training::selfplay::{FixedLevel, Run};
use serde_json::Value;
use std::collections::HashMap;
use std::fs;
use std::process::Command;

#[test]
fn games_are_different_and_agree_with_the_rules() {
    let folder = folder("rules");
    let file = name(&folder, "games");
    let mut run = order(&file, 300, 2);
    run.settings.random_moves = 5;
    play(&run);
    let verified = dataset::verify(&[&file], |_| ()).unwrap();
    assert_eq!((verified.games, verified.damages.len()), (300, 0));
    let found = dataset::statistics(&[&file], true, || ()).unwrap();
    assert_eq!((found.games, found.duplicates), (300, 0));
    assert_eq!(found.plies, verified.plies);
    assert_eq!(found.results.iter().sum::<u64>(), 300);
    assert_eq!(found.ends.iter().sum::<u64>(), 300);
    assert!(found.openings >= 298, "{}", found.openings);
    assert!(
        (40..110).contains(&found.own_starts),
        "{}",
        found.own_starts
    );
    assert!(found.bytes_per_ply() < 3.0, "{}", found.bytes_per_ply());
    assert!(found.results.iter().all(|&n| n > 20), "{:?}", found.results);
    let samples: Vec<Sample> = samples(&file, Order::Stored);
    assert_eq!(samples.len() as u64, found.positions);
    let games: HashMap<u64, GameRecord> = games(&file).into_iter().map(|g| (g.index, g)).collect();
    for sample in samples {
        let game = &games[&sample.game];
        let played = game.moves[sample.ply as usize];
        assert_eq!((played.mv, played.score), (sample.mv, Some(sample.score)));
        let before = &game.moves[..sample.ply as usize];
        let position = before.iter().fold(game.start, |p, m| p.play(m.mv));
        assert_eq!(position, sample.position);
        let points = match game.winner {
            None => 0.5,
            Some(winner) => f32::from(u8::from(winner == position.turn())),
        };
        assert_eq!(sample.result.points(), points);
        assert_eq!((sample.ply + sample.left) as usize, game.moves.len());
        assert_eq!(sample.is_calm(), !position.must_capture());
    }
    let twice = dataset::statistics(&[&file, &file], false, || ()).unwrap();
    assert_eq!((twice.games, twice.duplicates), (600, 300));
}

fn samples(file: &str, order: Order) -> Vec<Sample> {
    Reader::open(&[file], order).unwrap().samples().collect()
}

fn sorted(mut samples: Vec<Sample>) -> Vec<(u64, u32)> {
    samples.sort_by_key(|sample| (sample.game, sample.ply));
    samples.iter().map(|s| (s.game, s.ply)).collect()
}

#[test]
fn orders_shuffles_and_parts_give_the_same_positions_and_filters_choose() {
    let folder = folder("mixed");
    let file = name(&folder, "games");
    play(&order(&file, 400, 2));
    let stored = samples(&file, Order::Stored);
    let mixed = samples(&file, Order::Shuffled { seed: 3 });
    assert_ne!(stored, mixed);
    assert_eq!(mixed, samples(&file, Order::Shuffled { seed: 3 }));
    assert_ne!(mixed, samples(&file, Order::Shuffled { seed: 4 }));
    let shuffled: Vec<Sample> = Shuffle::new(mixed.clone().into_iter(), 5_000, 1).collect();
    let all = sorted(stored.clone());
    assert_eq!(sorted(mixed), all);
    let neighbours = shuffled.windows(2).filter(|w| w[0].game == w[1].game);
    assert!(neighbours.count() * 20 < shuffled.len(), "hardly mixed");
    assert_eq!(sorted(shuffled), all);
    let reader = Reader::open(&[&file], Order::Shuffled { seed: 3 }).unwrap();
    let parts = reader.parts(3);
    let parts: Vec<Sample> = parts.iter().flat_map(Reader::samples).collect();
    assert_eq!(sorted(parts), all);

    let filter = Filter {
        stillness: Stillness::Quiet,
        largest_score: Some(300),
        first_ply: 20,
        fewest_pieces: 6,
        one_of_kings: 3,
        exchanges: true,
    };
    let count = |filter: Filter| stored.iter().filter(|s| filter.takes(s)).count();
    assert_eq!(count(Filter::default()), stored.len());
    for sample in stored.iter().filter(|sample| filter.takes(sample)) {
        assert!(sample.is_quiet() && sample.score.centimen().abs() <= 300);
        assert!(sample.ply >= 20 && sample.position.occupied().len() >= 6);
    }
    // Some are taken and some are not, whatever games the search of the day plays.
    let few = count(filter);
    let most = stored.len() * 9 / 10;
    assert!(few > 1_000 && few < most, "{few} of {}", stored.len());
}

#[test]
fn damage_is_named_and_costs_its_block_only() {
    let folder = folder("damage");
    let (file, wrong) = (name(&folder, "games"), name(&folder, "wrong"));
    play(&order(&file, 300, 2));
    let bytes = fs::read(&file).unwrap();
    let starts = blocks(&bytes);
    assert_eq!(starts.len(), 6, "magic by chance?");
    // What is done to the second block, and whether the number of games lost is known.
    let begin = starts[1];
    type Harm<'a> = Box<dyn Fn(&mut Vec<u8>) + 'a>;
    let damages: [(&str, Harm<'_>); 6] = [
        ("a byte of the games", Box::new(|b| b[begin + 500] ^= 1)),
        ("the length", Box::new(|b| b[begin + 6] ^= 0x40)),
        ("the magic", Box::new(|b| b[begin] = b'x')),
        ("the count", Box::new(|b| b[begin + 24] ^= 3)),
        (
            "bytes missing",
            Box::new(|b| _ = b.drain(begin + 400..begin + 500)),
        ),
        (
            "bytes too many",
            Box::new(|b| _ = b.splice(begin + 400..begin + 400, [7; 90])),
        ),
    ];
    for (what, damage) in damages {
        let mut bytes = bytes.clone();
        damage(&mut bytes);
        fs::write(&wrong, &bytes).unwrap();
        let reader = Reader::open(&[&wrong], Order::Stored).unwrap();
        let indices: Vec<u64> = reader.games().map(|game| game.index).collect();
        let expected: Vec<u64> = (0..64).chain(128..300).collect();
        assert_eq!(indices, expected, "{what}");
        for damages in [
            reader.damages(),
            dataset::verify(&[&wrong], |_| ()).unwrap().damages,
        ] {
            let [damage] = damages.as_slice() else {
                panic!("{what}: {damages:?}")
            };
            assert_eq!(
                (damage.offset, damage.games),
                (begin as u64, Some(64)),
                "{what}"
            );
        }
        let positions = reader.samples().map(|sample| sample.game).max();
        assert_eq!(positions, Some(299));
        // Self-play does not go on with such a file, and says how to save what there is.
        one_line(
            refusal(&order(&wrong, 400, 1)),
            &["64 games", "damier dataset merge "],
        );
        let saved = name(&folder, "saved");
        let merged = dataset::merge(&[&wrong], &saved, || ()).unwrap();
        assert_eq!(
            (merged.games, merged.missing, merged.damages.len()),
            (236, 64, 1)
        );
        assert_eq!(dataset::verify(&[&saved], |_| ()).unwrap().games, 236);
        fs::remove_file(&saved).unwrap();
        assert_eq!(
            fs::read(&wrong).unwrap(),
            bytes,
            "the damaged file was changed"
        );
        let (code, out, err) = output(&mut damier(&["dataset", "verify", &wrong]));
        assert_eq!(code, Some(1));
        assert!(out.starts_with("236 games with "), "{out}");
        assert!(
            err.contains(&format!("wrong: damaged at byte {begin} (")),
            "{err}"
        );
    }
}

#[test]
fn a_file_cut_anywhere_is_read_up_to_there_and_gone_on_with() {
    let folder = folder("cut");
    let (file, cut) = (name(&folder, "games"), name(&folder, "cut"));
    let mut run = order(&file, 80, 2);
    run.settings.level = FixedLevel::Depth(1);
    run.settings.random_plies = (30, 40);
    run.settings.adjudicate = 100;
    play(&run);
    let bytes = fs::read(&file).unwrap();
    let starts = blocks(&bytes);
    let whole = games(&file);
    for length in 0..bytes.len() {
        fs::write(&cut, &bytes[..length]).unwrap();
        match Reader::open(&[&cut], Order::Stored) {
            Err(_) => assert!(length < starts[0], "{length}"),
            Ok(reader) => {
                let blocks = starts.iter().filter(|&&start| start <= length).count() - 1;
                let read: Vec<GameRecord> = reader.games().collect();
                assert_eq!(read, whole[..(64 * blocks).min(80)], "{length}");
                assert_eq!(
                    reader.damages().len(),
                    usize::from(!starts.contains(&length))
                );
            }
        }
        let verified = dataset::verify(&[&cut], |_| ());
        assert_eq!(verified.is_err(), length < starts[0]);
    }
    let resumed = Run {
        out: cut.clone().into(),
        ..run
    };
    for length in [
        0,
        1,
        starts[0] - 1,
        starts[0],
        starts[0] + 20,
        starts[1] - 1,
        starts[1],
        starts[1] + 40,
        bytes.len() - 1,
    ] {
        fs::write(&cut, &bytes[..length]).unwrap();
        play(&resumed);
        assert_eq!(fs::read(&cut).unwrap(), bytes, "{length}");
    }
}

#[test]
fn the_commands_show_what_is_there() {
    let folder = folder("show");
    let file = name(&folder, "games");
    let mut args = arguments(&file);
    args[2] = "100".to_owned();
    args.push("--json".to_owned());
    let args: Vec<&str> = args.iter().map(String::as_str).collect();
    let (code, out, err) = output(&mut damier(&args));
    assert_eq!((code, err.as_str()), (Some(0), ""));
    let summary: Value = serde_json::from_str(&out).unwrap();
    assert_eq!(
        (&summary["games"], &summary["complete"]),
        (&100.into(), &true.into())
    );
    let (code, out, _) = output(&mut damier(&[
        "dataset",
        "stat",
        &file,
        "--json",
        "--distinct",
    ]));
    let found: Value = serde_json::from_str(&out).unwrap();
    assert_eq!(code, Some(0));
    assert_eq!(
        (&found["games"], &found["duplicates"]),
        (&100.into(), &0.into())
    );
    assert_eq!(found["positions"], summary["positions"]);
    assert_eq!(found["recipes"][0]["seed"], "5");
    let (code, out, _) = output(&mut damier(&["dataset", "stat", &file]));
    assert!(
        code == Some(0) && out.contains("games        100 in 1 file"),
        "{out}"
    );
    let (code, out, _) = output(&mut damier(&[
        "dataset", "show", &file, "--game", "7", "--count", "2",
    ]));
    assert_eq!(code, Some(0));
    assert!(
        out.starts_with("[Game \"7\"]\n") && out.contains("[Game \"8\"]\n"),
        "{out}"
    );
    let shown: Vec<pdn::Game> = pdn::read(&out).map(Result::unwrap).collect();
    for (shown, game) in shown.iter().zip(&games(&file)[7..9]) {
        let moves: Vec<_> = game.moves.iter().map(|played| played.mv).collect();
        assert_eq!((shown.start, shown.plain_moves()), (game.start, moves));
    }
    assert_eq!(shown.len(), 2);
    let (code, out, _) = output(&mut damier(&["dataset", "show", &file, "--position", "50"]));
    assert!(code == Some(0) && out.contains(" to move: "), "{out}");
    let (code, out, _) = output(&mut damier(&["dataset", "show", &file, "--random", "3"]));
    assert!(
        code == Some(0) && out.matches(" to move: ").count() == 3,
        "{out}"
    );
    for missing in [["--game", "100"], ["--position", "99999999"]] {
        let (code, out, err) = output(damier(&["dataset", "show", &file]).args(missing));
        assert_eq!((code, out.as_str(), err.lines().count()), (Some(1), "", 1));
    }
}

#[cfg(unix)]
#[test]
fn more_files_are_merged_than_may_be_open() {
    let folder = folder("many");
    for number in 1..=24 {
        let mut run = order(&name(&folder, &format!("part{number}")), 48, 1);
        run.shard = Shard::new(number, 24).unwrap();
        play(&run);
    }
    let script = format!(
        "ulimit -n 16; cd '{}' && '{}' dataset merge part* --out merged",
        folder.display(),
        env!("CARGO_BIN_EXE_damier")
    );
    let (code, out, err) = output(std::process::Command::new("bash").args(["-c", &script]));
    assert_eq!((code, err.as_str()), (Some(0), ""), "{out}");
    assert_eq!(out, "merged: 48 games, none missing\n");
}

#[test]
fn games_in_pdn_become_games_to_train_on() {
    let folder = folder("import");
    let [file, text] = ["games", "games.pdn"].map(|file| name(&folder, file));
    let mut run = order(&file, 6, 2);
    run.settings.endings = 0;
    play(&run);
    let originals = games(&file);
    let mut pdn = Vec::new();
    let all = dataset::ShowOptions::Games { first: 0, count: 6 };
    dataset::show(&[&file], all, &mut pdn).unwrap();
    // A score of a match, a game without a result, and one that cannot be read.
    pdn.extend(b"[Result \"2-0\"]\n1. 32-28 {score=+0.31 depth=9} 19-23 *\n");
    pdn.extend(b"[Result \"*\"]\n1. 32-28 *\n[Result \"1-1\"]\n1. 32-28 20-19 *\n");
    fs::write(&text, pdn).unwrap();
    let import = |out: &str, threads| {
        let import = Import {
            files: vec![text.clone().into()],
            encoding: None,
            out: name(&folder, out).into(),
            nodes: 40,
            search_all: false,
            engine: Options::default(),
            threads,
        };
        import::import(&import, &mut |_, _| true).unwrap()
    };
    let found = import("one", 1);
    assert_eq!((found.games, found.left_out), (7, 1));
    assert_eq!(found.damages.len(), 1);
    let read = games(&name(&folder, "one"));
    for (ours, original) in read.iter().zip(&originals) {
        let moves = |game: &GameRecord| game.moves.iter().map(|m| m.mv).collect::<Vec<_>>();
        assert_eq!(moves(ours), moves(original));
        assert_eq!((ours.start, ours.winner), (original.start, original.winner));
        let mut position = ours.start;
        for played in &ours.moves {
            let choice = position.legal_moves().len() > 1;
            assert_eq!(played.score.is_some(), choice);
            position = position.play(played.mv);
        }
    }
    let last = &read[6];
    assert_eq!(last.winner, Some(damier::board::Color::White));
    assert_eq!(last.moves[0].score.map(|score| score.centimen()), Some(31));
    // The bytes depend neither on the threads nor on interruptions.
    import("two", 2);
    let [one, two] = ["one", "two"].map(|file| name(&folder, file));
    assert!(fs::read(&one).unwrap() == fs::read(&two).unwrap());
    let again = import("two", 2);
    assert_eq!((again.found, again.searched), (7, 0));
    // It is a file of games like any other.
    assert_eq!(dataset::verify(&[&one], |_| ()).unwrap().games, 7);
}

#[test]
fn pdn_is_imported_and_trained_on() {
    let folder = folder("train-pdn");
    let [games, pdn, out] = ["games", "people.PDN", "new.dwt"].map(|file| name(&folder, file));
    play(&order(&games, 40, 2));
    let mut text = Vec::new();
    let all = dataset::ShowOptions::Games {
        first: 0,
        count: 40,
    };
    dataset::show(&[&games], all, &mut text).unwrap();
    text.extend(b"[Result \"1-1\"]\n1. 32-28 20-19 *\n");
    fs::write(&pdn, &text).unwrap();
    let train = |files: &[&str]| {
        let mut command = Command::new(env!("CARGO_BIN_EXE_damier"));
        command.arg("train").args(files);
        let words = "--arch network-64 --epochs 1 --nodes 30 --hold-out 20 --json --threads 2";
        let output = command
            .args(words.split(' '))
            .args(["--out", &out])
            .output()
            .unwrap();
        let words = |bytes: Vec<u8>| String::from_utf8(bytes).unwrap();
        (
            output.status.success(),
            words(output.stdout),
            words(output.stderr),
        )
    };
    // What else is wrong is said before the positions are searched, which may take hours.
    let imported = format!("{out}.pdn.dgr");
    let (done, _, said) = train(&[&pdn, "no/such.dgr"]);
    assert!(!done && said.contains("no/such.dgr"), "{said}");
    let other = name(&folder, "other.dgr");
    fs::write(&other, "no games").unwrap();
    let (done, _, said) = train(&[&pdn, &other]);
    assert!(!done && said.contains("other.dgr"), "{said}");
    let (done, _, said) = train(&[&pdn, "--from", "embedded"]);
    assert!(!done && said.contains("embedded"), "{said}");
    fs::write(&out, "no weights").unwrap();
    let (done, _, said) = train(&[&pdn]);
    assert!(!done && said.contains("new.dwt"), "{said}");
    assert!(!fs::exists(&imported).unwrap());
    fs::remove_file(&out).unwrap();

    let (done, printed, said) = train(&[&pdn]);
    assert!(done && said.lines().count() == 1, "{said}");
    let lines: Vec<Value> = printed
        .lines()
        .map(|line| serde_json::from_str(line).unwrap())
        .collect();
    assert_eq!(
        (&lines[0]["games"], &lines[0]["damages"]),
        (&40.into(), &1.into())
    );
    assert!(lines[0]["searched"].as_u64() > Some(400), "{printed}");
    assert!(lines[1]["train"].as_u64() > Some(100), "{printed}");
    assert!(WeightsFile::from_bytes(&fs::read(&out).unwrap()).is_ok());
    // The same again finds all of it done.
    let (done, printed, _) = train(&[&pdn]);
    assert!(done && printed.contains("\"searched\":0"), "{printed}");
    for (files, expected) in [
        (vec![&*pdn, &*pdn], "given twice"),
        (vec!["no/such.pdn"], "no/such.pdn"),
    ] {
        let (done, printed, said) = train(&files);
        assert!(
            !done && printed.is_empty() && said.contains(expected),
            "{said}"
        );
    }
    // Other games do not go into the same file.
    fs::write(&pdn, &text[..text.len() / 2]).unwrap();
    let before = fs::read(&imported).unwrap();
    let (done, _, said) = train(&[&pdn]);
    assert!(!done && said.contains(".pdn.dgr"), "{said}");
    assert!(fs::read(&imported).unwrap() == before);
}

#[test]
fn games_are_searched_again_and_stay_the_same_otherwise() {
    let folder = folder("rescore");
    let file = name(&folder, "games");
    let mut run = order(&file, 70, 2);
    run.settings.random_moves = 5;
    play(&run);
    let rescore = |out: &str, threads, nodes| {
        let run = Rescore {
            games: file.clone().into(),
            out: name(&folder, out).into(),
            nodes,
            engine: Options::default(),
            threads,
        };
        rescore::rescore(&run, &mut |_, _| true).map_err(|error| error.to_string())
    };
    let found = rescore("one", 1, 60).unwrap();
    let scores = |game: &GameRecord| -> Vec<_> { game.moves.iter().map(|m| m.score).collect() };
    let (before, after) = (games(&file), games(&name(&folder, "one")));
    let searched: usize = before
        .iter()
        .map(|game| scores(game).iter().flatten().count())
        .sum();
    assert_eq!((found.games, found.searched), (70, searched as u64));
    for (old, new) in before.iter().zip(&after) {
        let moves = |game: &GameRecord| game.moves.iter().map(|m| m.mv).collect::<Vec<_>>();
        let rest = |game: &GameRecord| (game.index, game.start, game.end, game.winner);
        assert_eq!((moves(old), rest(old)), (moves(new), rest(new)));
        let has = |game| scores(game).iter().map(Option::is_some).collect::<Vec<_>>();
        assert_eq!(has(old), has(new));
    }
    let differ = before.iter().zip(&after);
    let differ = differ.filter(|(old, new)| scores(old) != scores(new));
    assert!(differ.count() > 60, "other nodes, other scores");
    let stat = dataset::statistics(&[name(&folder, "one")], true, || ()).unwrap();
    let rescored = stat.recipes[0].get("rescored").unwrap();
    assert!(rescored.starts_with("60 nodes, signature "), "{rescored}");
    // Neither threads nor an interruption change a byte.
    rescore("two", 2, 60).unwrap();
    let [one, two] = ["one", "two"].map(|file| fs::read(name(&folder, file)).unwrap());
    assert!(one == two);
    fs::write(name(&folder, "two"), &one[..one.len() - 20]).unwrap();
    let again = rescore("two", 2, 60).unwrap();
    assert_eq!(again.found, 64);
    assert!(one == fs::read(name(&folder, "two")).unwrap());
    // Searched again once more, the last time counts.
    let run = Rescore {
        games: name(&folder, "one").into(),
        out: name(&folder, "three").into(),
        nodes: 30,
        engine: Options::default(),
        threads: 2,
    };
    rescore::rescore(&run, &mut |_, _| true).unwrap();
    rescore("four", 2, 30).unwrap();
    let [three, four] = ["three", "four"].map(|file| fs::read(name(&folder, file)).unwrap());
    assert!(three == four);
    // Another number of nodes is another run, and the same games do not count twice in a training.
    let other = rescore("two", 2, 61).unwrap_err();
    assert!(other.contains("rescored"), "{other}");
    let (file, one) = (&file[..], name(&folder, "one"));
    let out = name(&folder, "w.dwt");
    let output = Command::new(env!("CARGO_BIN_EXE_damier"))
        .args(["train", file, &one, "--epochs", "1", "--out", &out])
        .output()
        .unwrap();
    assert!(!output.status.success());
    let errors = String::from_utf8_lossy(&output.stderr);
    assert!(errors.contains("game 0"), "{errors}");
    // Damage, gaps and the like are named, and nothing is written.
    let mut bytes = fs::read(file).unwrap();
    let last = bytes.len() - 10;
    bytes[last] ^= 1;
    fs::write(name(&folder, "damaged"), &bytes).unwrap();
    let part = |at: &str| format!("{at}/2").parse::<Shard>().unwrap();
    for shard in ["1", "2"] {
        let mut run = order(&name(&folder, shard), 300, 2);
        run.shard = part(shard);
        play(&run);
    }
    let run = |games: &str| Rescore {
        games: name(&folder, games).into(),
        out: name(&folder, "none").into(),
        nodes: 30,
        engine: Options::default(),
        threads: 1,
    };
    let failed = rescore::rescore(&run("damaged"), &mut |_, _| true).unwrap_err();
    assert!(failed.to_string().contains("damaged"), "{failed}");
    let whole = fs::read(name(&folder, "1")).unwrap();
    let blocks = whole.windows(4).enumerate();
    let blocks = blocks.filter(|(_, bytes)| *bytes == b"DGB1");
    let blocks: Vec<usize> = blocks.map(|(at, _)| at).collect();
    let gap = [&whole[..blocks[0]], &whole[blocks[1]..]].concat();
    fs::write(name(&folder, "gap"), gap).unwrap();
    fs::write(name(&folder, "head"), &whole[..blocks[0]]).unwrap();
    for (games, said) in [
        ("missing", "missing"),
        ("gap", "without a gap"),
        ("head", "holds no games"),
    ] {
        let failed = rescore::rescore(&run(games), &mut |_, _| true).unwrap_err();
        assert!(failed.to_string().contains(said), "{failed}");
    }
    let mut same = run("one");
    same.out = name(&folder, "one").into();
    let failed = rescore::rescore(&same, &mut |_, _| true).unwrap_err();
    assert!(failed.to_string().contains("another name"), "{failed}");
    assert!(!fs::exists(name(&folder, "none")).unwrap());
    // A shard is searched again as a shard, and such shards are merged.
    for shard in ["1", "2"] {
        let mut run = run(shard);
        run.out = name(&folder, &format!("new{shard}")).into();
        rescore::rescore(&run, &mut |_, _| true).unwrap();
    }
    let parts = ["new1", "new2"].map(|part| name(&folder, part));
    let merged = dataset::merge(&parts, name(&folder, "merged"), || ()).unwrap();
    assert_eq!((merged.games, merged.missing), (300, 0));
}

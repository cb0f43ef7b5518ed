use super::*;
use crate::{Language, Stop};
use damier_engine::eval::{Score, Wdl};
use damier_engine::{Engine, Level, Options};
use damier_rules::Position;
use damier_rules::notation::pdn;

fn annotator() -> Annotator {
    let options = Options {
        tt_size: 16,
        ..Options::default()
    };
    let engine = Engine::new(options).expect("an engine");
    Annotator::new(engine, Level::nodes(5_000)).with_book(false)
}

fn annotate(text: &str) -> AnnotatedGame {
    let game = pdn::read(text).next().expect("a game").expect("sound");
    let annotated = annotator().annotate(&game, &Stop::new(), &mut |_, _| {});
    annotated.expect("not stopped")
}

#[test]
fn moves_in_decided_positions_do_not_count_for_the_accuracy() {
    let expected = |points: f64, loss: f64| {
        let wdl = Wdl {
            win: points,
            draw: 0.0,
            loss: 1.0 - points,
        };
        let before = Evaluation {
            score: Score::DRAW,
            wdl,
            line: Vec::new(),
            depth: 1,
            nodes: 1,
            table: None,
        };
        MoveJudgement {
            mv: Position::start().legal_moves()[0],
            judged: Judged::Search,
            before,
            loss,
            table: None,
        }
    };
    // White's moves: won and still so, no longer so, open, lost. Black's: all lost.
    let white = [(0.99, 0.02), (0.99, 0.25), (0.5, 0.0), (0.04, 0.04)];
    let moves = white.map(|(points, loss)| [expected(points, loss), expected(0.03, 0.01)]);
    let [white, black] = PlayerSummary::of_moves(&Position::start(), moves.as_flattened());
    assert_eq!(
        (white.judged, white.counted, white.accuracy()),
        (4, 2, Some(75.0))
    );
    assert_eq!(
        (black.judged, black.counted, black.accuracy()),
        (4, 0, None)
    );
    assert_eq!(black.loss(), Some(0.01));
}

/// With exchanges, some of them forced.
const GIFT: &str = "[White \"A\"]\n[Result \"0-2\"]\n1. 32-28 19-23 2. 28x19 14x23 3. 37-32 16-21 4. 32-28 23x32 5. \
38x16 *";

#[test]
fn a_man_given_away_is_marked_with_a_better_line() {
    let annotated = annotate(
        "1. 32-28 18-23 2. 34-30 23x32 3. 37x28 20-25 4. 40-34 14-20 5. 44-40 12-18 6. 30-24 20x29 7. 34x21 16x27 8. \
        31x22 *",
    );
    let given = &annotated.moves[9];
    assert!(given.mark() >= Some(Mark::Mistake), "{given:?}");
    assert!(given.better().is_some());
    let [white, black] = annotated.players;
    assert!(black.lost > white.lost && black.accuracy() < white.accuracy());
    let text = annotated.to_pdn("Damier").to_string();
    let sign = given.mark().map(|mark| format!("12-18 ${}", mark.nag()));
    assert!(text.contains(&sign.expect("a mark")), "{text}");
    assert!(
        text.contains("[%lost ") && text.contains("({[%eval "),
        "{text}"
    );
    // It can be read again, and annotated again with the same outcome.
    let again = annotate(&text);
    assert_eq!(again.to_pdn("Damier").to_string(), text);
}

#[test]
fn marks_of_others_stay_when_ours_are_replaced() {
    let line = |marks: &str| {
        format!(
            "1. 32-28 18-23 2. 34-30 23x32 3. 37x28 20-25 4. 40-34 14-20 5. 44-40 12-18{marks} 6. 30-24 20x29 \
            7. 34x21 16x27 8. 31x22 *"
        )
    };
    let alone = annotate(&line(""));
    let ours = alone.moves[9].mark().expect("a mark").nag();
    for theirs in [1, 2, 4, 6] {
        let text = annotate(&line(&format!(" ${theirs} {{my words}}")))
            .to_pdn("Damier")
            .to_string();
        let marks = |text: &str| {
            let game = pdn::read(text).next().expect("one").expect("sound");
            game.moves[9].nags.clone()
        };
        let expected: Vec<u8> = match theirs == ours {
            true => vec![ours],
            false => vec![theirs, ours],
        };
        assert_eq!(marks(&text), expected);
        let again = annotate(&text).to_pdn("Damier").to_string();
        assert_eq!(marks(&again), expected, "{again}");
    }
}

#[test]
fn annotators_stay_and_only_we_are_replaced() {
    let by = "Damier 0.1.0, 100 nodes a position";
    for (tag, wanted) in [
        ("", by.to_owned()),
        ("[Annotator \"?\"]\n", by.to_owned()),
        (
            "[Annotator \"Damier 0.0.9, 0.5 s a position\"]\n",
            by.to_owned(),
        ),
        (
            "[Annotator \"Ton Sijbrands\"]\n",
            format!("Ton Sijbrands; {by}"),
        ),
        ("[annotator \"A, B;C\"]\n", format!("A, B;C; {by}")),
        (
            "[Annotator \"A; Damier 0.0.9, 0.5 s a position; Damier Club\"]\n",
            format!("A; Damier Club; {by}"),
        ),
    ] {
        let once = annotate(&format!("{tag}1. 32-28 *")).to_pdn(by).to_string();
        assert!(
            once.contains(&format!("[Annotator \"{wanted}\"]")),
            "{once}"
        );
        assert_eq!(once.to_lowercase().matches("[annotator ").count(), 1);
        assert_eq!(annotate(&once).to_pdn(by).to_string(), once);
    }
}

#[test]
fn an_older_annotation_is_replaced() {
    // 1. 32-28 loses nothing: a mark with our comment goes, the words and the mark of a person stay.
    let old = "1. 32-28 $4 {[%eval -3.00] [%lost 0.90] hm} 19-23 $6 {odd} *";
    let text = annotate(old).to_pdn("Damier").to_string();
    assert!(text.contains("32-28 {hm}"), "{text}");
    assert!(text.contains("19-23 $6"), "{text}");
    // So does our line, but not that of a person.
    let ours = "({[%eval 0.03]} 1. 33-28)";
    let others = [
        "({[%eval 0.03] hm} 1. 33-29)",
        "({[%eval 0.03]} 1. 34-30 {hm})",
        "(1. 34-29)",
    ];
    let kept = others.join(" ");
    let old = format!("1. 32-28 $4 {{[%eval -3.00] [%lost 0.90]}} {ours} {kept} 19-23 *");
    let text = annotate(&old).to_pdn("Damier").to_string();
    let line = text.replace('\n', " ");
    assert!(!line.contains(ours), "{text}");
    assert!(others.iter().all(|other| line.contains(other)), "{text}");
}

#[test]
fn forced_moves_are_left_alone_and_nothing_is_lost_by_them() {
    let annotated = annotate(GIFT);
    for mv in annotated
        .moves
        .iter()
        .filter(|mv| mv.judged == Judged::Forced)
    {
        assert_eq!((mv.loss, mv.mark()), (0.0, None));
    }
    assert!(annotated.moves.iter().any(|mv| mv.judged == Judged::Forced));
    let judged: u32 = annotated.players.iter().map(|player| player.judged).sum();
    let counted = annotated.moves.iter().filter(|mv| mv.judged.counts());
    assert_eq!(judged as usize, counted.count());
}

#[test]
fn the_tables_have_the_last_word() {
    // Two kings against one off the long diagonal; white walks into a capture that draws.
    let won = annotate("[FEN \"W:WK28,K1,K6:BK45\"]\n1. 28-23 *");
    let first = &won.moves[0];
    assert_eq!(first.judged, Judged::Table);
    assert!(first.before.table.is_some() && first.table.is_some());
    assert_eq!(
        first.loss,
        first.before.wdl.expected() - points(first.table)
    );
}

fn points(verdict: Option<Verdict>) -> f64 {
    crate::meaning::of_value(verdict.expect("a verdict").value).expected()
}

#[test]
fn a_game_that_is_over_is_not_judged_on() {
    // Back and forth: the third occurrence is a draw.
    let moves = "1. 50-44 1-7 2. 44-50 7-1 ".repeat(3);
    let annotated = annotate(&format!("[FEN \"W:WK50,31:BK1,16\"]\n{moves} *"));
    let over = annotated
        .moves
        .iter()
        .filter(|mv| mv.judged == Judged::Over);
    assert_eq!(over.count(), 4);
    assert_eq!(annotated.last.wdl, damier_engine::eval::Wdl::DRAW);
}

#[test]
fn a_stop_ends_it() {
    let game = pdn::read(GIFT).next().expect("a game").expect("sound");
    let stop = Stop::new();
    stop.stop();
    assert!(annotator().annotate(&game, &stop, &mut |_, _| {}).is_err());
}

#[test]
fn marks_follow_the_points_lost() {
    assert_eq!(Mark::of(0.05), None);
    assert_eq!(Mark::of(0.06), Some(Mark::Dubious));
    assert_eq!(Mark::of(0.2), Some(Mark::Mistake));
    assert_eq!(Mark::of(0.5), Some(Mark::Blunder));
    assert_eq!(
        (accuracy(0.0), accuracy(0.25), accuracy(0.7)),
        (100.0, 50.0, 0.0)
    );
}

#[test]
fn a_page_prints_in_black_and_white_and_percentages_sum_to_100() {
    let annotated = annotate(GIFT);
    let page = annotated.to_html(1, "Damier", &[], Language::default());
    let figures = page.split("<figure>").skip(1);
    for figure in figures {
        assert!(figure.contains("#d4d4d4") && !figure.contains("#a9794f"));
    }
    let mut states = 0;
    for state in page.split("white wins ").skip(1) {
        let state = &state[..state.find("black wins").map_or(0, |at| at + 14)];
        let numbers = state.split(|c: char| !c.is_ascii_digit());
        let shares: Vec<u32> = numbers.filter_map(|number| number.parse().ok()).collect();
        assert_eq!(shares.iter().sum::<u32>(), 100, "{state}");
        states += 1;
    }
    assert!(states > 5);
    for thousandths in 0..=1_000 {
        let win = f64::from(thousandths) / 1e3;
        for loss in [0.0, 0.0049, 0.005, 0.015, 1.0 - win] {
            let draw = 1.0 - win - loss;
            if draw >= 0.0 {
                let shares =
                    crate::meaning::percentages(damier_engine::eval::Wdl { win, draw, loss });
                assert_eq!(shares.iter().sum::<u32>(), 100, "{win} {loss}");
            }
        }
    }
}

#[test]
fn a_page_is_in_the_language_that_is_asked_for() {
    let annotated = annotate(GIFT);
    let english = annotated.to_html(1, "Damier", &[], Language::English);
    for (language, words) in [
        (Language::Dutch, ["Nauwkeurigheid", "remise", "Zwart"]),
        (Language::Russian, ["Точность", "ничья", "Чёрные"]),
    ] {
        let page = annotated.to_html(1, "Damier", &[], language);
        for word in words {
            assert!(page.contains(word) && !english.contains(word), "{word}");
        }
        for word in [
            "Accuracy",
            "white wins",
            "the end",
            "one move on",
            ">Black<",
        ] {
            assert!(english.contains(word) && !page.contains(word), "{word}");
        }
        let head = page::begin(&[], language);
        assert!(head.contains(&format!("<html lang=\"{language}\">")));
    }
}

#[test]
fn a_player_without_a_name_is_unknown() {
    let annotated = annotate("[White \"?\"]\n[Black \" B \"]\n1. 32-28 *");
    assert_eq!(annotated.player(Color::White), None);
    assert_eq!(annotated.player(Color::Black), Some("B"));
    assert!(
        annotated
            .to_html(1, "Damier", &[], Language::default())
            .contains("<td>White</td>")
    );
}

#[test]
fn a_combination_that_was_missed_or_allowed_is_named() {
    const START: &str = "[FEN \"W:W26,28,29,31,36:B9,16,17,18,19\"]\n";
    // White could have played it; black leaves it on.
    let missed = annotate(&format!("{START}1. 31-27 *"));
    let text = missed.to_pdn("Damier").to_string();
    assert!(text.contains("[%missed coup Napoléon]"), "{text}");
    assert_eq!(annotate(&text).to_pdn("Damier").to_string(), text);
    let object = serde_json::to_value(missed.to_json(1, None, None)).expect("JSON");
    assert_eq!(object["moves"][0]["missed"][0], "coup Napoléon");
    assert!(
        missed
            .to_html(1, "Damier", &[], Language::default())
            .contains("missed coup Napoléon")
    );
    let before = START.replace("B9,", "B4,").replace("\"W:", "\"B:");
    let allowed = annotate(&format!("{before}1... 4-9 *"));
    let text = allowed.to_pdn("Damier").to_string();
    assert!(text.contains("[%allowed coup Napoléon]"), "{text}");
}

//! The table of options: each option changes something, and the documents say what the table says.

use crate::hub_client::Client;
use damier::dxp;
use damier::engine::{Engine, Job, Level, Options, Strength};
use damier::notation::fen;
use damier::rules::Game;
use damier::search::params::Params;
use damier::search::{Control, Outcome};
use damier::settings::{Kind, Setting};
use std::fmt::Write as _;
use std::fs;
use std::io::Write;
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

/// An engine with a small table, and this option set to this.
fn engine(name: &str, value: &str) -> Engine {
    let mut options = Options {
        tt_size: 16,
        ..Options::default()
    };
    options.set(name, value).expect(name);
    Engine::new(options).expect("an engine")
}

/// A search of a position to a depth.
fn search(mut engine: Engine, position: &str, depth: i32) -> Outcome {
    let game = Game::new(fen::parse(position).expect("a position"));
    let job = Job::new(game, Level::depth(depth));
    engine.run(&job, &Control::new(), &mut ())
}

/// Nodes of a move to play at a low level, with this option set to this.
fn playing(name: &str, value: &str) -> u64 {
    let mut options = Options {
        tt_size: 16,
        elo: 1000,
        ..Options::default()
    };
    options.set(name, value).expect(name);
    let mut engine = Engine::new(options).expect("an engine");
    let game = Game::new(fen::parse(START).expect("a position"));
    let job = Job::new(game, Level::depth(9)).at(Strength::AsOptions);
    engine.run(&job, &Control::new(), &mut ()).stats.nodes
}

/// What `damier hub` writes in answer to this, and how long it takes.
fn hub(script: &str) -> (String, Duration) {
    let began = Instant::now();
    let mut child = Command::new(env!("CARGO_BIN_EXE_damier"))
        .arg("hub")
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .expect("damier");
    let mut input = child.stdin.take().expect("a pipe");
    input.write_all(script.as_bytes()).expect("a reader");
    drop(input);
    let output = child.wait_with_output().expect("an end");
    (
        String::from_utf8(output.stdout).expect("text"),
        began.elapsed(),
    )
}

const START: &str = "W:W31-50:B1-20";
/// Five pieces, two captures from tables that are in the program.
const ENDING: &str = "W:WK46,31,32:BK5,K4";

/// An option that is declared must do something. Who adds one says here what.
#[test]
fn every_option_changes_something() {
    let nodes = |name: &str, value: &str| search(engine(name, value), START, 9).stats.nodes;
    let usual = nodes("tt-size", "16");
    for spec in Options::specs() {
        match spec.name {
            // What each does to the moves that are played: see tests/search/book_play.rs.
            "book" | "book-ply" | "book-margin" | "book-line" | "book-seed" => {}
            "book-file" => {
                let problems = engine("book-file", "no/such/book").problems();
                assert!(problems.len() == 1 && problems[0].contains("no/such/book"));
            }
            // See tests/sessions/levels.rs.
            "elo" => assert!(playing("elo", "800") < 1_000),
            "elo-seed" => {
                let seeds = ["1", "2", "3", "4", "5", "6", "7", "8"];
                let nodes = seeds.map(|seed| playing("elo-seed", seed));
                assert!(nodes.iter().any(|other| *other != nodes[0]), "{nodes:?}");
            }
            "ponder" => {
                // It tells a client whether to ask for it; over DXP see tests/sessions/dxp.rs.
                let (out, _) = hub("set-param name=ponder value=true\nhub\nquit\n");
                assert!(out.contains("name=ponder value=true "), "{out}");
            }
            "threads" => {
                let cores = std::thread::available_parallelism().map_or(1, |cores| cores.get());
                // On a busy machine the second thread may come too late for a short search.
                assert!(cores == 1 || (0..50).any(|_| nodes("threads", "2") != usual));
            }
            "tt-size" => assert_eq!(engine("tt-size", "18").table().size(), 18),
            "bb-size" => {
                assert!(search(engine("bb-size", "4"), ENDING, 8).stats.probes > 0);
                assert_eq!(search(engine("bb-size", "0"), ENDING, 8).stats.probes, 0);
            }
            "endgame-dir" => {
                let mut options = Options::default();
                options
                    .set("endgame-dir", "no/such/folder")
                    .expect("a name");
                assert!(Engine::new(options).is_err());
            }
            "search" => assert_ne!(nodes("search", "pvs"), usual),
            "weights" => {
                let position = fen::parse("W:W28,32,37,38,43:B3,4,8,9,13").expect("a position");
                let evaluate = |weights| engine("weights", weights).evaluate(&position);
                assert_ne!(evaluate("material"), evaluate("embedded"));
            }
            "eval" => {
                let position = fen::parse("W:W28,32,37,38,43:B3,4,8,9,13").expect("a position");
                let evaluate = |name, value| engine(name, value).evaluate(&position);
                let pst = evaluate("eval", "pst");
                assert_eq!(pst, evaluate("weights", "handmade"));
                assert_ne!(pst, evaluate("eval", "pattern"));
                let (out, _) =
                    hub("hub\nset-param name=eval value=pst\ninit\nlevel depth=3\npos\ngo think\n");
                assert!(
                    out.contains("name=eval value=pattern type=enum values=\"pattern pst\""),
                    "{out}"
                );
                assert!(
                    !out.contains("error") && out.contains("done move="),
                    "{out}"
                );
            }
            "multi-pv" => multi_pv(),
            "line-gap" => {
                let mut client = Client::process(&["hub"]);
                client.ask(
                    "set-param name=line-gap value=5000\nset-param name=book value=false\ninit",
                );
                let board = "b".repeat(20) + &"e".repeat(10) + &"w".repeat(20);
                let begun = client.send(format!("pos pos=W{board}\nlevel depth=14\ngo think"));
                let answer = client.answer();
                let (infos, time) = (answer.infos.len() as u32, answer.at - begun);
                let least = Duration::from_millis(5) * infos;
                assert!(infos > 2 && time >= least, "{infos} infos in {time:?}");
            }
            "param" => assert_ne!(nodes("param", "lmr_base=90"), usual),
            other => panic!("say in this test what {other} changes"),
        }
    }
}

fn multi_pv() {
    let script = "hub\ninit\nset-param name=multi-pv value=3\npos\nlevel depth=4\ngo analyze\n";
    let (out, _) = hub(script);
    assert!(out.contains("multi-pv=3"), "{out}");
}

/// The part of the document between these lines is made from the tables.
const BEGIN: &str = "<!-- Made from the tables in the source: UPDATE_DOCS=1 cargo test --test sessions options -->\n";
const END: &str = "<!-- End of the tables -->\n";

fn values(kind: Kind) -> String {
    match kind {
        Kind::Bool => "`true`, `false`".to_owned(),
        Kind::Int(min, max) => format!("{min} to {max}"),
        Kind::PowerOfTwo(min, max) => format!("power of two, {min} to {max}"),
        Kind::ZeroOr(min, max) => format!("0, {min} to {max}"),
        Kind::Choice(words) => format!("`{}`", words.join("`, `")),
        Kind::File(words) => format!("a file, `{}`", words.join("`, `")),
        Kind::Folder => "a folder".to_owned(),
        Kind::Ascii(longest) => format!("text, up to {longest} characters"),
        Kind::Text(expected) => expected.to_owned(),
    }
}

fn row<T: Default, S>(spec: &Setting<T, S>, place: &str) -> String {
    let default = match spec.get(&T::default()) {
        value if value.is_empty() || spec.name == "dxp-name" => String::new(),
        value => format!("`{value}`"),
    };
    format!(
        "| `{}` | {} | {default} | {place} | {} |\n",
        spec.name,
        values(spec.kind),
        spec.help
    )
}

/// The help of a command.
fn help(command: &str) -> String {
    let words = std::iter::once("help").chain(command.split_whitespace());
    let output = Command::new(env!("CARGO_BIN_EXE_damier"))
        .args(words)
        .output()
        .expect("damier");
    String::from_utf8(output.stdout).expect("text")
}

/// All commands below this one, with the options of the engine that each has, in the order of the help.
fn commands(parent: &str) -> Vec<(String, Vec<String>)> {
    let text = help(parent);
    let (_, below) = text.split_once("\nCommands:\n").expect("commands");
    let names = below.lines().take_while(|line| !line.is_empty());
    let names = names.filter_map(|line| line.strip_prefix("  ")?.split(' ').next());
    let names = names.filter(|name| !name.is_empty());
    let mut found = Vec::new();
    for name in names.filter(|name| *name != "help") {
        let path = format!("{parent} {name}").trim().to_owned();
        let text = help(&path);
        let (_, below) = text.split_once("\nEngine options:\n").unwrap_or_default();
        let options = below.lines().take_while(|line| *line != "Logging:");
        let options = options.filter_map(|line| line.trim_start().strip_prefix("--"));
        let options = options.filter_map(|line| line.split(' ').next());
        found.push((path.clone(), options.map(str::to_owned).collect()));
        if text.contains("\nCommands:\n") {
            found.extend(commands(&path));
        }
    }
    found
}

/// The tables as Markdown.
fn tables() -> String {
    let commands = commands("");
    let mut text =
        "## Engine\n\n| Option | Values | Default | Commands | Meaning |\n|---|---|---|---|---|\n"
            .to_owned();
    for spec in Options::specs() {
        let has_it = |options: &[String]| options.iter().any(|name| name == spec.name);
        let taking = commands.iter().filter(|(_, options)| has_it(options));
        let taking: Vec<&str> = taking.map(|(command, _)| command.as_str()).collect();
        let commands = taking.join(", ");
        let place = if spec.scope.hub {
            commands
        } else {
            format!("{commands} (not offered over Hub)")
        };
        text += &row(spec, &place);
    }
    text +=
        "\n## DXP\n\n| Option | Values | Default | Argument | Meaning |\n|---|---|---|---|---|\n";
    for spec in dxp::Options::specs() {
        let argument = match spec.name {
            "dxp-server" => "`--connect`, `--host`".to_owned(),
            "dxp-initiator" => "`--initiator`".to_owned(),
            _ => spec
                .scope
                .argument
                .map_or(String::new(), |name| format!("`--{name}`")),
        };
        text += &row(spec, &argument);
    }
    text +=
        "\n## Search parameters\n\n| Parameter | Values | Default | Meaning |\n|---|---|---|---|\n";
    for spec in Params::specs() {
        let default = spec.get(&Params::default());
        let _ = writeln!(
            text,
            "| `{}` | {} | `{default}` | {} |",
            spec.name,
            values(spec.kind),
            spec.help
        );
    }
    text
}

/// Whether the text of a file is as it was made, after it was made again if that is asked for.
fn check(file: &str, text: impl FnOnce(&str) -> String) {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join(file);
    let found = fs::read_to_string(&path).expect(file).replace("\r\n", "\n");
    let wanted = text(&found);
    if std::env::var_os("UPDATE_DOCS").is_some() {
        fs::write(&path, wanted).expect(file);
        return;
    }
    assert!(
        found == wanted,
        "{file} is out of date: UPDATE_DOCS=1 cargo test --test sessions options"
    );
}

#[test]
fn the_document_holds_the_tables() {
    check("docs/options.md", |text| {
        let (before, rest) = text.split_once(BEGIN).expect("the first mark");
        let (_, after) = rest.split_once(END).expect("the last mark");
        format!("{before}{BEGIN}\n{}\n{END}{after}", tables())
    });
}

/// An option in `hub.ini`, with its help as a comment.
fn setting<T: Default, S>(spec: &Setting<T, S>) -> String {
    let values = values(spec.kind).replace('`', "");
    let mut text = String::from("\n#");
    let mut column = 1;
    for word in format!("{} ({values})", spec.help).split(' ') {
        if column + 1 + word.len() > 120 {
            text.push_str("\n#");
            column = 1;
        }
        column += 1 + word.len();
        let _ = write!(text, " {word}");
    }
    let _ = writeln!(text, "\n{} = {}", spec.name, spec.get(&T::default()));
    text
}

#[test]
fn the_file_of_options_holds_all_defaults() {
    const DXP: &str = "\n# The rest is for `damier dxp` only. Hub clients do not see it.\n";
    check("hub.ini", |text| {
        let (head, _) = text.split_once("\n\n").expect("a comment at the beginning");
        let engine = Options::of_hub().map(setting);
        // The name shows the version: in the file it would grow old.
        let dxp = dxp::Options::specs().iter();
        let dxp = dxp.filter(|spec| spec.name != "dxp-name").map(setting);
        let rows: String = engine.chain([DXP.to_owned()]).chain(dxp).collect();
        format!("{head}\n{rows}")
    });
}

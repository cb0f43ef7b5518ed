//! What can be written on the command line.

use super::arena::args::MatchArgs;
use super::book::BookCommand;
use super::dxp::DxpArgs;
use super::endgame::EndgameCommand;
use super::engine_args::{self, EngineArgs, Given, Takes};
use super::lab::experiment::ExperimentArgs;
use super::lab::tune::TuneArgs;
use super::serve::ServeArgs;
use super::shared_args::{LimitArgs, LogArgs, depth, whole};
use super::study::annotate::AnnotateArgs;
use super::study::losses::LossesArgs;
use super::study::mine::MineArgs;
use super::study::picture::PictureArgs;
use super::study::solve::SolveArgs;
use super::training::dataset::DatasetCommand;
use super::training::selfplay::SelfplayArgs;
use super::training::train::TrainArgs;
use clap::{Parser, Subcommand, ValueEnum};
use damier::search::{Depth, MAX_DEPTH};
use damier::terminal::play::{PlayerKind, TimeControl};
use std::path::PathBuf;

const EXAMPLES: &str = "\
Examples:
  damier                                   play a game (with a pipe on stdin: speak Hub)
  damier play --white computer --time 1    the computer has white and a second for each move
  damier play --clock 10+5                 ten minutes each, and five seconds more for each move
  damier serve                             play and analyse on a board in the browser
  damier analyze                           the start position for 5 seconds
  damier analyze \"W:W28,K33:B8,14,K3\" --depth 20
  damier analyze --moves \"32-28 19-23 28x19 14x23\" --json
  damier analyze - --time 0.5 --json < positions.txt
  damier annotate games.pdn --out annotated.pdn --html games.html
  damier hub                               for a graphical interface
  damier dxp                               let other programs connect and play, over DXP
  damier perft --depth 10
  damier bench --search all
  damier selfplay --games 10000 --nodes 2000 --seed 1 --out games.dgr
  damier dataset stat games.dgr
  damier train games.dgr --out weights.dwt
  damier tune lmr_base=15 --games 20000 --out tuned.jsonl
  damier endgame build --pieces 5 --dir tables
  damier endgame probe \"W:WK26,K33,31:BK4\"

Engine options come from hub.ini beside the program, or from the file given with --config;
the command line overrides them.
Exit code: 0 success, 1 something failed, 2 wrong arguments.";

/// Plays, analyses and studies 10x10 international draughts.
#[derive(Parser, Debug)]
#[command(name = "damier", version, about, after_help = EXAMPLES, max_term_width = 110)]
pub(super) struct Args {
    #[command(subcommand)]
    pub command: Option<Command>,
    #[command(flatten)]
    pub engine: EngineArgs<engine_args::Unnamed>,
    #[command(flatten)]
    pub log: LogArgs,
}

#[derive(Subcommand, Debug)]
pub(super) enum Command {
    /// Speak the Hub protocol on stdin and stdout, for a graphical interface
    #[command(after_help = "Example: damier hub --threads 2 --tt-size 24")]
    Hub(HubArgs),
    /// Play other programs over DXP (DamExchange); see `damier dxp --help`
    #[command(long_about = super::dxp::ABOUT, after_long_help = super::dxp::EXAMPLES)]
    Dxp(Box<DxpArgs>),
    /// Play a game here in the terminal; the computer takes 2 seconds a move unless told otherwise
    #[command(after_help = "Example: damier play --white computer --time 1")]
    Play(PlayArgs),
    /// Play and analyse on a board in the browser
    #[command(after_help = super::serve::EXAMPLES)]
    Serve(Box<ServeArgs>),
    /// Search positions, 5 seconds each unless told otherwise, and show what was found
    #[command(after_help = "Example: damier analyze \"W:W28,K33:B8,14,K3\" --depth 20")]
    Analyze(AnalyzeArgs),
    /// Judge the moves of games: marks, better lines and a summary, as PDN, a page of HTML or JSON
    Annotate(Box<AnnotateArgs>),
    /// Find combinations in games: positions with exactly one good move
    Mine(Box<MineArgs>),
    /// Find the moves that lost games
    Losses(Box<LossesArgs>),
    /// Check compositions: sound or not, main line, defences, cooks and duals
    Solve(Box<SolveArgs>),
    /// Draw positions as SVG or PNG, with moves as arrows
    Picture(PictureArgs),
    /// Show what a position is worth without a search, and what each piece is worth in it
    #[command(after_help = "Example: damier eval \"W:W31-50:B1-20\"")]
    Eval(EvalArgs),
    /// Count the move sequences of a position, depth by depth
    #[command(after_help = "Example: damier perft --depth 8 --threads 2 --hash 256")]
    Perft(PerftArgs),
    /// Search the same positions to the same depth: speed, and a signature of the search
    ///
    /// --search takes many drivers here, with commas between, or all: then it compares them. One thread searches, and
    /// no file of options is read.
    #[command(after_long_help = super::lab::measure::BENCH_HELP)]
    Bench(BenchArgs),
    /// Search positions in which something must be found, a second each unless told otherwise
    #[command(after_long_help = super::lab::measure::SUITE_HELP)]
    Suite(SuiteArgs),
    /// Ask how the search works: compare variants of it, as tables and a plot
    ///
    /// Searches the positions of bench, on one thread, and prints tables in Markdown. docs/experiments.md has the
    /// findings.
    #[command(after_long_help = super::lab::experiment::HELP)]
    Experiment(ExperimentArgs),
    /// Tune parameters of the search by games of the engine against itself
    #[command(after_long_help = super::lab::tune::HELP)]
    Tune(Box<TuneArgs>),
    /// Play games of the engine against itself, for training
    Selfplay(SelfplayArgs),
    /// Look at files of games that selfplay wrote, check them, merge them
    #[command(subcommand, after_help = "Example: damier dataset stat games.dgr")]
    Dataset(DatasetCommand),
    /// Train the weights of an evaluation on games that selfplay wrote
    Train(Box<TrainArgs>),
    /// Build endgame tables, ask them, count and check them
    #[command(
        subcommand,
        after_help = "Example: damier endgame probe W:WK26,K33,K31:BK4"
    )]
    Endgame(EndgameCommand),
    /// Build opening books, look into them, learn from games
    #[command(
        subcommand,
        after_help = "Example: damier book show --moves \"32-28 19-23\""
    )]
    Book(BookCommand),
    /// Play engines against each other: Hub or DXP, head to head or many, with statistics
    #[command(name = "match", after_help = "damier help match explains more, with \
    examples.", after_long_help = super::arena::args::HELP)]
    Match(Box<MatchArgs>),
}

impl Command {
    /// Its name, by which options say where they belong.
    pub fn name(&self) -> &'static str {
        match self {
            Command::Hub(_) => "hub",
            Command::Dxp(_) => "dxp",
            Command::Play(_) => "play",
            Command::Serve(_) => "serve",
            Command::Analyze(_) => "analyze",
            Command::Annotate(_) => "annotate",
            Command::Mine(_) => "mine",
            Command::Losses(_) => "losses",
            Command::Solve(_) => "solve",
            Command::Picture(_) => "picture",
            Command::Eval(_) => "eval",
            Command::Perft(_) => "perft",
            Command::Bench(_) => "bench",
            Command::Experiment(_) => "experiment",
            Command::Tune(_) => "tune",
            Command::Suite(args) if args.prove.is_some() => "suite --prove",
            Command::Suite(_) => "suite",
            Command::Selfplay(_) => "selfplay",
            Command::Dataset(_) => "dataset",
            Command::Train(_) => "train",
            Command::Endgame(EndgameCommand::Build(_)) => "endgame build",
            Command::Endgame(EndgameCommand::Probe(_)) => "endgame probe",
            Command::Endgame(EndgameCommand::Stat(_)) => "endgame stat",
            Command::Endgame(EndgameCommand::Verify(_)) => "endgame verify",
            Command::Endgame(EndgameCommand::Embed(_)) => "endgame embed",
            Command::Book(command) => command.name(),
            Command::Match(_) => "match",
        }
    }

    /// The options of the engine that were given to it, and whether it reads a file of options. None where it takes
    /// none.
    pub fn engine_options(&mut self) -> Option<(&mut Given, bool)> {
        fn of<C: Takes>(args: &mut EngineArgs<C>) -> Option<(&mut Given, bool)> {
            Some((&mut args.given, C::READS_FILE))
        }
        match self {
            Command::Hub(args) => of(&mut args.engine),
            Command::Dxp(args) => of(&mut args.engine),
            Command::Play(args) => of(&mut args.engine),
            Command::Serve(args) => of(&mut args.engine),
            Command::Analyze(args) => of(&mut args.engine),
            Command::Annotate(args) => of(&mut args.engine),
            Command::Mine(args) => of(&mut args.engine),
            Command::Losses(args) => of(&mut args.engine),
            Command::Solve(args) => of(&mut args.engine),
            Command::Eval(args) => of(&mut args.engine),
            Command::Perft(args) => of(&mut args.engine),
            Command::Bench(args) => of(&mut args.engine),
            Command::Experiment(args) => of(&mut args.engine),
            Command::Tune(args) => of(&mut args.engine),
            Command::Suite(args) => of(&mut args.engine),
            Command::Selfplay(args) => of(&mut args.engine),
            Command::Endgame(EndgameCommand::Build(args)) => of(&mut args.engine),
            Command::Endgame(EndgameCommand::Probe(args)) => of(&mut args.engine),
            Command::Endgame(EndgameCommand::Stat(args)) => of(&mut args.engine),
            Command::Endgame(EndgameCommand::Verify(args)) => of(&mut args.engine),
            Command::Book(BookCommand::Build(args)) => of(&mut args.engine),
            Command::Endgame(EndgameCommand::Embed(_))
            | Command::Book(_)
            | Command::Dataset(_)
            | Command::Picture(_)
            | Command::Train(_)
            | Command::Match(_) => None,
        }
    }

    /// The files that it writes.
    pub fn outputs(&self) -> Vec<PathBuf> {
        match self {
            Command::Annotate(args) => args.outputs(),
            Command::Mine(args) => args.outputs(),
            Command::Losses(args) => args.outputs(),
            Command::Picture(args) => args.out.iter().map(PathBuf::from).collect(),
            Command::Dataset(DatasetCommand::Wdl(args)) => {
                let outputs = [&args.plot, &args.out].into_iter().flatten();
                outputs.map(PathBuf::from).collect()
            }
            Command::Experiment(args) => {
                let outputs = [&args.json, &args.plot].into_iter().flatten();
                outputs.cloned().collect()
            }
            Command::Tune(args) => args.plot.iter().chain([&args.out]).cloned().collect(),
            Command::Selfplay(args) => vec![args.out.clone()],
            Command::Train(args) => args.outputs(),
            Command::Dataset(DatasetCommand::Merge(args)) => vec![args.out.clone()],
            Command::Endgame(EndgameCommand::Embed(args)) => vec![args.out.clone()],
            Command::Book(command) => command.outputs(),
            Command::Match(args) => args.pdn.iter().cloned().chain(args.journal()).collect(),
            _ => Vec::new(),
        }
    }
}

#[derive(clap::Args, Debug, Default)]
pub(super) struct HubArgs {
    /// Do not let the client name files or take memory and cores, for clients that are not trusted
    #[arg(long)]
    pub safe: bool,
    #[command(flatten)]
    pub engine: EngineArgs<engine_args::Hub>,
}

#[derive(clap::Args, Debug, Default)]
pub(super) struct PlayArgs {
    /// Who plays white [default: human]
    #[arg(long, value_name = "WHO")]
    pub white: Option<PlayerArg>,
    /// Who plays black [default: computer]
    #[arg(long, value_name = "WHO")]
    pub black: Option<PlayerArg>,
    /// Begin with this position, such as W:W31-50:B1-20
    #[arg(long, value_name = "FEN")]
    pub fen: Option<String>,
    /// Play with clocks: minutes for each side, and seconds added for each move
    #[arg(long, value_name = "M+S", conflicts_with_all = ["time", "depth", "nodes"], allow_negative_numbers = true)]
    pub clock: Option<TimeControl>,
    #[command(flatten)]
    pub limits: LimitArgs,
    #[command(flatten)]
    pub engine: EngineArgs<engine_args::Play>,
}

#[derive(clap::Args, Debug)]
pub(super) struct AnalyzeArgs {
    /// Positions as FEN (such as W:W31-50:B1-20) or as Hub has them; a file of them, one a line, or of games (PDN) for
    /// the last position of each; - reads positions from stdin [default: the start position]
    #[arg(value_name = "FEN")]
    pub fen: Vec<String>,
    /// Moves to play before the search, as in `1. 32-28 19-23`
    #[arg(long, value_name = "MOVES")]
    pub moves: Option<String>,
    #[command(flatten)]
    pub limits: LimitArgs,
    /// Search until Ctrl-C, which ends every analysis with the best move so far; so does --time 0 alone
    #[arg(long, conflicts_with_all = ["time", "depth", "nodes"])]
    pub infinite: bool,
    /// Number of best moves to show, each with its own score and line
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = whole::<u32>(1..=200))]
    pub lines: u32,
    /// Show which moves are in the opening book
    #[arg(long)]
    pub book: bool,
    /// Say what the opponent threatens, what the last of --moves gave away, and why one of --moves is not legal; not
    /// with --infinite or --time 0, as it searches more behind the first search
    #[arg(long)]
    pub explain: bool,
    /// Print one JSON object a line for each position
    #[arg(long)]
    pub json: bool,
    #[command(flatten)]
    pub engine: EngineArgs<engine_args::Analyze>,
}

#[derive(clap::Args, Debug)]
pub(super) struct EvalArgs {
    /// The position, as FEN or as Hub has it [default: the start position]
    #[arg(value_name = "FEN")]
    pub fen: Option<String>,
    /// Print a JSON object
    #[arg(long)]
    pub json: bool,
    #[command(flatten)]
    pub engine: EngineArgs<engine_args::Eval>,
}

#[derive(clap::Args, Debug)]
pub(super) struct PerftArgs {
    /// The position [default: the start position]
    #[arg(value_name = "FEN")]
    pub fen: Option<String>,
    /// Moves in a sequence
    #[arg(long, value_name = "N", value_parser = whole::<u32>(1..=MAX_DEPTH as u32))]
    pub depth: u32,
    /// Also show the count of each first move
    #[arg(long)]
    pub divide: bool,
    /// MiB of memory for counts already known; 0 for none
    #[arg(long, value_parser = whole::<usize>(0..), value_name = "MIB", default_value_t = 0)]
    pub hash: usize,
    #[command(flatten)]
    pub engine: EngineArgs<engine_args::Perft>,
}

#[derive(clap::Args, Debug)]
pub(super) struct BenchArgs {
    /// Positions as FEN, one a line, instead of those in the program; - reads them from stdin
    #[arg(value_name = "FILE")]
    pub file: Option<PathBuf>,
    /// Plies to search
    #[arg(long, value_name = "N", value_parser = depth)]
    pub depth: Option<Depth>,
    /// How the root is searched: mtdfix, mtdf, mtdf-clear, pvs, bns, sss or dual; several with commas between, or all
    /// [default: mtdfix]
    #[arg(long, value_name = "NAMES")]
    pub search: Option<String>,
    /// Print one JSON object a line for each driver
    #[arg(long)]
    pub json: bool,
    #[command(flatten)]
    pub engine: EngineArgs<engine_args::Bench>,
}

#[derive(clap::Args, Debug)]
pub(super) struct SuiteArgs {
    /// The suite: tactics or endings, a file, or - for stdin
    #[arg(value_name = "SUITE")]
    pub suite: PathBuf,
    #[command(flatten)]
    pub limits: LimitArgs,
    /// Print one JSON object a line for each position
    #[arg(long)]
    pub json: bool,
    /// Check the suite itself: search every move by itself, so many positions deep
    #[arg(long, value_name = "NODES", conflicts_with_all = ["json", "time", "depth", "nodes", "param"], value_parser = whole::<u64>(1..))]
    pub prove: Option<u64>,
    #[command(flatten)]
    pub engine: EngineArgs<engine_args::Suite>,
}

/// Who plays a side.
#[derive(ValueEnum, Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum PlayerArg {
    /// You
    Human,
    /// The engine
    Computer,
}

impl PlayerArg {
    /// The one on the other side of the board.
    pub(super) fn other(self) -> PlayerArg {
        match self {
            PlayerArg::Human => PlayerArg::Computer,
            PlayerArg::Computer => PlayerArg::Human,
        }
    }
}

impl From<PlayerArg> for PlayerKind {
    fn from(seat: PlayerArg) -> PlayerKind {
        match seat {
            PlayerArg::Human => PlayerKind::Human,
            PlayerArg::Computer => PlayerKind::Computer,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use clap::CommandFactory;

    #[test]
    fn clap_finds_no_fault() {
        Args::command().debug_assert();
    }

    /// Whether an example of each command stands in its help.
    fn check_examples(command: &mut clap::Command, path: &str) {
        let text = command.render_long_help().to_string();
        let mut lines = text.lines().filter(|line| !line.starts_with("Usage:"));
        assert!(
            lines.any(|line| line.contains(path)),
            "the help of `{path}` has no example"
        );
        for below in command.get_subcommands_mut() {
            if below.get_name() != "help" {
                let path = format!("{path} {}", below.get_name());
                check_examples(below, &path);
            }
        }
    }

    #[test]
    fn the_help_of_every_command_has_an_example() {
        let mut command = Args::command();
        command.build();
        check_examples(&mut command, "damier");
    }
}

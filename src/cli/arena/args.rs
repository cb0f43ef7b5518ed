//! The arguments of `damier match`.

use crate::cli::shared_args::{EncodingArgs, games, number, seconds, whole};
use damier::arena::level::{self, LevelText};
use damier::arena::schedule::openings::ScoreWindow;
use damier::arena::standings::statistics::SprtBounds;
use damier::os::files;
use damier::os::shard::Shard;
use std::num::NonZeroUsize;
use std::path::PathBuf;
use std::time::Duration;

/// The long help. Paragraphs are single lines, which clap wraps; lists and examples fit into 80 columns.
const HELP: &str = "\
An engine is described as in Hub: name=value, with double quotes around a value with spaces.
  name=A               its name in reports and PDN
  cmd=\"./damier hub\"   how to start it; split into words as a shell does it,
                       but without variables and wildcards
  dir=/path            where it runs, and where a relative command is looked up
  protocol=hub         hub (the default), or dxp with these keys:
    host=, port=         port=0 takes a free one: {port} in cmd and stdin
    role=server          the engine listens (the default), or client
    stdin=\"line\"         a line for its standard input at the start
  nodes=2000           a level of its own: move-time, nodes, depth or tc
  anything else        a parameter for the engine: threads=1 tt-size=20

A TOML file for --engines has the same keys, each engine under [[engine]]; cmd and stdin may be lists, and dir is \
relative to the file.

Examples:
  damier match --engine 'name=new cmd=\"./damier hub\" line-gap=0' \\
      --engine 'name=old cmd=\"./damier-old hub\" line-gap=0' \\
      --nodes 5000 --concurrency 2 --pdn games.pdn --resume
  damier match --engines all.toml --gauntlet --move-time 0.1 --per-opening
  damier match --engines two.toml --openings three-move --tc 10+0.1 --sprt 0,5
  damier match --engines two.toml --move-time 1 --pdn games.pdn --serve

OPENINGS. Each opening is played with both colours: a pair of games, which is one observation for the statistics. \
--seed decides the order of the openings, which start again when all are played. Openings that lead to the position of \
an earlier one are dropped. With --random-plies the random moves are drawn again, up to 50 times, if they lead to a \
position that was played before; with --score-window too, as long as the position is not in the window, and each time \
from the next opening. Engines at fixed nodes or depth repeat a game from the same position, which the \
statistics would count as new evidence; the report warns when that may have happened. Two runs with the same seed and \
fixed nodes play the same games, whatever the concurrency.

FAULTS. A crash, an illegal move, silence, or a move later than --margin loses the game. The report shows each fault \
with the position and the last lines exchanged; the engine is restarted, and the match continues. A match ends when an \
engine fails to begin a game three times in a row; of more than two engines the others continue.

FILES. --pdn FILE gets every game, in the order of the schedule; dates are in UTC. FILE.live has the games in \
progress, for 'damier serve --watch FILE', which shows the match in a browser, as --serve does; its page stays after \
the match and its report until Ctrl-C, or for the seconds of --serve-for. FILE.journal records what was played: after \
any interruption, even kill -9, the same command with --resume continues. Ctrl-C ends a match with a report.

SHARDS. With --shard I/N several machines play one match, each with a journal of its own. The journal of the whole \
match is the first line of one journal, followed by the other lines of all of them: with it and --resume, the same \
command without --shard prints the report of all games.

LOG. --log-file FILE logs every game and every line exchanged with an engine, with seconds since the start, as '12.345 \
DEBUG 1.A < info ...': worker 1, engine A, < from and > to the engine. --log-level info logs only the games.

REPORT. Elo is the difference in strength that the score suggests, with the interval that contains the true value in \
95 of 100 matches; it is infinite when one side won every game. Normalised Elo is the mean result divided by its \
standard deviation, on a similar scale: unlike Elo it does not shrink when more games are drawn. LOS, the likelihood \
of superiority, is how sure it is that the first engine is the stronger one: 50 % means that nothing is known, 95 % is \
commonly taken as evidence. A decisive pair is one in which an engine scored more than half of the two points.

SPRT. With --sprt ELO0,ELO1 the match ends as soon as the results speak clearly for one hypothesis, ELO0 or less (H0) \
or ELO1 or more (H1), each accepted wrongly in 5 % of the cases; games in progress are dropped. LLR is the logarithm \
of the likelihood ratio of the two. Both are in Elo; with --sprt ELO0,ELO1,normalised they are in normalised Elo, for \
which a test takes about as many games whatever the share of draws.

Damier waits 500 microseconds between the lines it writes to a pipe, because one client needs it; for fast matches \
give it line-gap=0.";

/// Maximum number of games at once.
const CONCURRENCY: NonZeroUsize = NonZeroUsize::new(10_000).unwrap();

/// Play engines against each other: Hub or DXP, head to head or many, with statistics
#[derive(clap::Args, Debug)]
#[command(after_help = "damier help match explains more, with examples.", after_long_help = HELP)]
pub(in crate::cli) struct MatchArgs {
    /// An engine, such as 'name=A cmd="./damier hub" nodes=2000 threads=1'; twice or more
    #[arg(long, value_name = "DESCRIPTION", help_heading = "Engines")]
    pub engine: Vec<String>,
    /// Engines from a TOML file with a table [[engine]] for each; - for stdin
    #[arg(long, value_name = "FILE", help_heading = "Engines")]
    pub engines: Option<PathBuf>,
    /// Gauntlet: the first engine plays each of the others, instead of a round robin
    #[arg(long, help_heading = "Engines")]
    pub gauntlet: bool,
    /// Openings: two-move, three-move (all ballots), start, a file of FENs or of PDN, or - for stdin
    #[arg(
        long,
        value_name = "WHICH",
        default_value = "two-move",
        help_heading = "Openings"
    )]
    pub openings: PathBuf,
    /// Take only the first plies of each game of a PDN file
    #[arg(long, value_name = "N", value_parser = whole::<u16>(1..=1_000), help_heading = "Openings")]
    pub opening_plies: Option<u16>,
    #[command(flatten, next_help_heading = "Openings")]
    pub text: EncodingArgs,
    /// Games for each pairing of engines, an even number [default: every opening once with both colours; with --sprt up
    /// to 1000000]
    #[arg(long, value_name = "N", value_parser = games(1_000_000_000), help_heading = "Openings")]
    pub games: Option<u64>,
    /// Random plies to play after each opening; moves that lose a man at once are avoided
    #[arg(long, value_name = "N", default_value_t = 0, value_parser = whole::<u32>(0..=100), help_heading = "Openings")]
    pub random_plies: u32,
    /// Play only openings, with their random plies, in which a short search finds one side ahead by LOW to HIGH men, as
    /// in 0.3,1.0
    #[arg(long, value_name = "LOW,HIGH", help_heading = "Openings")]
    pub score_window: Option<ScoreWindow>,
    /// Seed for the order of the openings and the random plies
    #[arg(long, value_parser = whole::<u64>(0..), value_name = "N", default_value_t = 1, help_heading = "Openings")]
    pub seed: u64,
    #[command(flatten)]
    pub level: MatchLevel,
    /// Give the first engine FACTOR times the time or the nodes of its level, as in 0.1 for a tenth
    #[arg(long, value_name = "FACTOR", value_parser = number(1e-6, 1e6), help_heading = "Level")]
    pub odds: Option<f64>,
    /// Seconds that a move may be late
    #[arg(long, value_name = "S", default_value = "0.1", value_parser = seconds, help_heading = "Level")]
    pub margin: Duration,
    /// Seconds of silence that lose the game: with --nodes and --depth after the question, otherwise after the time of
    /// the move, but at most 5
    #[arg(long, value_name = "S", default_value = "60", value_parser = patience, help_heading = "Level")]
    pub patience: Duration,
    /// Draw a game when each side has played this many moves
    #[arg(long, value_name = "N", value_parser = whole::<u32>(1..=10_000), help_heading = "Ends of games")]
    pub max_moves: Option<u32>,
    /// End a game as won when both engines agree on a score of MEN or more for PLIES plies in a row (2 or more), as in
    /// 5,6
    #[arg(long, value_name = "MEN,PLIES", value_parser = agreement, help_heading = "Ends of games")]
    pub adjudicate_score: Option<(f64, u32)>,
    /// Play on where the endgame tables know the result; otherwise they end games of at most four pieces, with respect
    /// to the draw rules
    #[arg(long, help_heading = "Ends of games")]
    pub play_out: bool,
    /// Games at once, each with processes of its own
    #[arg(
        long,
        value_name = "N",
        default_value_t = NonZeroUsize::MIN,
        value_parser = whole(NonZeroUsize::MIN..=CONCURRENCY),
        help_heading = "Running"
    )]
    pub concurrency: NonZeroUsize,
    /// Give each game cores of its own, as many as its engines have threads (Linux)
    #[arg(long, help_heading = "Running")]
    pub pin: bool,
    /// Stop when it is clear whether the first engine is stronger by ELO0 or less, or by ELO1 or more: in Elo, or in
    /// normalised Elo with ,normalised added
    #[arg(
        long,
        value_name = "ELO0,ELO1[,UNIT]",
        allow_hyphen_values = true,
        help_heading = "Running"
    )]
    pub sprt: Option<SprtBounds>,
    /// Play only the I-th of N shares of the pairs of games, for several machines
    #[arg(
        long,
        value_name = "I/N",
        default_value = "1/1",
        conflicts_with = "sprt",
        help_heading = "Running"
    )]
    pub shard: Shard,
    /// Write all games to this file
    #[arg(long, value_name = "FILE", help_heading = "Files")]
    pub pdn: Option<PathBuf>,
    /// Record what was played in this file [default: the file of --pdn with .journal added]
    #[arg(long, value_name = "FILE", help_heading = "Files")]
    pub journal: Option<PathBuf>,
    /// Continue the match in these files, if there is one
    #[arg(long, help_heading = "Files")]
    pub resume: bool,
    /// Start again and overwrite these files, if they are of a match
    #[arg(long, conflicts_with = "resume", help_heading = "Files")]
    pub force: bool,
    /// Show the match in a browser until Ctrl-C, on this port of this machine; 0 for any free port [default: 27530]
    #[arg(
        long,
        value_name = "PORT",
        num_args = 0..=1,
        default_missing_value = "27530",
        value_parser = whole::<u16>(0..=65_535),
        requires = "pdn",
        help_heading = "Running"
    )]
    pub serve: Option<u16>,
    /// Stop serving this many seconds after the match, instead of at Ctrl-C
    #[arg(long, value_name = "S", value_parser = seconds, requires = "serve", help_heading = "Running")]
    pub serve_for: Option<Duration>,
    /// Report the results of each opening
    #[arg(long, help_heading = "Report")]
    pub per_opening: bool,
    /// Print the report as one JSON object
    #[arg(long, help_heading = "Report")]
    pub json: bool,
}

impl MatchArgs {
    /// The journal: none without `--pdn` and `--journal`.
    pub fn journal(&self) -> Option<PathBuf> {
        let default = || Some(files::beside(self.pdn.as_ref()?, ".journal"));
        self.journal.clone().or_else(default)
    }

    /// Whether only the sequential test ends the match.
    pub(in crate::cli) fn is_open_ended(&self) -> bool {
        self.sprt.is_some() && self.games.is_none()
    }
}

/// The level of engines that have none of their own.
#[derive(clap::Args, Debug)]
pub(in crate::cli) struct MatchLevel {
    /// Seconds for each move
    #[arg(long, value_name = "S", help_heading = "Level")]
    move_time: Option<String>,
    /// Positions to search for each move
    #[arg(long, value_name = "N", help_heading = "Level")]
    nodes: Option<String>,
    /// Plies to search for each move
    #[arg(long, value_name = "N", help_heading = "Level")]
    depth: Option<String>,
    /// A clock: seconds for the game and for each move, as 60+0.6, or moves and seconds for them, as 40/60
    #[arg(long, value_name = "TIME+INC", help_heading = "Level")]
    tc: Option<String>,
}

impl From<&MatchLevel> for LevelText {
    fn from(args: &MatchLevel) -> LevelText {
        LevelText {
            move_time: args.move_time.clone(),
            nodes: args.nodes.clone(),
            depth: args.depth.clone(),
            clock: args.tc.clone(),
        }
    }
}

fn patience(text: &str) -> Result<Duration, String> {
    level::time(text).map_err(|error| error.to_string())
}

fn pair<T: std::str::FromStr>(text: &str) -> Option<(f64, T)> {
    let (first, second) = text.split_once(',')?;
    let first = first.trim().parse().ok().filter(|n: &f64| n.is_finite())?;
    Some((first, second.trim().parse().ok()?))
}

fn agreement(text: &str) -> Result<(f64, u32), String> {
    pair(text)
        .filter(|&(men, plies)| men > 0.0 && plies > 1)
        .ok_or_else(|| {
            "expected a score in men and a number of plies, at least 2 so that both engines agree, such as 5,6"
                .to_owned()
        })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_checked() {
        assert_eq!(games(1_000)("158"), Ok(158));
        for bad in ["0", "3", "-2", "x", ""] {
            assert!(games(1_000)(bad).is_err(), "{bad}");
        }
        assert_eq!(agreement("5,6"), Ok((5.0, 6)));
        assert_eq!(agreement("5,2"), Ok((5.0, 2)));
        // With one ply the game would be won by whoever says so first.
        for bad in ["5,1", "0,6", "5,0", "5,-1", "5", "-1,2"] {
            assert!(agreement(bad).is_err(), "{bad}");
        }
    }
}

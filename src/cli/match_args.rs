//! What can be written after `damier match`.

use damier::lab::arena::level::{self, LevelText};
use damier::lab::arena::schedule::openings::ScoreWindow;
use damier::lab::arena::standings::statistics::SprtBounds;
use std::num::NonZeroUsize;
use std::path::PathBuf;
use std::time::Duration;

pub(super) const HELP: &str = "\
An engine is described in the syntax of Hub: name=value, with double quotes around a value that holds blanks.
  name=A                  its name in reports and PDN
  cmd=\"./damier hub\"      how it is started (no shell: quotes and backslashes work, variables do not)
  dir=/path               where it runs, and where a relative command is looked for
  protocol=hub            hub unless told otherwise, or dxp with host=, port= (0: any that is free; {port} in cmd and stdin
                          stands for it), role=server (the engine listens) or client, stdin=\"line\" to write at the start
  nodes=2000              a level of its own: move-time, nodes, depth or tc
  anything else           a parameter of the engine, sent with set-param: threads=1 tt-size=20 book=false
The same keys stand in a TOML file for --engines, each engine under [[engine]]; dir is then relative to the file.

Examples:
  damier match --engine 'name=new cmd=\"./damier hub\" line-gap=0' --engine 'name=old cmd=\"./damier-old hub\" line-gap=0' \\
      --nodes 5000 --concurrency 2 --pdn games.pdn --resume
  damier match --engines engines.toml --gauntlet --openings two-move --move-time 0.1 --per-opening
  damier match --engines engines.toml --openings three-move --tc 10+0.1 --sprt 0,5 --json

Every opening is played with both colours: a pair, which is one observation for the intervals and for SPRT. Openings come in an
order that the seed decides, and again from the first when they are used up; of openings that lead to one position the first is
played. With --random-plies the moves are drawn anew where they lead to a position that was played before, up to 50 times: few
plies from few openings run out of positions all the same. From one position engines at fixed nodes play the same game again,
which the intervals and SPRT would take for a new one; the report tells when that may have happened. Two runs with the same seed
and fixed nodes play the same games, whatever the concurrency.

A crash, an illegal move, silence or a move later than --margin loses the game; the report names it with the position and the
last lines exchanged, the engine is started again, and the match goes on. It ends, with a report of what was
played, when an engine cannot begin a game three times in a row; of more than two engines the others go on without it.

--pdn FILE gets every game as it ends, in the order of the schedule. Beside it FILE.journal remembers what was played: after
any end, kill -9 too, the same command with --resume goes on. Ctrl-C ends a match cleanly, with a report.

With --sprt the match ends as soon as a hypothesis is accepted; games in flight are dropped.

Damier itself keeps 500 microseconds between the lines it writes to a pipe, for the sake of one client; in fast matches give it
line-gap=0.";

#[derive(clap::Args, Debug)]
pub(super) struct MatchArgs {
    /// An engine, such as 'name=A cmd="./damier hub" nodes=2000 threads=1'; twice or more
    #[arg(long, value_name = "DESCRIPTION", help_heading = "Engines")]
    pub engine: Vec<String>,
    /// Engines from a TOML file with a table [[engine]] for each
    #[arg(long, value_name = "FILE", help_heading = "Engines")]
    pub engines: Option<PathBuf>,
    /// The first engine meets each other, instead of each meeting each
    #[arg(long, help_heading = "Engines")]
    pub gauntlet: bool,
    /// Openings: two-move, three-move (all ballots), start, or a file of FENs or of PDN
    #[arg(
        long,
        value_name = "WHICH",
        default_value = "two-move",
        help_heading = "Openings"
    )]
    pub openings: String,
    /// Of the games of a PDN file take the first moves only, so many of both sides together
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1_000), help_heading = "Openings")]
    pub opening_plies: Option<u16>,
    /// Games for each pairing of engines, an even number [default: every opening once with both colours; with --sprt as many as
    /// it takes, up to 1000000]
    #[arg(long, value_name = "N", value_parser = games, help_heading = "Openings")]
    pub games: Option<u64>,
    /// Random moves to play after each opening, in plies; none that loses a man at once
    #[arg(long, value_name = "N", default_value_t = 0, value_parser = clap::value_parser!(u32).range(0..=100), help_heading = "Openings")]
    pub random_plies: u32,
    /// Play only openings that a short search of this program scores so many men in favour of one side, as in 0.3,1.0
    #[arg(long, value_name = "LOW,HIGH", help_heading = "Openings")]
    pub score_window: Option<ScoreWindow>,
    /// Decides the order of the openings and the random plies
    #[arg(long, value_name = "N", default_value_t = 1, help_heading = "Openings")]
    pub seed: u64,
    #[command(flatten)]
    pub level: MatchLevel,
    /// Seconds that a move may be late
    #[arg(long, value_name = "S", default_value = "0.1", value_parser = super::args::seconds, help_heading = "Level")]
    pub margin: Duration,
    /// Seconds of silence that lose the game: with --nodes and --depth from the question on, otherwise after the time of the
    /// move, where 5 are the most
    #[arg(long, value_name = "S", default_value = "60", value_parser = patience, help_heading = "Level")]
    pub patience: Duration,
    /// A game is drawn when each side has played so many moves
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=10_000), help_heading = "Ends of games")]
    pub max_moves: Option<u32>,
    /// A game is won when both engines have scored it so, in men, for so many plies (2 or more) one after another, as in 5,6
    #[arg(long, value_name = "MEN,PLIES", value_parser = agreement, help_heading = "Ends of games")]
    pub adjudicate_score: Option<(f64, u32)>,
    /// Play out what the endgame tables know too; otherwise a game of at most four pieces ends with the result that they give,
    /// draw rules included
    #[arg(long, help_heading = "Ends of games")]
    pub play_out: bool,
    /// Games at once, each with processes of its own
    #[arg(long, value_name = "N", default_value_t = NonZeroUsize::MIN, value_parser = concurrency, help_heading = "Running")]
    pub concurrency: NonZeroUsize,
    /// Give each game cores of its own, as many as its engines have threads (Linux)
    #[arg(long, help_heading = "Running")]
    pub pin: bool,
    /// Stop when it is clear whether the first engine is ELO0 or less, or ELO1 or more, stronger; errors 5 %
    #[arg(
        long,
        value_name = "ELO0,ELO1",
        allow_hyphen_values = true,
        help_heading = "Running"
    )]
    pub sprt: Option<SprtBounds>,
    /// Write all games to this file
    #[arg(long, value_name = "FILE", help_heading = "Files")]
    pub pdn: Option<PathBuf>,
    /// Remember what was played in this file [default: that of --pdn with .journal behind it]
    #[arg(long, value_name = "FILE", help_heading = "Files")]
    pub journal: Option<PathBuf>,
    /// Go on with the match in these files, if there is one
    #[arg(long, help_heading = "Files")]
    pub resume: bool,
    /// Begin anew and write over these files
    #[arg(long, conflicts_with = "resume", help_heading = "Files")]
    pub force: bool,
    /// Report the results of each opening
    #[arg(long, help_heading = "Report")]
    pub per_opening: bool,
    /// Print the report as one JSON object
    #[arg(long, help_heading = "Report")]
    pub json: bool,
}

/// What engines may spend that have no level of their own.
#[derive(clap::Args, Debug)]
pub(super) struct MatchLevel {
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

fn games(text: &str) -> Result<u64, String> {
    let even = |n: &u64| *n > 0 && n.is_multiple_of(2) && *n <= 1_000_000_000;
    text.parse().ok().filter(even).ok_or_else(|| {
        "expected an even number: every opening is played with both colours".to_owned()
    })
}

fn concurrency(text: &str) -> Result<NonZeroUsize, String> {
    let number = text.parse().ok();
    number
        .filter(|number: &NonZeroUsize| number.get() <= 10_000)
        .ok_or_else(|| "expected a number from 1 to 10000".to_owned())
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
            "expected a score in men and a number of plies, at least 2 so that both engines agree, such as 5,6".to_owned()
        })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_checked() {
        assert_eq!(games("158"), Ok(158));
        for bad in ["0", "3", "-2", "x", ""] {
            assert!(games(bad).is_err(), "{bad}");
        }
        assert_eq!(concurrency("2").map(NonZeroUsize::get), Ok(2));
        for bad in ["0", "-1", "10001", "100000000000", "x", ""] {
            assert!(concurrency(bad).is_err(), "{bad}");
        }
        assert_eq!(agreement("5,6"), Ok((5.0, 6)));
        assert_eq!(agreement("5,2"), Ok((5.0, 2)));
        // With one ply the game would be won by whoever says so first.
        for bad in ["5,1", "0,6", "5,0", "5,-1", "5", "-1,2"] {
            assert!(agreement(bad).is_err(), "{bad}");
        }
    }
}

use super::handicap::Handicap;

/// How strongly a move to play is chosen.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Strength {
    /// At full strength, whatever the options say.
    #[default]
    Full,
    /// As the option `elo` says.
    AsOptions,
    /// At this level of the ladder; one beyond its ends counts as the end.
    Elo(u32),
    /// With a weaker search, as lidraughts asks for it.
    Handicap(Handicap),
}

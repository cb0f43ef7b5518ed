//! Serialisation: a square is its number, a set of squares a list of numbers, a colour `"W"` or `"B"`, a move the text
//! of its [`Display`](std::fmt::Display), a setup or position its FEN.

use crate::{Bitboard, Color, Move, Position, Setup, Square};
use serde::de::{Deserialize, Deserializer, Error};
use serde::ser::{Serialize, Serializer};

/// A type (de)serialised through another one, which implements serde.
macro_rules! by_way_of {
    ($type:ty, $other:ty, $to:expr, $from:expr) => {
        impl Serialize for $type {
            fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                let to: fn(&$type) -> $other = $to;
                to(self).serialize(serializer)
            }
        }

        impl<'de> Deserialize<'de> for $type {
            fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<$type, D::Error> {
                let from: fn($other) -> Result<$type, _> = $from;
                from(<$other>::deserialize(deserializer)?).map_err(D::Error::custom)
            }
        }
    };
}

by_way_of!(Square, u8, |square| square.number(), |number| Square::new(
    number
)
.ok_or(crate::board::ParseSquareError));
by_way_of!(Bitboard, Vec<Square>, |set| set.collect(), |squares| Ok::<
    _,
    std::convert::Infallible,
>(
    squares.into_iter().collect()
));
by_way_of!(Color, char, |color| color.letter(), |letter| match letter {
    'W' => Ok(Color::White),
    'B' => Ok(Color::Black),
    _ => Err("a colour is W or B"),
});
by_way_of!(Move, String, Move::to_string, |text| text.parse());
by_way_of!(Setup, String, Setup::to_string, |text| text.parse());
by_way_of!(Position, String, Position::to_string, |text| text.parse());

#[cfg(test)]
mod tests {
    use super::*;
    use serde::de::DeserializeOwned;

    fn round<T: Serialize + DeserializeOwned + PartialEq + std::fmt::Debug>(value: T, json: &str) {
        assert_eq!(serde_json::to_string(&value).unwrap(), json);
        assert_eq!(serde_json::from_str::<T>(json).unwrap(), value);
    }

    #[test]
    fn values_survive_a_round_trip() {
        let square = |n| Square::new(n).unwrap();
        let taken: Bitboard = [23, 28, 33].into_iter().map(square).collect();
        round(square(50), "50");
        round(taken, "[23,28,33]");
        round(Color::White, "\"W\"");
        round(Color::Black, "\"B\"");
        round(
            Move::new(square(32), square(28), Bitboard::EMPTY),
            "\"32-28\"",
        );
        round(
            Move::new(square(19), square(19), taken),
            "\"19x19x23x28x33\"",
        );
        let position: Position = "B:WK46,31:B7".parse().unwrap();
        round(position, "\"B:W31,K46:B7\"");
        // A setup may be what a position may not.
        let mut setup = Setup::from(&position);
        setup.men[0] = Bitboard::of(square(1));
        round(setup, "\"B:W1,K46:B7\"");
        assert!(serde_json::from_str::<Position>("\"B:W1,K46:B7\"").is_err());
    }

    #[test]
    fn other_values_are_errors() {
        assert!(serde_json::from_str::<Square>("0").is_err());
        assert!(serde_json::from_str::<Bitboard>("[51]").is_err());
        assert!(serde_json::from_str::<Color>("\"w\"").is_err());
        for text in [
            "",
            "32",
            "32-",
            "32-28x1",
            "28x19",
            "28x19x0",
            "28x19x23x23",
            "32-28-23",
        ] {
            let json = format!("{text:?}");
            assert!(serde_json::from_str::<Move>(&json).is_err(), "{text}");
        }
    }
}

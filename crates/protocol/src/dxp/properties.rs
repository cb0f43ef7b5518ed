//! Properties of all messages and all bytes.

use super::*;
use damier_rules::board::{Bitboard, Color, Square};
use damier_rules::{Position, Setup};
use proptest::prelude::*;

fn color() -> impl Strategy<Value = Color> {
    prop_oneof![Just(Color::White), Just(Color::Black)]
}

fn square() -> impl Strategy<Value = Square> {
    (1u8..=50).prop_filter_map("a square", Square::new)
}

fn squares(most: usize) -> impl Strategy<Value = Bitboard> {
    let some = prop::collection::vec(square(), 0..=most);
    some.prop_map(|squares| squares.into_iter().collect())
}

fn name() -> impl Strategy<Value = Name> {
    "[ -~]{0,40}".prop_map(|text| Name::from_text(&text))
}

fn minutes() -> impl Strategy<Value = Minutes> {
    let tenths = (10u32..100).prop_map(|tenths| 10 * tenths);
    let whole = (0u32..1_000).prop_map(|whole| 100 * whole);
    prop_oneof![0u32..100, tenths, whole]
        .prop_filter_map("minutes that can be said", Minutes::from_hundredths)
}

fn start() -> impl Strategy<Value = Start> {
    let sets = (squares(20), squares(20), squares(5), squares(5));
    let board = (sets, color()).prop_filter_map("a position", |((wm, bm, wk, bk), turn)| {
        let mut setup = Setup::empty(turn);
        setup.men[0] = wm.without(Bitboard::TOP_ROW);
        setup.men[1] = bm.without(Bitboard::BOTTOM_ROW).without(setup.men[0]);
        setup.kings[0] = wk.without(setup.men[0]).without(setup.men[1]);
        let all = setup.men[0] | setup.men[1] | setup.kings[0];
        setup.kings[1] = bk.without(all);
        Position::try_from(setup).ok().map(Start::Board)
    });
    prop_oneof![Just(Start::Usual), board]
}

fn message() -> impl Strategy<Value = Message> {
    let codes = prop_oneof![
        Just(Acceptance::Accepted),
        Just(Acceptance::Version),
        Just(Acceptance::NotThisGame),
        Just(Acceptance::NoGames)
    ];
    let reasons = prop_oneof![
        Just(Reason::Unknown),
        Just(Reason::Loss),
        Just(Reason::Draw),
        Just(Reason::Win)
    ];
    let answers = prop_oneof![
        Just(BackAnswer::Accepted),
        Just(BackAnswer::NotSupported),
        Just(BackAnswer::Refused)
    ];
    let limit = (0u16..1_000).prop_filter_map("a limit", MoveLimit::new);
    let number = (0u16..1_000).prop_filter_map("a number", MoveNumber::new);
    let request = (name(), color(), minutes(), limit, start());
    let mv = (0u16..10_000, square(), square(), squares(MAX_CAPTURED));
    prop_oneof![
        request.prop_map(|(name, follower, minutes, moves, start)| {
            Message::GameReq(GameReq {
                name,
                follower,
                minutes,
                moves,
                start,
            })
        }),
        (name(), codes).prop_map(|(name, code)| Message::GameAcc(GameAcc { name, code })),
        mv.prop_map(|(time, from, to, captured)| {
            let time = Seconds::new(time);
            Message::Move(MoveMsg {
                time,
                from,
                to,
                captured,
            })
        }),
        (reasons, any::<bool>())
            .prop_map(|(reason, stop)| Message::GameEnd(GameEnd { reason, stop })),
        "[ -~]{0,140}".prop_map(|text| Message::Chat(ChatText::from_text(&text))),
        (number, color()).prop_map(|(number, side)| Message::BackReq(BackReq { number, side })),
        answers.prop_map(Message::BackAcc),
    ]
}

proptest! {
    #[test]
    fn what_is_written_is_read_back(message in message()) {
        let bytes = message.encode();
        let (end, text) = bytes.split_last().expect("a NUL at least");
        prop_assert_eq!(*end, 0);
        prop_assert!((1..=MAX_MESSAGE).contains(&text.len()));
        prop_assert!(text.iter().all(|byte| (1..128).contains(byte)));
        prop_assert_eq!(Message::parse(text), Ok(message));
    }

    #[test]
    fn any_bytes_are_a_message_or_an_error(bytes in prop::collection::vec(any::<u8>(), 0..200)) {
        match Message::parse(&bytes) {
            Ok(message) => {
                let written = message.encode();
                prop_assert_eq!(Message::parse(&written[..written.len() - 1]), Ok(message));
            }
            Err(error) => prop_assert!(error.column <= bytes.len() + 1),
        }
    }

    #[test]
    fn a_message_with_a_byte_changed_is_no_panic(message in message(), at in any::<prop::sample::Index>(), byte: u8) {
        let mut bytes = message.encode();
        bytes.pop();
        let at = at.index(bytes.len());
        bytes[at] = byte;
        if let Err(error) = Message::parse(&bytes) {
            prop_assert!(error.column <= bytes.len() + 1 && error.to_string().is_ascii());
        }
    }

    #[test]
    fn messages_survive_any_splitting(messages in prop::collection::vec(message(), 1..6), size in 1usize..300) {
        let stream: Vec<u8> = messages.iter().flat_map(Message::encode).collect();
        let mut framer = Framer::new();
        let mut found = Vec::new();
        for mut piece in stream.chunks(size) {
            while let Some(frame) = framer.next(&mut piece) {
                found.push(Message::parse(&frame.expect("short enough")).expect("a message"));
            }
        }
        prop_assert_eq!(found, messages);
    }
}

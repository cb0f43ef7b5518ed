//! What each motif asks of a line.

use super::line::{Place, Ply, next, ours, step};

pub(super) fn is_royal(plies: &[Ply]) -> bool {
    ours(plies).any(|(before, capture)| {
        let given = before
            .iter()
            .any(|ply| !ply.is_ours && ply.from() == 23 && ply.to() == 34 && ply.takes() >= 3);
        given && capture.way.starts_with(&[40, 29, 20, 9, 18, 7])
    })
}

pub(super) fn is_philippe(plies: &[Ply]) -> bool {
    ours(plies).any(|(before, capture)| {
        let is_lured = before.windows(2).any(|pair| {
            let (theirs, ours) = (&pair[0], &pair[1]);
            ours.is_ours && theirs.way == [18, 27] && ours.way == [32, 21]
        });
        let ways = [[38, 29, 18, 7], [40, 29, 18, 7]];
        is_lured && ways.iter().any(|way| capture.way.starts_with(way))
    })
}

pub(super) fn is_napoleon(plies: &[Ply]) -> bool {
    ours(plies).any(|(before, capture)| {
        let steps: Vec<(i32, i32)> = capture
            .way
            .windows(2)
            .map(|pair| step(pair[0], pair[1]))
            .collect();
        let is_zigzag = matches!(steps[..], [(-1, a), (1, b), (-1, c), ..] if a == b && b == c);
        if !capture.is_man || capture.takes() < 4 || !is_zigzag {
            return false;
        }
        // When the men of the first two links came there.
        let came = |place| {
            before
                .iter()
                .rposition(|ply| !ply.is_ours && ply.to() == place)
        };
        let links = came(capture.captured[0]).zip(came(capture.captured[1]));
        links.is_some_and(|(first, second)| second < first)
    })
}

pub(super) fn is_turc(pair: &[Ply]) -> bool {
    let (theirs, ours) = (&pair[0], &pair[1]);
    if theirs.is_ours || theirs.is_man || theirs.takes() < 4 || !ours.is_man || ours.is_quiet() {
        return false;
    }
    let (end, man) = (theirs.to(), ours.from());
    let is_captured =
        |place: Option<Place>| place.is_some_and(|place| theirs.captured.contains(&place));
    let last = theirs.way[theirs.way.len() - 2];
    let is_stopped = is_captured(next(end, step(last, end)));
    let is_unsupported = is_captured(next(man, step(end, man)));
    ours.captured[0] == end && is_stopped && is_unsupported
}

/// A man leaves a square and attacks, the enemy lands there, the attacked piece is captured although the one that
/// landed could be, the enemy captures, and another man captures, beginning with the one that landed.
pub(super) fn is_manoury(plies: &[Ply]) -> bool {
    let [attack, lured, taken, back, last] = plies else {
        return false;
    };
    let could = taken
        .others
        .iter()
        .any(|(_, captured)| captured.contains(&attack.from()));
    attack.is_ours
        && attack.is_man
        && attack.is_quiet()
        && !lured.is_quiet()
        && lured.to() == attack.from()
        && !taken.is_quiet()
        && taken.from() == attack.to()
        && !taken.captured.contains(&lured.to())
        && could
        && !back.is_quiet()
        && back.from() != lured.to()
        && last.takes() > 1
        && last.captured[0] == lured.to()
        && last.captured.contains(&back.to())
}

/// The king is followed on its way.
pub(super) fn is_king_sent(plies: &[Ply]) -> bool {
    (0..plies.len()).any(|begin| {
        let sent = &plies[begin];
        if sent.is_ours || !sent.promotes || sent.is_quiet() {
            return false;
        }
        let mut king = sent.to();
        for ply in &plies[begin + 1..] {
            if ply.is_ours && ply.captured.contains(&king) {
                return true;
            }
            if !ply.is_ours && ply.from() == king {
                king = ply.to();
            }
        }
        false
    })
}

pub(super) fn is_ricochet(plies: &[Ply]) -> bool {
    let [first, back, second] = plies else {
        return false;
    };
    first.is_ours
        && first.takes() >= 2
        && back.captured.contains(&first.to())
        && second.takes() >= 2
        && second.captured[0] == back.to()
}

pub(super) fn is_talon(plies: &[Ply]) -> bool {
    let [first, back, second] = plies else {
        return false;
    };
    // All the way towards the own side.
    let is_backward = first
        .way
        .windows(2)
        .all(|pair| step(pair[0], pair[1]).0 > 0);
    first.is_ours
        && first.is_man
        && !first.is_quiet()
        && is_backward
        && !back.is_quiet()
        && back.to() == first.from()
        && second.takes() >= 2
        && second.captured[0] == back.to()
}

/// A man captures forwards, and after an offer of ours backwards, where it is captured first.
pub(super) fn is_recall(plies: &[Ply]) -> bool {
    plies.windows(4).any(|plies| {
        let [there, offer, back, last] = plies else {
            return false;
        };
        let is_back = back.way.windows(2).all(|pair| step(pair[0], pair[1]).0 < 0);
        !there.is_ours
            && there.is_man
            && !there.promotes
            && !there.is_quiet()
            && offer.is_quiet()
            && back.from() == there.to()
            && !back.is_quiet()
            && is_back
            && back.captured.contains(&offer.to())
            && last.takes() >= 2
            && last.captured[0] == back.to()
    })
}

/// The enemy captures two, and two again while one of our men moves next to an enemy; this man captures three or more,
/// is captured, and another one captures two or more, beginning with the piece that captured second.
pub(super) fn is_raphael(plies: &[Ply]) -> bool {
    let [first, stick, second, capture, back, last] = &plies[1..] else {
        return false;
    };
    let is_gift = |ply: &Ply| !ply.is_ours && ply.takes() >= 2;
    plies[0].is_quiet()
        && is_gift(first)
        && stick.is_man
        && stick.is_quiet()
        && is_gift(second)
        && capture.from() == stick.to()
        && capture.takes() >= 3
        && back.captured.contains(&capture.to())
        && last.takes() >= 2
        && last.captured[0] == second.to()
}

pub(super) fn is_express(plies: &[Ply]) -> bool {
    ours(plies).any(|(before, capture)| {
        let led = |ways: &[[Place; 2]]| {
            let mut theirs = before.iter().filter(|ply| !ply.is_ours && ply.takes() == 1);
            theirs.any(|ply| ply.is_man && ways.iter().any(|way| ply.way == way))
        };
        let first = [led(&[[16, 27], [18, 27]]), led(&[[26, 37]])];
        led(&[[27, 18]])
            && led(&[[37, 28]])
            && first.contains(&true)
            && capture.way.starts_with(&[33, 22, 13])
    })
}

pub(super) fn is_enfilade(plies: &[Ply]) -> bool {
    ours(plies).any(|(_, capture)| {
        let mut steps = capture.way.windows(2).map(|pair| step(pair[0], pair[1]));
        let first = steps.next();
        capture.is_man && capture.takes() >= 3 && steps.all(|step| Some(step) == first)
    })
}

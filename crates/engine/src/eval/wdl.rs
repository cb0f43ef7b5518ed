//! What a score means: how likely win, draw and loss are.
//!
//! An ordered logistic model. With the score `s` in men for the side to move and the number of pieces on the board,
//! from which `margin`, `spread`, `tail` and `upset` are interpolated:
//!
//! ```text
//! x    = asinh(s)
//! win  = share(x)
//! loss = share(-x)
//! draw = 1 - win - loss
//! share(x) = 1 / (1 + exp(-logit(x)))
//! logit(x) = (x - margin) / tail              where x >= margin
//!            (x - margin) / spread            where 0 <= x < margin
//!            x / upset - margin / spread      where x < 0
//! ```
//!
//! `asinh` is about s for small scores and grows as the logarithm for large ones: a third man more changes less than
//! the first. `margin` is the x at which a win is as likely as not. The smaller a scale, the faster the chance changes:
//! `spread` from 0 to the margin, `tail` above it, `upset` for the side that is behind, whose chance falls more slowly
//! than the other side's grows. The model is the same for both sides. The constants are fitted to results of games
//! (`damier dataset wdl`); a file of weights may have its own in the training record.

use super::Score;
use serde::{Deserialize, Serialize};

/// Probabilities of win, draw and loss for the side to move; they sum to 1.
#[derive(Clone, Copy, PartialEq, Debug, Serialize)]
pub struct Wdl {
    /// Probability of a win.
    pub win: f64,
    /// Probability of a draw.
    pub draw: f64,
    /// Probability of a loss.
    pub loss: f64,
}

impl Wdl {
    /// A certain win.
    pub const WIN: Wdl = Wdl {
        win: 1.0,
        draw: 0.0,
        loss: 0.0,
    };
    /// A certain draw.
    pub const DRAW: Wdl = Wdl {
        win: 0.0,
        draw: 1.0,
        loss: 0.0,
    };
    /// A certain loss.
    pub const LOSS: Wdl = Wdl {
        win: 0.0,
        draw: 0.0,
        loss: 1.0,
    };

    /// Expected points: 1 for a win, a half for a draw.
    pub fn expected(self) -> f64 {
        self.win + self.draw / 2.0
    }

    /// Expected points to three decimals.
    pub fn expected_rounded(self) -> f64 {
        (self.expected() * 1e3).round() / 1e3
    }

    /// The chances of the other side.
    pub fn swapped(self) -> Wdl {
        Wdl {
            win: self.loss,
            draw: self.draw,
            loss: self.win,
        }
    }

    /// Win, draw and loss in thousandths that sum to 1000.
    pub fn per_mille(self) -> [u32; 3] {
        let win = (self.win * 1e3).round() as u32;
        let loss = (self.loss * 1e3).round() as u32;
        let loss = loss.min(1_000 - win);
        [win, 1_000 - win - loss, loss]
    }

    /// Win, draw and loss to three decimals that sum to 1.
    pub fn rounded(self) -> [f64; 3] {
        self.per_mille().map(|share| f64::from(share) / 1e3)
    }
}

/// The constants for positions with so many pieces.
#[derive(Clone, Copy, PartialEq, Debug, Serialize, Deserialize)]
pub struct Knot {
    /// Men and kings of both sides.
    pub pieces: u32,
    /// The x at which a win is as likely as not.
    pub margin: f64,
    /// The change of x for a change of the logit by 1, from 0 to the margin.
    pub spread: f64,
    /// `spread` above the margin; in older files, which lack it, `spread`.
    #[serde(default)]
    pub tail: f64,
    /// `spread` below zero, for the side that is behind; in older files, which lack it, `spread`.
    #[serde(default)]
    pub upset: f64,
}

impl Knot {
    /// The probability of a win at `x`, and that of a loss at `-x`.
    pub fn share(&self, x: f64) -> f64 {
        1.0 / (1.0 + (-self.logit(x)).exp())
    }

    fn logit(&self, x: f64) -> f64 {
        match x {
            x if x >= self.margin => (x - self.margin) / self.tail,
            x if x >= 0.0 => (x - self.margin) / self.spread,
            x => x / self.upset - self.margin / self.spread,
        }
    }

    /// The derivatives of the logit of [`Knot::share`] by margin, spread, tail and upset.
    pub fn derivatives(&self, x: f64) -> [f64; 4] {
        let Knot {
            margin,
            spread,
            tail,
            upset,
            ..
        } = *self;
        match x {
            x if x >= margin => [-1.0 / tail, 0.0, (margin - x) / (tail * tail), 0.0],
            x if x >= 0.0 => [-1.0 / spread, (margin - x) / (spread * spread), 0.0, 0.0],
            x => [
                -1.0 / spread,
                margin / (spread * spread),
                0.0,
                -x / (upset * upset),
            ],
        }
    }
}

/// The model: constants at some numbers of pieces, interpolated between them.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(transparent)]
pub struct WdlModel {
    knots: Vec<Knot>,
}

/// Numbers of pieces at which a fitted model has constants.
pub const KNOTS: [u32; 9] = [4, 7, 10, 13, 16, 20, 24, 32, 40];

/// Most constants that are read from a file.
const MOST_KNOTS: usize = 64;

impl Default for WdlModel {
    /// The model of weights that have none in their record: fitted to games of generation 9, 4,773 at 6,000 nodes a
    /// move for how the constants depend on the pieces, 1,048 at 20,000 for their size.
    fn default() -> WdlModel {
        let knots = [
            (4, 1.455, 0.181),
            (10, 1.234, 0.175),
            (16, 1.022, 0.223),
            (24, 0.807, 0.284),
            (32, 0.781, 0.306),
            (40, 0.718, 0.282),
        ];
        let knots = knots.map(|(pieces, margin, spread)| Knot {
            pieces,
            margin,
            spread,
            tail: spread,
            upset: spread,
        });
        WdlModel {
            knots: knots.to_vec(),
        }
    }
}

/// The score as the model takes it.
pub fn compressed(score: Score) -> f64 {
    score.men().asinh()
}

impl WdlModel {
    /// A model with these constants, by ascending numbers of pieces. None where they do not ascend, are none, or are no
    /// numbers above zero.
    pub fn new(mut knots: Vec<Knot>) -> Option<WdlModel> {
        for knot in &mut knots {
            for untold in [&mut knot.tail, &mut knot.upset] {
                if *untold == 0.0 {
                    *untold = knot.spread;
                }
            }
        }
        let ascending = knots.windows(2).all(|two| two[0].pieces < two[1].pieces);
        let range = 1e-3..=1e2;
        let constants = |knot: &Knot| [knot.margin, knot.spread, knot.tail, knot.upset];
        let sound = |knot: &Knot| constants(knot).iter().all(|number| range.contains(number));
        let fits = !knots.is_empty() && knots.len() <= MOST_KNOTS && ascending;
        (fits && knots.iter().all(sound)).then_some(WdlModel { knots })
    }

    /// The constants.
    pub fn knots(&self) -> &[Knot] {
        &self.knots
    }

    /// What a score for the side to move means in a position with so many pieces. Proven results are certain.
    pub fn wdl(&self, score: Score, pieces: u32) -> Wdl {
        if !score.is_eval() {
            return match score > Score::DRAW {
                true => Wdl::WIN,
                false => Wdl::LOSS,
            };
        }
        let constants = self.constants(pieces);
        let x = compressed(score);
        // The better side has what its own share says, whatever the constants.
        let better = constants.share(x.abs());
        let worse = constants.share(-x.abs()).min(1.0 - better);
        let (win, loss) = match x < 0.0 {
            true => (worse, better),
            false => (better, worse),
        };
        Wdl {
            win,
            draw: 1.0 - win - loss,
            loss,
        }
    }

    /// The constants for a number of pieces.
    pub fn constants(&self, pieces: u32) -> Knot {
        let (left, right, share) = self.between(pieces);
        let (left, right) = (self.knots[left], self.knots[right]);
        let mix = |a: f64, b: f64| a + (b - a) * share;
        Knot {
            pieces,
            margin: mix(left.margin, right.margin),
            spread: mix(left.spread, right.spread),
            tail: mix(left.tail, right.tail),
            upset: mix(left.upset, right.upset),
        }
    }

    /// The knots around a number of pieces, and how much of the way from the first to the second it is.
    pub fn between(&self, pieces: u32) -> (usize, usize, f64) {
        let last = self.knots.len() - 1;
        let above = self.knots.partition_point(|knot| knot.pieces <= pieces);
        match above {
            0 => (0, 0, 0.0),
            above if above > last => (last, last, 0.0),
            above => {
                let (left, right) = (self.knots[above - 1].pieces, self.knots[above].pieces);
                let share = f64::from(pieces - left) / f64::from(right - left);
                (above - 1, above, share)
            }
        }
    }

    /// The model in the training record of weights, under `wdl`. None where there is none, or none that can be used.
    pub fn of_record(record: &str) -> Option<WdlModel> {
        #[derive(Deserialize)]
        struct Record {
            wdl: Vec<Knot>,
        }
        let record: Record = serde_json::from_str(record).ok()?;
        WdlModel::new(record.wdl)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The model of the weights inside the program.
    fn embedded() -> WdlModel {
        let file = crate::eval::WeightsFile::from_bytes(crate::eval::WeightsFile::EMBEDDED);
        WdlModel::of_record(&file.expect("weights").record).expect("a model")
    }

    #[test]
    fn probabilities_sum_to_one_and_mirror() {
        are_probabilities(&WdlModel::default());
        are_probabilities(&embedded());
    }

    fn are_probabilities(model: &WdlModel) {
        for pieces in 0..=50 {
            let mut last = 0.0;
            for centimen in (-8_000..=8_000).step_by(25) {
                let score = Score::new(centimen);
                let wdl = model.wdl(score, pieces);
                assert!((wdl.win + wdl.draw + wdl.loss - 1.0).abs() < 1e-9);
                assert!(
                    wdl.win >= 0.0 && wdl.draw >= 0.0 && wdl.loss >= 0.0,
                    "{wdl:?}"
                );
                assert!(wdl.expected() >= last);
                last = wdl.expected();
                let other = model.wdl(-score, pieces).swapped();
                assert!((other.win - wdl.win).abs() + (other.loss - wdl.loss).abs() < 1e-9);
                assert_eq!(wdl.per_mille().iter().sum::<u32>(), 1_000);
            }
        }
        assert_eq!(model.wdl(Score::win_in(3), 9), Wdl::WIN);
        assert_eq!(model.wdl(-Score::table_win_in(3), 9), Wdl::LOSS);
    }

    #[test]
    fn the_derivatives_are_those_of_the_logit() {
        let knot = Knot {
            pieces: 20,
            margin: 1.1,
            spread: 0.3,
            tail: 0.2,
            upset: 0.6,
        };
        for x in [-2.0, -0.3, 0.4, 1.0, 1.2, 3.0] {
            let by = knot.derivatives(x);
            for (at, by) in by.into_iter().enumerate() {
                let mut changed = knot;
                let constants = [
                    &mut changed.margin,
                    &mut changed.spread,
                    &mut changed.tail,
                    &mut changed.upset,
                ];
                *constants.into_iter().nth(at).expect("four") += 1e-6;
                let slope = (changed.logit(x) - knot.logit(x)) / 1e-6;
                assert!((slope - by).abs() < 1e-3, "{x} {at}: {slope} {by}");
            }
        }
    }

    #[test]
    fn who_is_behind_wins_more_often_than_the_other_slope_says() {
        let knot = |upset| Knot {
            pieces: 20,
            margin: 1.0,
            spread: 0.3,
            tail: 0.3,
            upset,
        };
        let loss = |upset| {
            let model = WdlModel::new(vec![knot(upset)]).expect("a model");
            model.wdl(Score::new(50), 20).loss
        };
        assert!(loss(0.9) > 1.5 * loss(0.3));
        // Older files, which do not say.
        assert_eq!(loss(0.0), loss(0.3));
    }

    #[test]
    fn extreme_constants_give_probabilities_still() {
        let knot = Knot {
            pieces: 10,
            margin: 0.01,
            spread: 90.0,
            tail: 0.01,
            upset: 100.0,
        };
        let model = WdlModel::new(vec![knot]).expect("a model");
        for centimen in [-8_000, -300, -1, 0, 1, 2, 300, 8_000] {
            let wdl = model.wdl(Score::new(centimen), 20);
            assert!(
                wdl.win >= 0.0 && wdl.draw >= 0.0 && wdl.loss >= 0.0,
                "{wdl:?}"
            );
            assert!((wdl.win + wdl.draw + wdl.loss - 1.0).abs() < 1e-9);
        }
        assert!(model.wdl(Score::new(300), 20).win > 0.99);
    }

    #[test]
    fn fewer_pieces_need_a_larger_score() {
        let model = WdlModel::default();
        let win = |pieces| model.wdl(Score::new(120), pieces).win;
        assert!(win(6) < win(12) && win(12) < win(20) && win(20) < win(30));
    }

    #[test]
    fn constants_that_cannot_be_used_are_refused() {
        let knot = |pieces, margin| Knot {
            pieces,
            margin,
            spread: 0.4,
            tail: 0.4,
            upset: 0.4,
        };
        assert!(WdlModel::new(vec![knot(4, 1.0), knot(40, 0.9)]).is_some());
        for bad in [
            vec![],
            vec![knot(4, f64::NAN)],
            vec![knot(4, -1.0)],
            vec![knot(9, 1.0), knot(9, 1.0)],
        ] {
            assert!(WdlModel::new(bad).is_none());
        }
        let record = r#"{"games":3,"wdl":[{"pieces":4,"margin":1.5,"spread":0.4}]}"#;
        let model = WdlModel::of_record(record).expect("a model");
        assert_eq!(model.knots(), [knot(4, 1.5)]);
        for none in ["", "{}", r#"{"wdl":3}"#, r#"{"wdl":[]}"#] {
            assert!(WdlModel::of_record(none).is_none());
        }
    }
}

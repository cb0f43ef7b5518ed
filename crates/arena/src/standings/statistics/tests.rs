use super::*;
use damier_engine::rng::Rng;
use damier_rules::GameResult::{Draw, Loss, Win};

fn tally(pairs: [u64; 5], singles: [u64; 3]) -> Tally {
    let mut tally = Tally::new();
    let games = [
        (Loss, Loss),
        (Loss, Draw),
        (Draw, Draw),
        (Draw, Win),
        (Win, Win),
    ];
    for (count, (first, second)) in pairs.into_iter().zip(games) {
        (0..count).for_each(|_| tally.add_pair(first, second));
    }
    for (count, result) in singles.into_iter().zip([Loss, Draw, Win]) {
        (0..count).for_each(|_| tally.add_single(result));
    }
    tally
}

fn near(value: f64, expected: f64) {
    let error = (value - expected).abs();
    assert!(
        error < 1e-3 * expected.abs().max(0.1),
        "{value}, expected {expected}"
    );
}

#[test]
fn games_are_counted() {
    let mut tally = tally([1, 2, 3, 4, 5], [0, 0, 0]);
    assert_eq!(tally.wdl(), [14, 12, 4]);
    tally.add_pair(Win, Loss);
    tally.add_single(Win);
    assert_eq!((tally.games(), tally.pairs()), (33, 16));
    assert_eq!(tally.pentanomial(), [1, 2, 4, 4, 5]);
    assert_eq!(tally.wdl(), [16, 12, 5]);
    assert_eq!(tally.points(), 22.0);
    assert_eq!(tally.decisive_pair_rate(), 0.75);
    assert_eq!(tally.draw_rate(), 12.0 / 33.0);
    let reversed = tally.reversed();
    assert_eq!((reversed.wdl(), reversed.points()), ([5, 12, 16], 11.0));
    let mut sum = tally;
    sum.add(&reversed);
    assert_eq!((sum.score(), sum.games()), (0.5, 66));
}

/// Computed by another method: Newton's on the probabilities themselves.
#[test]
fn elo_los_and_the_test_are_those_of_another_program() {
    for (pairs, singles, [value, low, high, los, llr, lower_llr]) in [
        (
            [10, 45, 120, 60, 15],
            [0, 0, 0],
            [17.3863, -2.1125, 36.9382, 0.959_867, 0.750_857, 0.568_117],
        ),
        (
            [10, 45, 120, 60, 15],
            [3, 4, 5],
            [18.3388, -1.3733, 37.3972, 0.965_758, 0.792_203, 0.594_677],
        ),
        (
            [0, 3, 40, 7, 0],
            [0, 0, 0],
            [13.9048, -7.9821, 36.6698, 0.900_225, 0.480_842, 0.376_878],
        ),
        (
            [0, 0, 0, 0, 0],
            [20, 55, 25],
            [17.3863, -28.5096, 63.5276, 0.772_204, 0.137_005, 0.104_159],
        ),
    ] {
        let tally = tally(pairs, singles);
        let elo = tally.elo().unwrap();
        near(elo.value, value);
        near(elo.low, low);
        near(elo.high, high);
        near(tally.los(), los);
        near(tally.sprt(bounds(0.0, 5.0)).llr, llr);
        near(tally.sprt(bounds(-3.0, 0.0)).llr, lower_llr);
        // The opponent's view is the mirror image.
        let other = tally.reversed();
        let seen = other.elo().unwrap();
        near(seen.low, -high);
        near(seen.high, -low);
        near(other.los(), 1.0 - los);
        near(other.sprt(bounds(-5.0, 0.0)).llr, -llr);
    }
}

fn bounds(elo0: f64, elo1: f64) -> SprtBounds {
    SprtBounds::new(elo0, elo1, 0.05, 0.05).unwrap()
}

fn normalised(elo0: f64, elo1: f64) -> SprtBounds {
    SprtBounds {
        unit: EloUnit::Normalised,
        ..bounds(elo0, elo1)
    }
}

#[test]
fn normalised_elo_is_the_score_by_the_deviation_of_a_game() {
    let interval = tally([10, 45, 120, 60, 15], [0, 0, 0])
        .normalised_elo()
        .unwrap();
    near(interval.value, 27.297_12);
    // The error by the jackknife.
    let half = (interval.high - interval.low) / 2.0;
    assert!((half - 30.797).abs() < 0.01 * 30.797, "{half}");
    let single = tally([0; 5], [25, 50, 25 + 10]).normalised_elo().unwrap();
    let variance = (60.0 * 0.25 - 110.0 * (5.0f64 / 110.0).powi(2)) / 110.0;
    near(
        single.value,
        5.0 / 110.0 / variance.sqrt() * 800.0 / 10f64.ln(),
    );
}

#[test]
fn few_games_and_full_scores_make_sense() {
    let none = Tally::new();
    assert_eq!(
        (none.elo(), none.normalised_elo(), none.los(), none.score()),
        (None, None, 0.5, 0.5)
    );
    assert_eq!((none.draw_rate(), none.decisive_pair_rate()), (0.0, 0.0));
    assert_eq!(none.sprt(bounds(0.0, 5.0)).llr, 0.0);
    // Five pairs won: the score was at least exp(-1.9207 / 5), 95 times of 100.
    let won = tally([0, 0, 0, 0, 5], [0, 0, 0]);
    let elo = won.elo().unwrap();
    assert_eq!((elo.value, elo.high), (f64::INFINITY, f64::INFINITY));
    near(elo.low, elo_of((-1.920_73f64 / 5.0).exp()));
    assert!(won.los() > 0.99 && won.normalised_elo().is_none());
    let lost = won.reversed().elo().unwrap();
    assert_eq!(
        (lost.low, lost.value),
        (f64::NEG_INFINITY, f64::NEG_INFINITY)
    );
    near(lost.high, -elo.low);
    // Only draws: a share of 1 - exp(-1.9207 / 50) of the pairs may be won.
    let drawn = tally([0, 0, 50, 0, 0], [0, 0, 0]);
    let elo = drawn.elo().unwrap();
    assert_eq!((elo.value, drawn.los()), (0.0, 0.5));
    near(
        elo.high,
        elo_of(0.5 + 0.5 * (1.0 - (-1.920_73f64 / 50.0).exp())),
    );
    near(elo.low, -elo.high);
    for result in [Win, Draw, Loss] {
        let mut one = Tally::new();
        one.add_single(result);
        let sprt = one.sprt(bounds(0.0, 5.0));
        assert!(sprt.llr.abs() < 0.1 && sprt.verdict.is_none(), "{sprt:?}");
        assert!(one.elo().is_some() && one.los() > 0.1 && one.los() < 0.9);
    }
}

#[test]
fn many_pairs_are_as_the_normal_distribution_has_them() {
    let tally = tally([1_000, 4_500, 12_000, 6_000, 1_500], [0; 3]);
    let (n, mean) = (25_000.0, 0.525f64);
    let counts = [1_000.0, 4_500.0, 12_000.0, 6_000.0, 1_500.0];
    let square = |(i, n): (usize, &f64)| n * (i as f64 / 4.0 - mean).powi(2);
    let error = (counts.iter().enumerate().map(square).sum::<f64>() / n / n).sqrt();
    let elo = tally.elo().unwrap();
    near(elo.low, elo_of(mean - Z95 * error));
    near(elo.high, elo_of(mean + Z95 * error));
    let sprt = tally.sprt(bounds(0.0, 5.0));
    let (s0, s1) = (score_of(0.0), score_of(5.0));
    let llr = (s1 - s0) * (2.0 * mean - s0 - s1) / (2.0 * error * error);
    assert!((sprt.llr / llr - 1.0).abs() < 0.02, "{} {llr}", sprt.llr);
    assert_eq!(sprt.verdict, Some(Hypothesis::H1));
}

/// A test in normalised Elo asks for a score in standard deviations of a game: with more draws the score that decides
/// is closer to a half.
#[test]
fn bounds_in_normalised_elo_follow_the_spread_of_the_results() {
    for (counts, n) in [
        ([100, 450, 1_200, 600, 150], 2_500.0),
        ([10, 100, 2_200, 160, 30], 2_500.0),
    ] {
        let tally = tally(counts, [0; 3]);
        let mean = tally.score();
        let variance = tally.squares_around(mean) / (2.0 * n);
        let score = |elo: f64| 0.5 + elo * variance.sqrt() / NORMALISED;
        let (s0, s1) = (score(0.0), score(5.0));
        let llr = (s1 - s0) * (2.0 * mean - s0 - s1) / (2.0 * variance / (2.0 * n));
        let sprt = tally.sprt(normalised(0.0, 5.0));
        assert!((sprt.llr / llr - 1.0).abs() < 0.05, "{} {llr}", sprt.llr);
        // The same whatever the unit, where the bounds are the same scores.
        let elo = tally.sprt(bounds(elo_of(s0), elo_of(s1)));
        near(sprt.llr, elo.llr);
    }
    // Without a spread there is nothing to measure by.
    let drawn = tally([0, 0, 50, 0, 0], [0, 0, 0]);
    assert_eq!(drawn.sprt(normalised(0.0, 5.0)).llr, 0.0);
}

#[test]
fn bounds_are_read_and_checked() {
    assert_eq!("0,5".parse(), Ok(bounds(0.0, 5.0)));
    assert_eq!(" -3 , 0.5 ".parse(), Ok(bounds(-3.0, 0.5)));
    assert_eq!("-3,0.5,elo".parse(), Ok(bounds(-3.0, 0.5)));
    assert_eq!("0, 5, normalised".parse(), Ok(normalised(0.0, 5.0)));
    for (text, error) in [
        ("", SprtBoundsError::Syntax),
        ("5", SprtBoundsError::Syntax),
        ("a,b", SprtBoundsError::Syntax),
        ("0,5,x", SprtBoundsError::Syntax),
        ("0,5,elo,elo", SprtBoundsError::Syntax),
        ("5,5", SprtBoundsError::Order),
        ("nan,5", SprtBoundsError::Order),
        ("0,inf", SprtBoundsError::Order),
        ("-2000,0", SprtBoundsError::Order),
    ] {
        assert_eq!(text.parse::<SprtBounds>(), Err(error), "{text}");
    }
    assert_eq!(
        SprtBounds::new(0.0, 5.0, 0.0, 0.05),
        Err(SprtBoundsError::Rate)
    );
    assert_eq!(
        SprtBounds::new(0.0, 5.0, 0.05, 0.5),
        Err(SprtBoundsError::Rate)
    );
    let sprt = Tally::new().sprt(bounds(0.0, 5.0));
    near(sprt.upper, 19f64.ln());
    near(sprt.lower, -(19f64.ln()));
}

#[test]
fn the_normal_distribution_is_the_table_of_the_books() {
    for (x, p) in [
        (0.0, 0.5),
        (1.0, 0.841_344_746),
        (-1.959_963_985, 0.025),
        (3.0, 0.998_650_102),
        (-6.0, 9.865_876e-10),
    ] {
        let computed = likelihood::normal(x);
        assert!((computed - p).abs() < 1e-8 * p.max(1e-3), "{x}: {computed}");
    }
    assert_eq!(
        (likelihood::normal(9.0), likelihood::normal(-9.0)),
        (1.0, 0.0)
    );
}

/// Pairs between engines that differ by this much Elo: mostly draws, and openings that favour one colour.
fn play_pair(rng: &mut Rng, elo: f64) -> (GameResult, GameResult) {
    let score = score_of(elo);
    let mut game = |bias: f64| {
        // 60 % draws; the rest is split to give the right score.
        let win = score - 0.3 + bias;
        let drawn = rng.unit();
        match (drawn < 0.6, drawn < 0.6 + win) {
            (true, _) => Draw,
            (_, true) => Win,
            _ => Loss,
        }
    };
    (game(0.1), game(-0.1))
}

/// Error rates of whole tests over this many runs each.
fn error_rates(runs: u64, [elo0, elo1]: [f64; 2]) -> [f64; 2] {
    [elo0, elo1].map(|elo| {
        let wrong = (0..runs).filter(|&run| {
            let mut rng = Rng::stream(elo.to_bits(), run);
            let mut tally = Tally::new();
            let verdict = loop {
                // In batches: like a match, the test is evaluated from time to time.
                for _ in 0..8 {
                    let (first, second) = play_pair(&mut rng, elo);
                    tally.add_pair(first, second);
                }
                if let Some(verdict) = tally.sprt(bounds(elo0, elo1)).verdict {
                    break verdict;
                }
            };
            (verdict == Hypothesis::H1) != (elo == elo1)
        });
        wrong.count() as f64 / runs as f64
    })
}

#[test]
fn the_sequential_test_errs_as_seldom_as_it_promises() {
    // 400 runs with 5 % errors: 2.2 standard deviations are 2.4 %.
    let rates = error_rates(400, [0.0, 40.0]);
    assert!(rates.iter().all(|&rate| rate < 0.075), "{rates:?}");
}

#[test]
fn the_sequential_test_errs_as_seldom_as_it_promises_for_small_differences() {
    let rates = error_rates(1_000, [0.0, 10.0]);
    assert!(
        rates.iter().all(|&rate| (0.02..0.065).contains(&rate)),
        "{rates:?}"
    );
}

#[test]
fn intervals_hold_the_truth_as_often_as_they_promise() {
    let elo = 35.0;
    let held = (0..1_000).filter(|&run| {
        let mut rng = Rng::stream(3, run);
        let mut tally = Tally::new();
        for _ in 0..60 {
            let (first, second) = play_pair(&mut rng, elo);
            tally.add_pair(first, second);
        }
        let interval = tally.elo().unwrap();
        interval.low <= elo && elo <= interval.high
    });
    // 95 % of 1000, three standard deviations are 21.
    let held = held.count();
    assert!((920..=975).contains(&held), "{held}");
}

#[test]
fn ratings_explain_the_scores() {
    let mut table = CrossTable::new(3);
    table.add(0, 1, &tally([0, 20, 200, 60, 20], [0; 3]));
    assert_eq!(
        table.against(1, 0).points(),
        600.0 - table.against(0, 1).points()
    );
    assert_eq!(table.ratings(), None, "the third has met nobody");
    table.add(1, 2, &tally([10, 40, 200, 40, 10], [0; 3]));
    table.add_pair(2, 0, Draw, Loss);
    table.add_single(2, 1, Draw);
    let ratings = table.ratings().unwrap();
    let sum: f64 = ratings.iter().map(|rating| rating.elo).sum();
    assert!(sum.abs() < 1e-6, "{ratings:?}");
    for (engine, rating) in ratings.iter().enumerate() {
        // The score of everyone is the one expected, but for the half game that is added.
        let expected = |other: usize| {
            let games = table.against(engine, other).games() as f64;
            games * score_of(rating.elo - ratings[other].elo)
        };
        let expected: f64 = (0..3).filter(|&other| other != engine).map(expected).sum();
        assert!(
            (table.total(engine).points() - expected).abs() < 0.5,
            "{engine}"
        );
    }
    // Two engines: half the difference each, and half the error.
    let mut two = CrossTable::new(2);
    let results = tally([10, 45, 120, 60, 15], [0; 3]);
    two.add(0, 1, &results);
    let ratings = two.ratings().unwrap();
    let elo = results.elo().unwrap();
    assert!(
        (ratings[0].elo - ratings[1].elo - elo.value).abs() < 0.1,
        "{ratings:?}"
    );
    let half = (elo.high - elo.low) / 2.0;
    assert!(
        (ratings[0].error * 2.0 - half).abs() < 0.5,
        "{ratings:?} {half}"
    );
    // All games won: a bound, not infinity.
    let mut won = CrossTable::new(2);
    won.add(0, 1, &tally([0, 0, 0, 0, 10], [0; 3]));
    let ratings = won.ratings().unwrap();
    assert!(
        ratings[0].elo > 100.0 && ratings[0].elo < 500.0 && ratings[0].error > 50.0,
        "{ratings:?}"
    );
}

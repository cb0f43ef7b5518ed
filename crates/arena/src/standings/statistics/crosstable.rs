//! Results of more than two engines.

use super::{Tally, Z95, score_of};
use damier_rules::GameResult;

/// The results of all engines against each other.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct CrossTable {
    engines: usize,
    /// Row by row: the results of an engine against each other engine.
    cells: Vec<Tally>,
}

/// The rating of an engine among those it met.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Rating {
    /// Elo; the mean of all engines is 0.
    pub elo: f64,
    /// Half the width of the 95 % interval, in Elo.
    pub error: f64,
}

impl CrossTable {
    /// An empty table for this many engines.
    pub fn new(engines: usize) -> CrossTable {
        CrossTable {
            engines,
            cells: vec![Tally::new(); engines * engines],
        }
    }

    /// How many engines.
    pub fn engines(&self) -> usize {
        self.engines
    }

    /// Counts the two games of an opening between two engines, each as it ended for the first of them.
    pub fn add_pair(
        &mut self,
        engine: usize,
        opponent: usize,
        first: GameResult,
        second: GameResult,
    ) {
        let mut tally = Tally::new();
        tally.add_pair(first, second);
        self.add(engine, opponent, &tally);
    }

    /// Counts a game without its pair, as it ended for the first engine.
    pub fn add_single(&mut self, engine: usize, opponent: usize, result: GameResult) {
        let mut tally = Tally::new();
        tally.add_single(result);
        self.add(engine, opponent, &tally);
    }

    /// Adds results of an engine against another.
    pub fn add(&mut self, engine: usize, opponent: usize, tally: &Tally) {
        self.cells[engine * self.engines + opponent].add(tally);
        self.cells[opponent * self.engines + engine].add(&tally.reversed());
    }

    /// The results of an engine against another.
    pub fn against(&self, engine: usize, opponent: usize) -> &Tally {
        &self.cells[engine * self.engines + opponent]
    }

    /// All results of an engine.
    pub fn total(&self, engine: usize) -> Tally {
        let mut total = Tally::new();
        let row = &self.cells[engine * self.engines..][..self.engines];
        row.iter().for_each(|tally| total.add(tally));
        total
    }

    /// Maximum-likelihood ratings (Bradley and Terry): for every engine, expected and achieved points agree. Half a
    /// drawn game is added between any two that met, so that no rating is infinite. The errors come from the variance
    /// of the pairs. None if the engines form groups that never met each other.
    pub fn ratings(&self) -> Option<Vec<Rating>> {
        let mut elo = vec![0.0; self.engines];
        for _ in 0..200 {
            let (gradient, curvature) = self.slopes(&elo);
            let step = multiply(&invert(curvature)?, &gradient);
            // A Newton step of limited length.
            let largest = step.iter().fold(0.0, |most: f64, s| most.max(s.abs()));
            let scale = if largest > 200.0 {
                200.0 / largest
            } else {
                1.0
            };
            elo.iter_mut().zip(&step).for_each(|(e, s)| *e += scale * s);
            if largest < 1e-9 {
                break;
            }
        }
        let (_, curvature) = self.slopes(&elo);
        let spread = invert(curvature)?;
        let noise = self.noise(&elo);
        let error = |i: usize| {
            let row = &spread[i];
            let moved = multiply(&noise, row);
            Z95 * row
                .iter()
                .zip(&moved)
                .map(|(a, b)| a * b)
                .sum::<f64>()
                .max(0.0)
                .sqrt()
        };
        let rating = |(i, &elo): (usize, &f64)| Rating {
            elo,
            error: error(i),
        };
        Some(elo.iter().enumerate().map(rating).collect())
    }

    /// All pairs of engines that met: both numbers, games and points of the first, including the virtual half game.
    fn meetings(&self) -> impl Iterator<Item = (usize, usize, f64, f64)> {
        let pairs = (0..self.engines).flat_map(move |i| (0..i).map(move |j| (i, j)));
        pairs.filter_map(|(i, j)| {
            let tally = self.against(i, j);
            let games = tally.games() as f64;
            (games > 0.0).then(|| (i, j, games + 0.5, tally.points() + 0.25))
        })
    }

    /// Points in excess of those expected, for each engine, and their derivative with respect to the ratings.
    fn slopes(&self, elo: &[f64]) -> (Vec<f64>, Vec<Vec<f64>>) {
        let mut gradient = vec![0.0; self.engines];
        // Ratings are determined only up to a constant: this term keeps their mean at 0 and changes nothing else.
        let mut curvature = vec![vec![1e-3 / self.engines as f64; self.engines]; self.engines];
        for (i, j, games, points) in self.meetings() {
            let expected = score_of(elo[i] - elo[j]);
            let excess = points - games * expected;
            gradient[i] += excess;
            gradient[j] -= excess;
            let slope = games * expected * (1.0 - expected) * std::f64::consts::LN_10 / 400.0;
            for (a, b, sign) in [(i, i, 1.0), (j, j, 1.0), (i, j, -1.0), (j, i, -1.0)] {
                curvature[a][b] += sign * slope;
            }
        }
        (gradient, curvature)
    }

    /// Covariance of the points, as a matrix like the curvature: variance of the pairs around their expectation.
    fn noise(&self, elo: &[f64]) -> Vec<Vec<f64>> {
        let mut noise = vec![vec![0.0; self.engines]; self.engines];
        for (i, j, ..) in self.meetings() {
            let expected = score_of(elo[i] - elo[j]);
            // The virtual half game has the variance of a game without draws.
            let seen = self.against(i, j).squares_around(expected);
            let variance = seen + 0.5 * expected * (1.0 - expected);
            for (a, b, sign) in [(i, i, 1.0), (j, j, 1.0), (i, j, -1.0), (j, i, -1.0)] {
                noise[a][b] += sign * variance;
            }
        }
        noise
    }
}

fn multiply(matrix: &[Vec<f64>], vector: &[f64]) -> Vec<f64> {
    let dot = |row: &Vec<f64>| row.iter().zip(vector).map(|(a, b)| a * b).sum();
    matrix.iter().map(dot).collect()
}

/// The inverse by Gauss-Jordan elimination with row exchanges; None for a singular matrix.
fn invert(mut matrix: Vec<Vec<f64>>) -> Option<Vec<Vec<f64>>> {
    let n = matrix.len();
    for (i, row) in matrix.iter_mut().enumerate() {
        row.extend((0..n).map(|j| f64::from(u8::from(i == j))));
    }
    for column in 0..n {
        let rows = column..n;
        let pivot =
            rows.max_by(|&a, &b| matrix[a][column].abs().total_cmp(&matrix[b][column].abs()))?;
        if matrix[pivot][column].abs() < 1e-12 {
            return None;
        }
        matrix.swap(column, pivot);
        let scale = matrix[column][column];
        matrix[column].iter_mut().for_each(|x| *x /= scale);
        let lead = matrix[column].clone();
        for (_, row) in matrix.iter_mut().enumerate().filter(|(i, _)| *i != column) {
            let factor = row[column];
            row.iter_mut()
                .zip(&lead)
                .for_each(|(x, l)| *x -= factor * l);
        }
    }
    Some(matrix.into_iter().map(|row| row[n..].to_vec()).collect())
}

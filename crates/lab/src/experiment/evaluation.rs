//! Where the games come from, and how the network is fitted: weights learned from self-play, from the results of the
//! same games as PDN, as people's games come, and from PDN that the engine has judged; logistic loss against least
//! squares. Where the user gives games of people, weights learn from these in the same two ways.
//!
//! All weights learn with the same settings. Their losses are compared on other games of self-play, and they play
//! matches.

use super::endings;
use super::matches::{Contender, Folder, Matches, score};
use super::{Curve, Findings, Grid, Plan, Plot, Scale, Variant};
use crate::LabError;
use crate::asked_to_end;
use damier_engine::search::Control;
use damier_os::shard::Shard;
use damier_training::dataset::{self, ShowOptions};
use damier_training::selfplay::import::{Import, import};
use damier_training::selfplay::{self, FixedLevel, SelfplaySettings};
use damier_training::train::{self, Labels, Losses, Objective, TestSet, TrainingSettings};
use std::fs;
use std::path::Path;

/// Games of the full and of the quick form.
const GAMES: (u64, u64) = (20_000, 200);
/// One game for the test in so many.
const TESTED: u64 = 10;
/// Nodes a move of the games.
const NODES: (u64, u64) = (400, 100);
/// Nodes a position by which the engine judges games in PDN.
const JUDGED: (u64, u64) = (1_000, 50);
/// Times that all positions are seen.
const EPOCHS: (u32, u32) = (8, 4);
/// Positions in a step of the quick form, and the weight of the mean so far: its steps are few.
const QUICK_STEPS: (usize, f64) = (128, 0.95);
/// Stages before the trainings and the matches: games of people, own games, test games, and the PDN of the own ones.
const STAGES: usize = 4;

/// The games that weights learn from.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Games {
    Own,
    /// Games in PDN.
    Pdn,
    People,
}

/// How weights are made.
struct Recipe {
    name: &'static str,
    file: &'static str,
    games: Games,
    /// Weight of the result.
    blend: f64,
    objective: Objective,
}

const RECIPES: [Recipe; 6] = [
    Recipe {
        name: "self-play",
        file: "selfplay.dwt",
        games: Games::Own,
        blend: 0.3,
        objective: Objective::Logistic,
    },
    Recipe {
        name: "self-play, least squares",
        file: "squares.dwt",
        games: Games::Own,
        blend: 0.3,
        objective: Objective::Squares,
    },
    Recipe {
        name: "PDN, results alone",
        file: "results.dwt",
        games: Games::Pdn,
        blend: 1.0,
        objective: Objective::Logistic,
    },
    Recipe {
        name: "PDN, judged by the engine",
        file: "judged.dwt",
        games: Games::Pdn,
        blend: 0.3,
        objective: Objective::Logistic,
    },
    Recipe {
        name: "games of people, results alone",
        file: "people-results.dwt",
        games: Games::People,
        blend: 1.0,
        objective: Objective::Logistic,
    },
    Recipe {
        name: "games of people, judged by the engine",
        file: "people-judged.dwt",
        games: Games::People,
        blend: 0.3,
        objective: Objective::Logistic,
    },
];

/// The recipes for which there are games.
fn recipes(plan: &Plan) -> Vec<&'static Recipe> {
    let has_games = |recipe: &&Recipe| recipe.games != Games::People || plan.pdn.is_some();
    RECIPES.iter().filter(has_games).collect()
}

/// Steps of the progress.
pub(super) fn steps(plan: &Plan) -> Result<usize, LabError> {
    let recipes = recipes(plan).len();
    Ok(STAGES + recipes + (recipes - 1) * plan.matches.games()? as usize)
}

type Progress<'a> = &'a mut dyn FnMut(usize) -> Result<(), LabError>;

pub(super) fn run(plan: &Plan, progress: Progress) -> Result<Findings, LabError> {
    let folder = Folder::open(plan)?;
    let games = if plan.quick { GAMES.1 } else { GAMES.0 };
    let (own, test) = (folder.file("games.dgr"), folder.file("test.dgr"));
    let people = folder.file("people.dgr");
    if let Some(text) = &plan.pdn {
        judge(plan, text, &people, &mut || progress(0))?;
    }
    play(plan, &own, 1, games, &mut || progress(1))?;
    play(plan, &test, 2, games / TESTED, &mut || progress(2))?;
    let (judged, text) = (folder.file("judged.dgr"), folder.file("games.pdn"));
    write_pdn(&own, &text)?;
    judge(plan, &text, &judged, &mut || progress(3))?;
    let recipes = recipes(plan);
    let filter = TrainingSettings::default().filter;
    let set = TestSet::load(&[test], Labels::default(), filter, &mut |_, _| {
        !asked_to_end()
    });
    let set = set.map_err(LabError::step)?.ok_or(LabError::Interrupted)?;
    let mut trained = Vec::new();
    for (index, recipe) in recipes.iter().enumerate() {
        let out = folder.file(recipe.file);
        let from = match recipe.games {
            Games::Own => &own,
            Games::Pdn => &judged,
            Games::People => &people,
        };
        progress(STAGES + index)?;
        let positions = learn(plan, recipe, from, &out)?;
        trained.push((positions, set.losses(&out).map_err(LabError::step)?));
    }
    let scores = matches(plan, &recipes, &folder, progress)?;
    let curve = |name: &str, value: fn(&Losses) -> f64| Curve {
        name: name.to_owned(),
        points: (1..)
            .zip(&trained)
            .map(|(at, (_, losses))| (at, value(losses)))
            .collect(),
    };
    Ok(Findings {
        experiment: plan.experiment.name(),
        positions: set.positions(),
        depth: None,
        tables: vec![
            grid(plan, games, &recipes, &trained, &scores),
            endings::grid(plan)?,
        ],
        plot: Plot {
            axis: "line of the table",
            unit: "cross entropy on other games, by the line of the table".to_owned(),
            scale: Scale::Linear,
            curves: vec![
                curve("against the scores", |losses| losses.score),
                curve("against the results", |losses| {
                    losses.result.unwrap_or(losses.loss)
                }),
            ],
        },
    })
}

/// The table: each recipe with its losses, and its match against the first.
fn grid(
    plan: &Plan,
    games: u64,
    recipes: &[&Recipe],
    trained: &[(usize, Losses)],
    scores: &[String],
) -> Grid {
    let rows = recipes.iter().zip(trained).enumerate();
    let rows = rows.map(|(index, (recipe, (positions, losses)))| {
        let loss = |loss: Option<f64>| loss.map_or_else(String::new, |loss| format!("{loss:.4}"));
        vec![
            recipe.name.to_owned(),
            positions.to_string(),
            loss(Some(losses.score)),
            loss(losses.result),
            index
                .checked_sub(1)
                .map_or_else(String::new, |at| scores[at].clone()),
        ]
    });
    Grid {
        title: format!(
            "Weights learned from the same {games} games of self-play with the hand-made evaluation{}. Losses \
             are cross entropies on {} other games, against the scores of their searches and against their \
             results. Matches at {} a move against the weights of the first line.",
            match plan.pdn {
                Some(_) => ", and from games of people",
                None => "",
            },
            games / TESTED,
            plan.matches.level
        ),
        columns: vec![
            "weights",
            "positions",
            "loss, score",
            "loss, result",
            "score (95 %)",
        ],
        rows: rows.collect(),
    }
}

/// Plays games of self-play, or goes on with them.
fn play(
    plan: &Plan,
    out: &Path,
    seed: u64,
    games: u64,
    told: &mut dyn FnMut() -> Result<(), LabError>,
) -> Result<(), LabError> {
    let nodes = if plan.quick { NODES.1 } else { NODES.0 };
    let run = selfplay::Run {
        settings: SelfplaySettings {
            seed,
            level: FixedLevel::Nodes(nodes),
            table_size: FixedLevel::Nodes(nodes).table_size(),
            weights: "handmade".into(),
            bb_size: plan.engine.bb_size as u8,
            ..SelfplaySettings::default()
        },
        games,
        shard: Shard::WHOLE,
        threads: plan.matches.concurrency.get(),
        out: out.to_owned(),
    };
    let control = Control::new();
    let played = selfplay::run(&run, &control, |_| {
        if told().is_err() {
            control.stop();
        }
    });
    match played.map_err(LabError::step)?.stopped {
        true => Err(LabError::Interrupted),
        false => Ok(()),
    }
}

/// Writes games as PDN, without their scores.
fn write_pdn(games: &Path, text: &Path) -> Result<(), LabError> {
    let mut pdn = Vec::new();
    let all = ShowOptions::Games {
        first: 0,
        count: u64::MAX,
    };
    dataset::show(&[games], all, &mut pdn).map_err(LabError::step)?;
    fs::write(text, pdn).map_err(|error| LabError::Read {
        file: text.display().to_string(),
        error,
    })
}

/// Has the engine judge games in PDN.
fn judge(
    plan: &Plan,
    text: &Path,
    out: &Path,
    told: &mut dyn FnMut() -> Result<(), LabError>,
) -> Result<(), LabError> {
    let run = Import {
        files: vec![text.to_owned()],
        encoding: plan.encoding,
        out: out.to_owned(),
        nodes: if plan.quick { JUDGED.1 } else { JUDGED.0 },
        search_all: true,
        engine: plan.engine.clone(),
        threads: plan.matches.concurrency.get(),
    };
    let imported = import(&run, &mut |_, _| told().is_ok()).map_err(LabError::step)?;
    for damage in &imported.damages {
        log::warn!("{damage}");
    }
    match imported.stopped {
        true => Err(LabError::Interrupted),
        false => Ok(()),
    }
}

/// Trains weights; gives the positions learned from.
fn learn(plan: &Plan, recipe: &Recipe, games: &Path, out: &Path) -> Result<usize, LabError> {
    let usual = TrainingSettings::default();
    let run = train::Run {
        files: vec![games.to_owned()],
        out: out.to_owned(),
        checkpoint: out.with_extension("ckpt"),
        from: None,
        settings: TrainingSettings {
            epochs: if plan.quick { EPOCHS.1 } else { EPOCHS.0 },
            labels: Labels {
                blend: recipe.blend,
                ..usual.labels
            },
            objective: recipe.objective,
            batch: if plan.quick {
                QUICK_STEPS.0
            } else {
                usual.batch
            },
            ema: if plan.quick { QUICK_STEPS.1 } else { usual.ema },
            ..usual
        },
        threads: plan.matches.concurrency.get(),
    };
    let summary = train::run(&run, &mut |_| !asked_to_end()).map_err(LabError::step)?;
    match summary.stopped {
        true => Err(LabError::Interrupted),
        false => Ok(summary.train),
    }
}

/// Each against the first.
fn matches(
    plan: &Plan,
    recipes: &[&Recipe],
    folder: &Folder,
    progress: Progress,
) -> Result<Vec<String>, LabError> {
    let games = plan.matches.games()? as usize;
    let arena = Matches::new(&plan.matches, &plan.engine)?;
    let contender = |recipe: &Recipe| {
        let weights = folder.file(recipe.file).display().to_string();
        let variant = Variant::new(recipe.name, &[("weights", &weights)]);
        Contender::new(variant, plan.matches.level)
    };
    let (first, others) = (recipes[0], &recipes[1..]);
    let mut scores = Vec::new();
    for (index, recipe) in others.iter().enumerate() {
        let mut told = |done| progress(STAGES + recipes.len() + index * games + done);
        let found = arena.play([&contender(recipe), &contender(first)], &mut told)?;
        scores.push(score(&found.tally));
    }
    Ok(scores)
}

//! The arena's player for engines that speak DXP, with the binary as the engine.

use crate::dxp_peer::{LONG, safe};
use damier::arena::level::GameLevel;
use damier::arena::players::dxp::{DxpPlayer, DxpRole, DxpSpec};
use damier::arena::players::process::Launch;
use damier::arena::players::{Answer, Player, Turn};
use damier::board::Color;
use damier::notation::fen;
use damier::rules::GameResult;
use damier::rules::{Game, Position, Status};
use std::sync::Arc;

/// A game of the player against safe moves; the engine is the binary.
fn arena_game(player: &mut DxpPlayer, color: Color, plies: usize) -> Game {
    let start = Position::start();
    let level = GameLevel::Nodes(300);
    player.begin(&start, color, level).expect("a game");
    let mut game = Game::new(start);
    while game.status() == Status::Playing && game.moves().len() < plies {
        if game.position().turn() == color {
            let turn = Turn {
                game: &game,
                level,
                remaining: None,
                patience: LONG,
            };
            match player.think(&turn).expect("an answer").answer {
                Answer::Move(mv) => game.play(mv),
                Answer::Claim(claim) => panic!("{claim:?} in {}", fen::format(game.position())),
            }
        } else {
            game.play(safe(game.position()));
        }
    }
    let result = match game.status() {
        Status::WonBy(winner) if winner == color => GameResult::Win,
        Status::WonBy(_) => GameResult::Loss,
        _ => GameResult::Draw,
    };
    player.finish(&game, result).expect("confirmed");
    game
}

fn spec(role: DxpRole, arguments: &[&str]) -> DxpSpec {
    let command = [
        env!("CARGO_BIN_EXE_damier"),
        "dxp",
        "--tt-size",
        "16",
        "--nodes",
        "300",
    ];
    let words = command.iter().chain(arguments);
    let launch = Launch {
        command: words.map(|&word| word.to_owned()).collect(),
        dir: None,
    };
    DxpSpec {
        name: "damier".to_owned(),
        launch: Some(launch),
        host: "127.0.0.1".to_owned(),
        port: 0,
        role,
        stdin: vec!["a line that it does not read".to_owned()],
    }
}

#[test]
fn the_arena_plays_with_engines_at_either_end() {
    for (role, arguments) in [
        (DxpRole::Client, ["--port", "{port}"]),
        (DxpRole::Server, ["--connect", "127.0.0.1:{port}"]),
    ] {
        let mut player = DxpPlayer::new(spec(role, &arguments), Arc::default());
        let long = arena_game(&mut player, Color::White, usize::MAX);
        assert!(long.moves().len() > 20);
        // Broken off by the referee at either side's turn.
        for plies in [0, 7, 8] {
            arena_game(&mut player, Color::Black, plies.max(2));
        }
        let process = player.process_id().expect("a process");
        player.restart();
        // Reaped, not just killed.
        #[cfg(target_os = "linux")]
        assert!(!std::path::Path::new(&format!("/proc/{process}")).exists());
        arena_game(&mut player, Color::Black, 10);
        assert_ne!(player.process_id(), Some(process));
    }
}

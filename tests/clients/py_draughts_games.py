#!/usr/bin/env python3
"""Plays whole games of a Hub engine against itself through the PyPI package py-draughts (tested with 1.10.1).

Uses `draughts.engines.HubEngine` (levels: depth and move-time; it sends positions without history) and its `Board` as
the referee: the library refuses an illegal move, and a game must end by its rules.

    py_draughts_games.py --engine "target/release/damier hub"

The library has a fault on Linux and macOS: it asks select() for the pipe, then reads through a buffer, so of two lines
that arrive in one read it sees the second only when a third arrives. An engine must therefore leave a short pause
between lines or, as pauses fail on a busy machine, wait until the pipe is empty; else this script ends by its watchdog.
The library adds the argument `hub` itself.

NB pydraughts and py-draughts both import as `draughts`: they need separate virtual environments.
"""

import argparse
import random

from harness import Failure, Watchdog, engine_command, finish

try:
    from loguru import logger

    from draughts import Board
    from draughts.engines import HubEngine
except ImportError as error:
    raise SystemExit(f"FAIL: the package py-draughts is not importable ({error})")

PLY_CAP = 300
ENDINGS = [
    "W:WK46,41,37,K33:B5,12,K18,26",
    "B:WK48,36,31:BK4,K15,9,10",
    "W:WK21,K26,K36:BK28",
    "W:W46,47,42,38,33,28:B2,8,12,13,19,24",
]


class Run:
    """The state of one run of this script."""

    def __init__(self, args):
        words = engine_command(args.engine)
        if words[1:] not in ([], ["hub"]):
            raise SystemExit('FAIL: py-draughts runs "PATH hub" and nothing else; write a wrapper script')
        self.path = words[0]
        self.random = random.Random(args.seed)
        self.watchdog = Watchdog(args.step, args.total)
        self.notes = []
        self.moves = 0
        self.games = 0

    def opening(self, plies=6):
        board = Board()
        for _ in range(plies):
            board.push(self.random.choice(list(board.legal_moves)))
        return board

    def game(self, label, board, **limits):
        """One game; the engine process lives for just this game."""
        engine = HubEngine(self.path, **limits)
        self.watchdog.step(f"{label}: handshake")
        self.watchdog.kill.append(lambda: engine.process and engine.process.kill())
        try:
            engine.start()
        except TimeoutError as error:
            raise Failure(f"{label}: {error} (two lines without a pause between them?)") from None
        process = self.watchdog.engine = engine.process
        for name in (engine.info.name, engine.info.version):
            if not name:
                raise Failure(f"{label}: no name or version in the `id` line")
        engine.new_game()
        if not engine.ping():
            raise Failure(f"{label}: no `pong`")
        plies = 0
        while not board.game_over and plies < PLY_CAP:
            where = f"{label}: ply {plies + 1}, {board.fen}"
            self.watchdog.step(where)
            try:
                move, score = engine.get_best_move(board, with_evaluation=True)
            except (RuntimeError, ValueError, OSError) as error:
                raise Failure(f"{where}: {str(error).splitlines()[0]}") from None
            if not isinstance(score, float):
                raise Failure(f"{where}: score {score!r}")
            board.push(move)
            plies += 1
            self.moves += 1
        if not board.game_over:
            self.notes.append(f"{label}: stopped at {PLY_CAP} plies")
        self.watchdog.step(f"{label}: quit")
        self.watchdog.engine = None
        engine.quit()
        if process.returncode:
            raise Failure(f"{label}: exit code {process.returncode} after `quit` (-9: had to be killed after 2 s)")
        errors = process.stderr.read()
        if errors:
            self.notes.append(f"{label}: on stderr: {errors.splitlines()[0]}")
        self.games += 1
        print(f"{label}: {plies} plies, {board.result}", flush=True)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--engine", required=True, help='the engine\'s path, with or without " hub"')
    parser.add_argument("--games", type=int, default=2, help="games per level (default 2)")
    parser.add_argument("--seed", type=int, default=1, help="for the random first plies")
    parser.add_argument("--step", type=float, default=15, help="seconds without progress before giving up")
    parser.add_argument("--total", type=float, default=300, help="seconds for the whole script")
    args = parser.parse_args()
    logger.remove()  # the library logs each line to stderr
    run = Run(args)

    def body():
        try:
            for game in range(args.games):
                run.game(f"depth {game + 1}", run.opening(), depth_limit=5)
                run.game(f"move-time {game + 1}", run.opening(), time_limit=0.02)
                run.game(f"ending, depth {game + 1}", Board.from_fen(ENDINGS[game % len(ENDINGS)]), depth_limit=7)
                run.game(f"ending, move-time {game + 1}", Board.from_fen(ENDINGS[(game + 2) % len(ENDINGS)]),
                         time_limit=0.01)
        finally:
            for kill in run.watchdog.kill:
                kill()
        for note in run.notes:
            print(f"note: {note}")
        print(f"{run.games} games, {run.moves} moves checked")

    finish(body)


if __name__ == "__main__":
    main()

#!/usr/bin/env python3
"""Plays whole games of a Hub engine against itself through the PyPI package pydraughts (tested with 0.6.7).

Drives `draughts.engine.HubEngine` as its users (above all lidraughts-bot) do: handshake, parameters, `init`, then
`play` with the start position and all moves of the game, at every kind of level, with pondering as the bot does it
(`ponder-hit` when the guess was right, else `stop`) and with `stop` during a search. pydraughts's own `Board` is the
referee: each move must be legal, each search must leave parsed depth, score and nodes, each answer must come in time.

    pydraughts_games.py --engine "target/release/damier hub"

NB pydraughts and py-draughts both import as `draughts`: they need separate virtual environments.
"""

import argparse
import logging
import os
import random
import signal
import threading
import time
import warnings

from harness import Failure, Watchdog, engine_command, finish

try:
    import draughts
    from draughts.engine import HubEngine, Limit
except ImportError as error:
    raise SystemExit(f"FAIL: the package pydraughts is not importable ({error})")
if not hasattr(draughts, "WHITE") or not hasattr(draughts.Board(), "_game"):
    raise SystemExit("FAIL: `draughts` is another package here; install pydraughts without py-draughts")

warnings.simplefilter("ignore")  # pydraughts turns them all on

PLY_CAP = 300
PARAMS = {"threads": 1, "tt-size": 20, "book": False, "bb-size": 0}
# lidraughts-bot sends these to every engine, declared or not.
BOT_PARAMS = {"variant": "normal", "initial-time": 60.0}
ENDINGS = [
    "W:WK46,41,37,K33:B5,12,K18,26",
    "B:WK48,36,31:BK4,K15,9,10",
    "W:WK21,K26,K36:BK28",
    "W:W46,47,42,38,33,28:B2,8,12,13,19,24",
]


class Engine(HubEngine):
    """HubEngine plus the time of each `go` and an event for `go ponder` (the library has neither)."""

    opened = []  # all engines, also those that never came through the handshake

    def __init__(self, command):
        self.pondering = threading.Event()
        self.took = 0.0
        self.began = 0.0
        super().__init__(command)

    def _open_process(self, *args, **kwargs):
        self.p = super()._open_process(*args, **kwargs)
        self.opened.append(self)
        return self.p

    def send(self, line):
        super().send(line)
        if line.startswith("go"):
            self.began = time.monotonic()
        if line == "go ponder":
            self.pondering.set()

    def go(self, *args, **kwargs):
        self.pondering.clear()
        try:
            return super().go(*args, **kwargs)
        finally:
            self.took = time.monotonic() - self.began

    def kill(self):
        if self.p.poll() is None:
            os.killpg(self.p.pid, signal.SIGKILL)

    @classmethod
    def kill_all(cls):
        for engine in cls.opened:
            engine.kill()


class Warnings(logging.Handler):
    """Collects what pydraughts calls unexpected engine responses."""

    def __init__(self):
        super().__init__(logging.WARNING)
        self.lines = []

    def emit(self, record):
        self.lines.append(record.getMessage())


class Run:
    """The state of one run of this script."""

    def __init__(self, args):
        self.command = engine_command(args.engine)
        self.strict = args.strict
        self.slack = args.slack
        self.games = args.games
        self.random = random.Random(args.seed)
        self.watchdog = Watchdog(20, args.total)
        self.warnings = Warnings()
        logger = logging.getLogger("pydraughts")
        logger.addHandler(self.warnings)
        logger.propagate = False
        self.notes = []
        self.moves = 0
        self.watchdog.kill.append(Engine.kill_all)

    def start(self, label):
        """A started, configured engine."""
        self.watchdog.step(f"{label}: handshake")
        engine = Engine(list(self.command))
        declared = {name: value for name, value in PARAMS.items() if name in engine.options}
        engine.configure({**declared, **BOT_PARAMS})
        self.watchdog.step(f"{label}: init")
        engine.init()
        engine.ping()
        return engine

    def quit(self, engine):
        engine.quit()
        try:
            engine.p.wait(3)
        except Exception:
            engine.kill()
            raise Failure("the engine did not end within 3 s after `quit`") from None
        if engine.p.returncode:
            raise Failure(f"the engine ended with exit code {engine.p.returncode} after `quit`")

    def opening(self, plies=6):
        """A position after random moves that leaves a choice."""
        while True:
            board = draughts.Board()
            for _ in range(plies):
                board.push(self.random.choice(board.legal_moves()))
            if len(board.legal_moves()) > 1:
                return board

    def play(self, engine, board, limit, label, ponder=False):
        """One move with all checks."""
        self.watchdog.step(f"{label}: ply {len(board.move_stack) + 1}, {board.fen}")
        result = guarded(engine, board, limit, label, ponder)
        self.check(engine, board, result, limit, label, None if ponder else engine.took)
        return result

    def check(self, engine, board, result, limit, label, took):
        where = f"{label}: ply {len(board.move_stack) + 1}, {board.fen}"
        legal = {move.hub_position_move for move in board.legal_moves()}
        if result.move.hub_position_move not in legal:
            raise Failure(f"{where}: illegal move {result.move.hub_move}")
        missing = [key for key in ("depth", "score", "nodes") if key not in result.info]
        if missing and (self.strict or len(legal) > 1):
            raise Failure(f"{where}: no {', '.join(missing)} in the info lines of {result.move.hub_move}")
        if missing:
            self.notes.append("a forced move came without " + ", ".join(missing))
        if limit.depth is not None and result.info.get("depth", 0) > limit.depth:
            raise Failure(f"{where}: depth {result.info['depth']} reported, {limit.depth} allowed")
        if took is not None:
            allowed = limit.movetime if limit.movetime is not None else limit.time
            if allowed is not None and took > max(allowed, 0) + self.slack:
                raise Failure(f"{where}: {took:.3f} s used, {allowed:.3f} s available")
        self.moves += 1

    def finished(self, board, label):
        """Whether the game is over, by rule or by the safety net."""
        if board.is_over():
            return True
        if len(board.move_stack) >= PLY_CAP:
            self.notes.append(f"{label}: stopped at {PLY_CAP} plies")
            return True
        return False

    def game(self, label, board, limit_of):
        """One process plays both sides; `limit_of(board)` gives the level of a move."""
        engine = self.start(label)
        while not self.finished(board, label):
            result = self.play(engine, board, limit_of(board), label)
            board.push(result.move)
        self.quit(engine)
        report(label, board)

    def clock_game(self, label, board, time_s, inc):
        """The same on a clock, which must never run out."""
        engine = self.start(label)
        clock = {draughts.WHITE: time_s, draughts.BLACK: time_s}
        while not self.finished(board, label):
            side = board.turn
            result = self.play(engine, board, Limit(time=round(clock[side], 3), inc=inc), label)
            clock[side] += inc - engine.took
            if clock[side] < -self.slack:
                raise Failure(f"{label}: the clock ran out at ply {len(board.move_stack) + 1}")
            board.push(result.move)
        self.quit(engine)
        report(label, board, f"clocks left {clock[draughts.WHITE]:.2f} {clock[draughts.BLACK]:.2f} s")

    def ponder_game(self, label, board, limit):
        """Two processes, both pondering as lidraughts-bot does it."""
        players = [Ponderer(self, self.start(label), label) for _ in range(2)]
        turn = 0
        while not self.finished(board, label):
            move, guess = players[turn].choose(board, limit)
            board.push(move)
            players[turn].ponder(board, guess, limit)
            turn = 1 - turn
        for player in players:
            player.give_up()
            self.quit(player.engine)
        hits, misses = (sum(getattr(player, name) for player in players) for name in ("hits", "misses"))
        report(label, board, f"{hits} ponder hits, {misses} misses")
        if hits + misses == 0:
            raise Failure(f"{label}: the engine never gave a ponder move")

    def stops(self, label):
        """`stop` in the middle of a search; `stop` and `ponder-hit` to an idle engine must change nothing."""
        engine = self.start(label)
        for delay in (0.0, 0.02, 0.2):
            board = self.opening()
            self.watchdog.step(f"{label}: stop after {delay} s")
            timer = threading.Timer(delay, self._stop_when_searching, [engine])
            timer.start()
            self.play(engine, board, Limit(movetime=30), label)
            timer.join()
            if engine.took > delay + 1 + self.slack:
                raise Failure(f"{label}: `done` {engine.took - delay:.2f} s after `stop`")
        for idle in (engine.stop, lambda: engine.send("ponder-hit")):
            engine._last_sent = "go ponder"  # the library waits for it before it sends ponder-hit
            idle()
            result = self.play(engine, self.opening(), Limit(depth=6), label)
            if result.info.get("depth") != 6:
                raise Failure(f"{label}: after a `stop` or `ponder-hit` while idle, depth 6 ended at "
                              f"{result.info.get('depth')}")
        self.quit(engine)
        print(f"{label}: ok", flush=True)

    @staticmethod
    def _stop_when_searching(engine):
        while not engine._last_sent.startswith("go"):
            time.sleep(0.001)
        engine.stop()


class Ponderer:
    """One side of a game with pondering."""

    def __init__(self, run, engine, label):
        self.run, self.engine, self.label = run, engine, label
        self.thread = self.guess = self.board = self.result = self.error = None
        self.hits = self.misses = 0

    def ponder(self, board, guess, limit):
        """Starts to think about the position after the expected reply."""
        if guess is None or board.is_over():
            return
        self.board, self.guess = board.copy(), guess.hub_position_move
        self.board.push(guess)
        if not self.board.legal_moves():
            # lidraughts-bot would ask, get a bare `done`, and die in its thread.
            self.run.notes.append(f"{self.label}: the ponder move ends the game (better not to give one)")
            if self.run.strict:
                raise Failure(f"{self.label}: ponder move {guess.hub_move} ends the game")
            return
        self.result = self.error = None
        self.engine.pondering.clear()
        self.thread = threading.Thread(target=self._think, args=(self.board, limit), daemon=True)
        self.thread.start()

    def _think(self, board, limit):
        try:
            self.result = guarded(self.engine, board, limit, self.label + " (pondering)", True)
        except Failure as error:
            self.error = error

    def choose(self, board, limit):
        if self.thread is not None:
            hit = board.move_stack[-1].hub_position_move == self.guess
            self._end(hit)
            if hit:
                self.hits += 1
                self.run.check(self.engine, board, self.result, limit, self.label + " (ponder hit)", None)
                return self.result.move, self.result.ponder
            self.misses += 1
        result = self.run.play(self.engine, board, limit, self.label)
        return result.move, result.ponder

    def give_up(self):
        if self.thread is not None:
            self._end(False)

    def _end(self, hit):
        self.run.watchdog.step(f"{self.label}: {'ponder-hit' if hit else 'stop'} while pondering on {self.board.fen}")
        while not self.engine.pondering.is_set() and self.thread.is_alive():
            time.sleep(0.0005)
        (self.engine.ponderhit if hit else self.engine.stop)()
        self.thread.join()
        self.thread = None
        if self.error:
            raise self.error


def guarded(engine, board, limit, label, ponder):
    """`play`, with the library's exceptions in words."""
    where = f"{label}: ply {len(board.move_stack) + 1}, {board.fen}"
    try:
        return engine.play(board, limit, ponder)
    except EOFError:
        raise Failure(f"{where}: the engine ended (exit code {engine.p.poll()})") from None
    except BrokenPipeError:
        raise Failure(f"{where}: the engine is gone (exit code {engine.p.poll()})") from None
    except KeyError as error:
        raise Failure(f"{where}: pydraughts knows no such legal move: {error}") from None
    except (ValueError, IndexError) as error:
        raise Failure(f"{where}: pydraughts could not parse an info or done line: {error}") from None


def report(label, board, extra=""):
    winner = {None: "unfinished", 0: "draw", draughts.WHITE: "White wins", draughts.BLACK: "Black wins"}[board.winner()]
    print(f"{label}: {len(board.move_stack)} plies, {winner}" + (f", {extra}" if extra else ""), flush=True)


def levels(run, game):
    """The levels of one round, each with a function that plays a game at it."""

    def ending(number):
        return draughts.Board(fen=ENDINGS[number % len(ENDINGS)])

    def no_time(_):  # 9e-05 reaches the engine in this very form
        return Limit(movetime=run.random.choice((0, 9e-05, 0.001)))

    def below_zero(_):  # pydraughts subtracts the increment from the clock, so the engine reads a negative time
        return Limit(time=run.random.choice((0.0, 0.01, 0.05, -0.02)), inc=0.05)

    return [
        ("depth", lambda name: run.game(name, run.opening(), lambda _: Limit(depth=5))),
        ("nodes", lambda name: run.game(name, run.opening(), lambda _: Limit(nodes=3000))),
        ("move-time", lambda name: run.game(name, run.opening(), lambda _: Limit(movetime=0.02))),
        ("move-time 0", lambda name: run.game(name, run.opening(), no_time)),
        ("ending, depth", lambda name: run.game(name, ending(game), lambda _: Limit(depth=5))),
        ("clock 1+0.02", lambda name: run.clock_game(name, run.opening(), 1.0, 0.02)),
        ("clock 0.3+0.01", lambda name: run.clock_game(name, ending(game + 1), 0.3, 0.01)),
        ("clock below zero", lambda name: run.game(name, run.opening(), below_zero)),
        ("ponder, clock", lambda name: run.ponder_game(name, run.opening(), Limit(time=0.4, inc=0.02))),
        ("ponder, move-time", lambda name: run.ponder_game(name, run.opening(), Limit(movetime=0.02))),
        ("stop", run.stops),
    ]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--engine", required=True, help='the engine\'s command line, e.g. "damier hub"')
    parser.add_argument("--games", type=int, default=1, help="games per level (default 1)")
    parser.add_argument("--seed", type=int, default=1, help="for the random first plies")
    parser.add_argument("--total", type=float, default=0, help="seconds for the whole script (default 300 per game)")
    parser.add_argument("--skip", metavar="TEXT", help="skip the levels whose name contains TEXT")
    parser.add_argument("--slack", type=float, default=0.25, metavar="S",
                        help="seconds that an answer may be late (default 0.25; hub_latency.py measures exactly)")
    parser.add_argument("--strict", action="store_true",
                        help="also fail on lines pydraughts warns about, on forced moves without info, "
                             "and on ponder moves that end the game")
    args = parser.parse_args()
    args.total = args.total or 300 * max(args.games, 1)
    run = Run(args)

    def body():
        for game in range(args.games):
            suffix = f" {game + 1}" if args.games > 1 else ""
            for name, play in levels(run, game):
                if args.skip is None or args.skip not in name:
                    play(name + suffix)
        for note in sorted(set(run.notes)):
            print(f"note ({run.notes.count(note)}x): {note}")
        for line in sorted(set(run.warnings.lines))[:10]:
            print(f"note ({run.warnings.lines.count(line)}x): {line}")
        if run.strict and run.warnings.lines:
            raise Failure(f"pydraughts warned: {run.warnings.lines[0]}")
        print(f"{run.moves} moves checked")

    def cleaned():
        try:
            body()
        except (OSError, EOFError) as error:
            raise Failure(f"the engine is gone: {error!r}") from None
        finally:
            Engine.kill_all()

    finish(cleaned)


if __name__ == "__main__":
    main()

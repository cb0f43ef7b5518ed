#!/usr/bin/env python3
"""Measures how fast a Hub engine answers, and how it bears clients that do not wait.

    hub_latency.py --engine "target/release/damier hub" [--check]

`ready` after `init` in fresh processes; `ping` to `pong` and `stop` to `done` during a search; the time of `move-time`
searches against the limit; all lines of a session written at once; the end of the input during a search. The row `echo`
is the same round trip with `cat`: what the pipes and this machine cost at the moment. Times in milliseconds.

With --check the exit code is 1 when a limit is broken; without it only when the engine dies or falls silent.
"""

import argparse
import random
import shlex
import subprocess
import sys
import time

from hub_client import Crash, HubEngine, Silence, parse, parse_params, percentile

START = "W" + "b" * 20 + "e" * 10 + "w" * 20


def position(side, white, black):
    """A Hub position from squares; "K5" is a king."""
    board = ["e"] * 50
    for letter, squares in (("w", white), ("b", black)):
        for square in squares.split():
            king = square.startswith("K")
            board[int(square.lstrip("K")) - 1] = letter.upper() if king else letter
    return side + "".join(board)


POSITIONS = {
    "start": START,
    "middle game": position("W", "25 27 28 32 33 34 35 36 37 38 39 40 42 43 45 48",
                            "2 3 6 7 8 9 11 12 13 14 16 18 19 21 23 24"),
    "late middle game": position("B", "26 27 31 32 33 37 38 39 43", "8 9 12 13 16 17 18 19 24"),
    "men against a king": position("W", "K33 25 37 41 42 47", "3 4 9 10 13 18 K36"),
    "kings": position("W", "K36 K31 48 43", "K4 K15 9"),
    "three kings against one": position("W", "K16 K26 K36", "K14"),
    "many kings": position("W", "K46 K47 K48 K49 K41 K36", "K2 K3 K4 K5 K10 K15"),
}
MOVE_TIMES = ((0.02, 60), (0.05, 40), (0.1, 20), (0.5, 4))


class Table:
    """Rows of measurements and the verdicts on them."""

    def __init__(self):
        self.rows = [("", "n", "mean", "99%", "max", "limit", "", "")]
        self.broken = []
        self.load = 0.0

    def add(self, name, seconds, limit_ms=None, share=1.0):
        """Times and the limit that `share` of them must keep."""
        if not seconds:
            self.verdict(name, False, "nothing could be measured")
            return
        ms = [1000 * value for value in seconds]
        kept = limit_ms is None or sum(value <= limit_ms for value in ms) >= share * len(ms)
        limit = "" if limit_ms is None else f"{limit_ms:g}" + ("" if share == 1.0 else f" ({100 * share:g}%)")
        self.rows.append((name, str(len(ms)), f"{sum(ms) / len(ms):.2f}", f"{percentile(ms, 0.99):.2f}",
                          f"{max(ms):.2f}", limit, "" if limit_ms is None else "ok" if kept else "BROKEN", ""))
        if not kept:
            over = sum(value > limit_ms for value in ms)
            self.broken.append(f"{name}: {over} of {len(ms)} above {limit_ms:g} ms, the worst {max(ms):.1f} ms")

    def verdict(self, name, good, text=""):
        """A row that holds or does not."""
        self.rows.append((name, "", "", "", "", "", "ok" if good else "BROKEN", text))
        if not good:
            self.broken.append(f"{name}: {text}")

    def note(self, name, text):
        self.rows.append((name, "", "", "", "", "", "", text))

    def print(self):
        widths = [max(len(row[i]) for row in self.rows) for i in range(len(self.rows[0]))]
        for row in self.rows:
            cells = [cell.rjust(width) for cell, width in zip(row[1:-1], widths[1:-1])]
            print("  ".join([row[0].ljust(widths[0])] + cells + [row[-1]]).rstrip())


def measure_echo(table, count=200):
    """The same pipes with `cat` at the other end."""
    with subprocess.Popen(["cat"], stdin=subprocess.PIPE, stdout=subprocess.PIPE, bufsize=0) as cat:
        seconds = []
        for _ in range(count):
            began = time.monotonic()
            cat.stdin.write(b"ping\n")
            cat.stdout.read(5)
            seconds.append(time.monotonic() - began)
            time.sleep(0.001)
        cat.stdin.close()
    table.add("echo (no engine)", seconds)


def measure_load(table, seconds=1.0):
    """What a process that only computes loses to others, so that a busy machine is not taken for a slow engine."""
    began = last = time.monotonic()
    lost = longest = 0.0
    while last - began < seconds:
        now = time.monotonic()
        if now - last > 0.0005:
            lost += now - last
            longest = max(longest, now - last)
        last = now
    table.load = lost / seconds
    table.note("this machine", f"a busy loop loses {100 * table.load:.0f}% of its time, up to {1000 * longest:.0f} ms")


def measure_ready(table, command, params, count=20):
    """`ready` after `init`, in fresh processes; and `wait` after the start of the process, for information."""
    for label, extra in (("", []), (", tt-size=24", [("tt-size", "24")])):
        starts, readies = [], []
        for _ in range(count):
            began = time.monotonic()
            engine = Started(command)
            starts.append(engine.waited - began)
            for name, value in params + extra:
                engine.send(f"set-param name={name} value={value}")
            began = engine.send("init")
            readies.append(engine.read_until("ready", 30)[0].at - began)
            engine.quit()
        if not label:
            table.add("process start to `wait`", starts)
        table.add(f"`init` to `ready`{label}", readies, 50)


class Started(HubEngine):
    """An engine that got no further than `wait`."""

    def _handshake(self, params, timeout):
        self.send("hub")
        self.waited = self.read_until("wait", timeout)[0].at


def measure_ping(table, engine, chance, count=100):
    """`ping` in the middle of a search."""
    seconds = []
    engine.send(f"pos pos={START}", "level infinite")
    began = engine.send("go think")
    time.sleep(0.05)
    for _ in range(count):
        at = engine.send("ping")
        line, before = engine.read_until("pong", 10)
        seconds.append(line.at - at)
        if any(text.startswith("done") for _, text in before):
            table.verdict("ping", False, "the infinite search ended by itself")
            return
        time.sleep(chance.uniform(0.0, 0.01))
    engine.send("stop")
    engine.answer(began, 10)
    table.add("`ping` to `pong`, searching", seconds, 10)


def measure_stop(table, engine, chance, count=100):
    """`stop` after a random while; a search may end earlier where the game is decided."""
    seconds, early, empty = [], 0, 0
    names = list(POSITIONS)
    for i in range(count):
        engine.send(f"pos pos={POSITIONS[names[i % len(names)]]}", "level infinite")
        began = engine.send("go think")
        time.sleep(chance.choice((0.0, 0.001, chance.uniform(0.005, 0.08))))
        stopped = engine.send("stop")
        answer = engine.answer(began, 10)
        empty += not answer.move
        if began + answer.used < stopped:
            early += 1
        else:
            seconds.append(began + answer.used - stopped)
        engine.sync()
    table.add("`stop` to `done`", seconds, 20, 0.99)
    if early:
        table.note("infinite searches", f"{early} of {count} ended before `stop`")  # allowed where the game is decided
    if empty:
        table.verdict("moves after `stop`", False, f"{empty} of {count} searches gave none")
    engine.send("stop")
    strays = [line.text for line in engine.sync() if line.text.startswith("done")]
    table.verdict("`stop` while idle is silent", not strays, "".join(strays))


def measure_move_time(table, engine, chance, scale):
    """Time over the limit; an answer ahead of time counts as below zero."""
    everything = []
    names = list(POSITIONS)
    for limit, count in MOVE_TIMES:
        over = []
        for i in range(max(1, round(count * scale))):
            answer = engine.search(f"pos pos={POSITIONS[names[i % len(names)]]}", f"level move-time={limit}",
                                   limit + 10)
            over.append(answer.used - limit)
            time.sleep(chance.uniform(0, 0.002))
        table.add(f"over move-time={limit}", over)
        everything += over
    table.add("over move-time, all", everything, 20, 0.99)


def check_pipelined(table, command, params):
    """A client that waits for nothing: the whole session in one write (two captures are legal at its end)."""
    engine = Bare(command)
    lines = ["hub"] + [f"set-param name={name} value={value}" for name, value in params]
    lines += ["init", "new-game", f"pos pos={START} moves=\"32-28 19-23 28x19x23\"", "level depth=6", "go think"]
    engine.send(*lines)
    try:
        engine.read_until("wait", 10)
        engine.read_until("ready", 10)
        first = parse(engine.read_until("done", 20)[0].text)[1].get("move", "")
        table.verdict("session in one write", first in ("13x24x19", "14x23x19"), f"`done move={first}`")
        # Two searches in one write: the second may stop the first, but each has its own `done`.
        engine.send(f"pos pos={START}", "level depth=4", "go think", f"pos pos={POSITIONS['kings']}", "level depth=3",
                    "go think")
        for _ in range(2):
            engine.read_until("done", 20)
        engine.sync(10)
        table.verdict("two searches in one write", True)
        code = engine.quit()
        table.verdict("`quit`", code == 0, f"exit code {code}")
    except Silence as error:
        table.verdict("lines in one write", False, str(error))
    finally:
        engine.kill()


class Bare(HubEngine):
    """An engine to which nothing has been said."""

    def _handshake(self, params, timeout):
        pass


def check_end_of_input(table, command, params):
    """The end of the input ends the process, searching or not."""
    cases = (("idle", None), ("searching", "level infinite"), ("searching by move-time", "level move-time=60"))
    for label, level in cases:
        engine = HubEngine(command, params)
        if level:
            engine.send(f"pos pos={START}", level, "go think")
            time.sleep(0.1)
        began = time.monotonic()
        engine.process.stdin.close()
        try:
            code = engine.process.wait(3)
            table.verdict(f"end of input, {label}", code == 0 or level is None,
                          f"exit code {code} after {1000 * (time.monotonic() - began):.0f} ms")
        except subprocess.TimeoutExpired:
            table.verdict(f"end of input, {label}", False, "the process goes on after 3 s")
        finally:
            engine.kill()


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--engine", required=True, help='command line, e.g. "damier hub"')
    parser.add_argument("--params", default="book=false", metavar='"k=v k=v"', help="parameters set before each init")
    parser.add_argument("--check", action="store_true", help="exit code 1 when a limit is broken")
    parser.add_argument("--scale", type=float, default=1.0, help="factor on the number of move-time searches")
    args = parser.parse_args()
    params, chance, table = parse_params(args.params), random.Random(1), Table()
    if not shlex.split(args.engine):
        sys.exit("FAIL: --engine is empty")
    try:
        measure_load(table)
        measure_echo(table)
        measure_ready(table, args.engine, params)
        engine = HubEngine(args.engine, params)
        try:
            measure_ping(table, engine, chance)
            measure_stop(table, engine, chance)
            measure_move_time(table, engine, chance, args.scale)
            print(f"engine: {engine.name}")
        finally:
            engine.quit()
        check_pipelined(table, args.engine, params)
        check_end_of_input(table, args.engine, params)
    except (Crash, Silence) as error:
        table.print()
        print(f"FAIL: the engine: {error}")
        return 1
    table.print()
    for text in table.broken:
        print(f"broken: {text}")
    if table.broken and table.load > 0.05:
        print("the machine is busy with other work: measure again")
    if args.check and table.broken:
        print(f"FAIL: {len(table.broken)} limits broken, the first: {table.broken[0]}")
        return 1
    print("OK" if not table.broken else "done; limits were broken (no --check)")
    return 0


if __name__ == "__main__":
    sys.exit(main())

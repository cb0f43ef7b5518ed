#!/usr/bin/env python3
"""Measures what more threads save a Hub engine: time and nodes to a depth, compared with one thread.

    hub_threads.py --engine "target/release/damier hub" bench-positions/bench.fen --count 20 --out threads.json

For each position one thread searches until an iteration has taken `--seconds` in all; its depth is then searched from
an empty table, by one thread and by many in turn, `--repeats` times. Nothing else should run. Prints the ratios for
each position and their geometric means with 95 % intervals. What is in the file of --out is not measured again, so that
a measurement can be broken off and continued. Positions with one legal move, or that end before, are passed over.
"""

import argparse
import json
import math
import os
import sys
from pathlib import Path

from hub_client import Crash, HubEngine, Silence, parse

DEEPER = 4  # times --seconds that the first search takes at most


def hub_position(fen):
    """A position as Hub writes it."""
    turn, *sides = fen.split(";")[0].strip().strip('".').split(":")
    board = ["e"] * 50
    for side in sides:
        letter = side[0].lower()
        for square in filter(None, side[1:].split(",")):
            first, _, last = square.lstrip("K").partition("-")
            for number in range(int(first), int(last or first) + 1):
                board[number - 1] = letter.upper() if square[0] == "K" else letter
    return turn.upper() + "".join(board)


def positions(path, count):
    """`count` positions of the file, spread over it."""
    lines = Path(path).read_text(encoding="utf8").splitlines()
    fens = [line for line in lines if line[:2].upper() in ("W:", "B:")]
    count = min(count, len(fens))
    return [hub_position(fens[index * len(fens) // count]) for index in range(count)]


class Engine:
    """An engine with so many threads."""

    def __init__(self, args, threads):
        params = [("threads", threads), ("book", "false"), *(pair.split("=", 1) for pair in args.param)]
        self.hub = HubEngine(args.engine, params, timeout=60)

    def search(self, position, level, timeout):
        """Seconds until `done`, and depth, nodes and seconds of each iteration."""
        self.hub.send("new-game", f"pos pos={position}", f"level {level}")
        began = self.hub.send("go think")
        done, before = self.hub.read_until("done", timeout)
        infos = [args for command, args in (parse(line.text) for line in before) if command == "info"]
        whole = [info for info in infos if {"depth", "nodes", "time"} <= info.keys()]
        return done.at - began, [(int(i["depth"]), int(i["nodes"]), float(i["time"])) for i in whole]


def measure(engines, position, args):
    """Depth, and time and nodes of each search; None where there is nothing to measure."""
    alone = engines[1]
    _, iterations = alone.search(position, f"move-time={DEEPER * args.seconds}", DEEPER * args.seconds + 20)
    depth = next((depth for depth, _, seconds in iterations if seconds >= args.seconds), None)
    if depth is None:
        return None
    found = {threads: [] for threads in engines}
    for threads, engine in engines.items():
        if threads > 1:
            engine.search(position, f"depth={depth}", 600)  # loads what it needs, as endgame tables: not measured
    for repeat in range(args.repeats):
        for threads, engine in engines.items():
            # One thread does the same each time.
            if threads > 1 or repeat < 2:
                seconds, iterations = engine.search(position, f"depth={depth}", 600)
                nodes = [nodes for reached, nodes, _ in iterations if reached == depth]
                found[threads].append((seconds, nodes[-1]))
    return {"depth": depth, "searches": found}


def log_ratios(result, threads):
    """Logarithms of the ratios of time and of nodes to those of one thread."""
    searches = {int(key): runs for key, runs in result["searches"].items()}  # JSON has no other keys than strings
    mean = lambda runs, which: sum(math.log(run[which]) for run in runs) / len(runs)
    return [mean(searches[threads], which) - mean(searches[1], which) for which in (0, 1)]


def text(logs):
    """Geometric mean with its 95 % interval."""
    mean = sum(logs) / len(logs)
    error = math.sqrt(sum((log - mean) ** 2 for log in logs) / max(1, len(logs) - 1) / len(logs))
    low, high = math.exp(mean - 1.96 * error), math.exp(mean + 1.96 * error)
    return f"{math.exp(mean):.3f} [{low:.3f}, {high:.3f}]"


def counts(text):
    """Several numbers of threads."""
    numbers = [int(number) for number in text.split(",")]
    if any(number < 2 for number in numbers):
        raise argparse.ArgumentTypeError("each number of threads is at least 2")
    return numbers


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("positions", help="a file with a FEN on each line")
    parser.add_argument("--engine", required=True, help="its command line")
    parser.add_argument("--threads", type=counts, default=[2], metavar="N,N...", help="numbers of threads")
    parser.add_argument("--count", type=int, default=20, help="positions")
    parser.add_argument("--repeats", type=int, default=5)
    parser.add_argument("--seconds", type=float, default=5.0, help="least time of one thread")
    parser.add_argument("--param", action="append", default=[], metavar="NAME=VALUE", help="as tt-size=24")
    parser.add_argument("--out", metavar="FILE", help="results as JSON; continued if it is there")
    args = parser.parse_args()
    out = Path(args.out) if args.out else None
    results = json.loads(out.read_text(encoding="utf8")) if out and out.exists() else {}
    engines = {threads: Engine(args, threads) for threads in (1, *args.threads)}
    for position in positions(args.positions, args.count):
        if position not in results:
            results[position] = measure(engines, position, args)
            if out:
                beside = out.with_suffix(".new")
                beside.write_text(json.dumps(results), encoding="utf8")
                os.replace(beside, out)
        if result := results[position]:
            for threads in args.threads:
                time_ratio, nodes = map(math.exp, log_ratios(result, threads))
                print(f"depth {result['depth']}, {threads} threads: time {time_ratio:.3f} nodes {nodes:.3f}", flush=True)
    measured = [result for result in results.values() if result]
    if not measured:
        print("FAIL: no position took that long")
        return 1
    for threads in args.threads:
        times, nodes = zip(*(log_ratios(result, threads) for result in measured))
        print(f"{len(measured)} positions, {threads} threads: time {text(times)} nodes {text(nodes)}")
    print("OK")
    return 0


if __name__ == "__main__":
    try:
        sys.exit(main())
    except (Crash, Silence, OSError, ValueError) as error:
        print(f"FAIL: {error}")
        sys.exit(1)

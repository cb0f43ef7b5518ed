#!/usr/bin/env python3
"""Plants a blunder in each of many good games, and counts how many `damier annotate` finds, and its false alarms.

    plant_blunders.py DAMIER GAMES.pdn --count 100 --nodes 20000

GAMES are games of strong play, such as `damier dataset show --count 300 games.dgr` writes. In each a position is drawn
by lot that is not decided, and a move that loses at least 0.35 expected points there, by a search of all moves and by a
deep search behind the move and behind the best one. The game goes up to that move and a few plies on. `annotate` must
give that move a mark. A mark of any other move is a false alarm, unless the deep search too says that the move lost as
much as the least mark needs.
"""

import argparse
import json
import random
import re
import subprocess
import tempfile
from pathlib import Path

LEAST = 0.06  # expected points of the least mark


def games(path):
    """Start and moves of each game."""
    for text in re.split(r"\n(?=\[Game )", Path(path).read_text(encoding="utf8")):
        start = re.search(r'\[FEN "([^"]*)"\]', text)
        body = re.sub(r"\{[^}]*\}|\[[^\]]*\]|\d+\.+", " ", text)
        yield start and start[1], [word for word in body.split() if re.fullmatch(r"\d+[-x][\dx]+", word) and not is_result(word)]


def is_result(word):
    return word in ("2-0", "1-1", "0-2", "0-0", "1-0", "0-1")


def pdn(start, moves):
    tag = f'[FEN "{start}"]\n' if start else ""
    return f"[White \"?\"]\n{tag}\n{' '.join(moves)} *\n\n"


class Damier:
    def __init__(self, binary, folder):
        self.binary, self.file = binary, Path(folder) / "games.pdn"

    def json(self, command, texts, *options):
        self.file.write_text("".join(texts), encoding="utf8")
        words = [self.binary, command, str(self.file), "--json", *map(str, options)]
        done = subprocess.run(words, capture_output=True, text=True)
        if done.returncode:
            raise SystemExit(f"FAIL: {' '.join(words)}: {done.stderr.strip()[:500]}")
        return [json.loads(line) for line in done.stdout.splitlines()]

    def points(self, lines, nodes):
        """Expected points of the side to move at the end of each game."""
        if not lines:
            return []
        found = self.json("analyze", [pdn(*line) for line in lines], "--nodes", nodes, "--tt-size", 18)
        return [expected(one) for one in found]


def expected(one):
    win, draw, _ = one["wdl"]
    return win + draw / 2


def plant(damier, all_games, args):
    """Games up to a bad move and a few plies behind it, with the place of the move."""
    lot = random.Random(args.seed)
    planted = []
    for begin in range(0, len(all_games), 50):
        drawn = []
        for start, moves in all_games[begin : begin + 50]:
            if len(moves) >= 30:
                drawn.append((start, moves[: lot.randrange(12, min(len(moves) - 4, 90))]))
        found = damier.json("analyze", [pdn(*one) for one in drawn], "--lines", 40, "--nodes", 60_000, "--tt-size", 18)
        bad = []
        for (start, moves), one in zip(drawn, found):
            lines = one.get("lines") or []
            if len(lines) < 3 or not 0.3 <= expected(lines[0]) <= 0.9:
                continue
            losing = [line for line in lines if expected(lines[0]) - expected(line) >= args.loss]
            if losing:
                choice = lot.choice(losing)
                bad.append((start, moves, lines[0]["pv"][0], choice["pv"]))
        behind_bad = damier.points([(start, [*moves, pv[0]]) for start, moves, _, pv in bad], args.deep)
        behind_best = damier.points([(start, [*moves, best]) for start, moves, best, _ in bad], args.deep)
        for (start, moves, _, pv), after, instead in zip(bad, behind_bad, behind_best):
            if after - instead >= args.loss:
                planted.append((start, [*moves, *pv[:5]], len(moves) + 1))
            if len(planted) == args.count:
                return planted
    return planted


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("damier")
    parser.add_argument("games")
    parser.add_argument("--count", type=int, default=100, help="blunders to plant (default 100)")
    parser.add_argument("--loss", type=float, default=0.35, help="expected points that each loses at least")
    parser.add_argument("--deep", type=int, default=300_000, help="positions of a deep search")
    parser.add_argument("--nodes", type=int, default=20_000, help="positions that annotate searches for each move")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--save", help="keep the games with the blunders in this file")
    args = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        damier = Damier(args.damier, folder)
        planted = plant(damier, list(games(args.games)), args)
        texts = [pdn(start, moves) for start, moves, _ in planted]
        if args.save:
            Path(args.save).write_text("".join(texts), encoding="utf8")
        options = ["--nodes", args.nodes, "--no-book", "--tt-size", 18]
        annotated = damier.json("annotate", texts, *options)
        found, good, alarms = {}, 0, []
        for (start, moves, place), one in zip(planted, annotated):
            judged = [mv for mv in one["moves"] if mv["judged"] in ("search", "table")]
            for mv in judged:
                if mv["ply"] == place:
                    found[mv.get("mark")] = found.get(mv.get("mark"), 0) + 1
                elif mv["ply"] < place:
                    good += 1
                    if mv.get("mark"):
                        alarms.append((start, moves, mv))
        # What a deep search behind the move and behind the best one says of each alarm.
        played = damier.points([(start, moves[: mv["ply"]]) for start, moves, mv in alarms], args.deep)
        best = damier.points([(start, [*moves[: mv["ply"] - 1], mv["line"][0]]) for start, moves, mv in alarms], args.deep)
        false = [alarm for alarm, after, instead in zip(alarms, played, best) if after - instead < LEAST]
    marked = sum(count for mark, count in found.items() if mark)
    print(f"{len(planted)} planted, {marked} marked: {found}")
    print(f"{good} other moves judged, {len(alarms)} marked, {len(false)} of them not borne out by {args.deep} nodes:")
    for start, moves, mv in false:
        print(f"  {mv['mark']} {mv['loss']:.2f} ply {mv['ply']} of {start or ''} {' '.join(moves)}")
    print(f"false alarms in 1,000: {1000 * len(false) / max(good, 1):.1f}")


main()

#!/usr/bin/env python3
"""Reads a PDN file with pydraughts or py-draughts, whichever is importable, and replays all games.

    read_pdn.py FILE [--save STATE] [--compare STATE] [--games N]

Every move must be legal there, every game must be read, and the Result tags must be those of the file. `--save` writes
number, result and final position of each game, `--compare` fails where they differ: run it first with one library, then
with the other. Tested with pydraughts 0.6.7 and py-draughts 1.10.1, which both import as `draughts` and so need
separate virtual environments.
"""

import argparse
import re
import warnings
from collections import Counter

from harness import Failure, finish

try:
    import draughts
except ImportError as error:
    raise SystemExit(f"FAIL: neither pydraughts nor py-draughts is importable ({error})")

IS_PYDRAUGHTS = hasattr(draughts, "WHITE")
TAG = re.compile(r'^\[(\w+) "((?:\\.|[^"\\])*)"\]$')


def split(text):
    """The games as text: a line of tags behind a line of moves begins a new one. This is the script's own count."""
    games, moves_seen = [[]], False
    for line in text.split("\n"):
        is_tag = TAG.match(line)
        if is_tag and moves_seen:
            games.append([])
        moves_seen = bool(line.strip()) and not is_tag or moves_seen and not is_tag
        games[-1].append(line)
    return ["\n".join(lines) for lines in games if any(line.strip() for line in lines)]


def tags(text):
    return dict(match.groups() for match in map(TAG.match, text.split("\n")) if match)


def squares(pieces):
    return ",".join(sorted(pieces, key=lambda piece: int(piece.lstrip("K"))))


def normal(fen):
    """One form of a position for both libraries: W:W1,K2:B3."""
    fen = re.sub(r'^\[FEN "|"\]$', "", fen).strip(" .")
    turn, *sides = fen.split(":")[:3]
    by_color = {side[:1]: squares(filter(None, side[1:].split(","))) for side in sides}
    return f"{turn}:W{by_color['W']}:B{by_color['B']}"


def with_pydraughts(path, texts):
    from draughts import Board, Move
    from draughts.PDN import PDNReader

    warnings.simplefilter("ignore")  # pydraughts turns them all on
    games = PDNReader(filename=path).games
    if len(games) != len(texts):
        # It stops at a game without moves.
        raise Failure(f"pydraughts reads {len(games)} of {len(texts)} games")
    for number, game in enumerate(games, 1):
        if game.variant not in ("standard", None):
            raise Failure(f"game {number}: variant {game.variant}")
        start = game.tags.get("FEN", "startpos")
        # The reader of 0.6.7 doubles the first move of a position with black to move, also of what its own writer wrote.
        moves = game.moves[1:] if start.startswith("B") else game.moves
        board = Board("standard", start)
        for ply, text in enumerate(moves, 1):
            try:
                board.push(Move(board, pdn_move=text))
            except Exception as error:
                raise Failure(f"game {number}, ply {ply}, {text}: {error!r} in {board.fen}")
        yield game.tags.get("Result", "*"), len(moves), normal(board.fen)


def with_py_draughts(_, texts):
    from loguru import logger

    logger.remove()
    for number, text in enumerate(texts, 1):
        try:
            board = draughts.Board.from_pdn(text)
        except Exception as error:
            raise Failure(f"game {number}: {error!r}")
        yield tags(text).get("Result", "*"), len(board._moves_stack), normal(board.fen)


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n")[0])
    parser.add_argument("file")
    parser.add_argument("--save", metavar="STATE", help="write what every game came to")
    parser.add_argument("--compare", metavar="STATE", help="fail where a game came to something else")
    parser.add_argument("--games", type=int, help="fail when the file holds another number of games")
    args = parser.parse_args()
    with open(args.file, encoding="utf8") as file:
        texts = split(file.read())
    if args.games is not None and len(texts) != args.games:
        raise Failure(f"{len(texts)} games, not {args.games}")
    read = with_pydraughts if IS_PYDRAUGHTS else with_py_draughts
    states, results, plies = [], Counter(), 0
    for number, (result, length, fen) in enumerate(read(args.file, texts), 1):
        states.append(f"{number} {result} {length} {fen}")
        results[result] += 1
        plies += length
    expected = Counter(tags(text).get("Result", "*") for text in texts)
    if results != expected or len(states) != len(texts):
        raise Failure(f"results {dict(results)}, in the file {dict(expected)}")
    if args.compare:
        with open(args.compare, encoding="utf8") as file:
            others = file.read().splitlines()
        for mine, other in zip(states, others):
            if mine != other:
                raise Failure(f"not alike: {mine} | {other}")
        if len(states) != len(others):
            raise Failure(f"{len(states)} games, elsewhere {len(others)}")
    if args.save:
        with open(args.save, "w", encoding="utf8") as file:
            file.write("\n".join(states) + "\n")
    name = "pydraughts" if IS_PYDRAUGHTS else "py-draughts"
    counts = ", ".join(f"{result}: {count}" for result, count in sorted(results.items()))
    print(f"{name}: {len(states)} games, {plies} plies, {counts}")


if __name__ == "__main__":
    finish(main)

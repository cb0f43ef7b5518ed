#!/usr/bin/env python3
"""Writes the games of a PDN file anew with pydraughts or py-draughts, whichever is importable.

    write_pdn.py FILE OUT [--annotate DAMIER]

The games go through the library: it reads the moves, plays them on its board, and its own writer writes them. Tags are
kept as far as the writer takes them. `--annotate` then lets `DAMIER annotate` read OUT and fails unless it has every
game, with as many moves. Tested with pydraughts 0.6.7 and py-draughts 1.10.1.
"""

import argparse
import json
import os
import subprocess

from harness import Failure, finish
from read_pdn import IS_PYDRAUGHTS, draughts, split, tags


def by_pydraughts(texts, out):
    from draughts import Board, Move
    from draughts.PDN import PDNReader, PDNWriter

    if os.path.exists(out):
        os.remove(out)  # the writer appends
    reader = PDNReader(pdn_text="\n\n".join(texts))
    for text, game in zip(texts, reader.games):
        named = tags(text)
        start = named.get("FEN", "startpos")
        board = Board("standard", start)
        # As in read_pdn.py: the reader doubles the first move of a position with black to move.
        for move in game.moves[1:] if start.startswith("B") else game.moves:
            board.push(Move(board, pdn_move=move))
        PDNWriter(out, board, tags=named, game_ending=named.get("Result", "*"))
        yield len(board.move_stack)


def by_py_draughts(texts, out):
    from loguru import logger

    logger.remove()
    with open(out, "w", encoding="utf8") as file:
        for text in texts:
            board = draughts.Board.from_pdn(text)
            file.write(f"{board.pdn}\n\n")
            yield len(board._moves_stack)


def annotate(damier, path, plies):
    command = [damier, "annotate", path, "--json", "--nodes", "20", "--tt-size", "12"]
    done = subprocess.run(command, capture_output=True, text=True)
    if done.returncode or done.stderr:
        raise Failure(f"annotate ends with {done.returncode}: {done.stderr.strip()[:500]}")
    read = [len(json.loads(line)["moves"]) for line in done.stdout.splitlines()]
    if read != plies:
        raise Failure(f"annotate reads games of {read} moves, not {plies}")


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n")[0])
    parser.add_argument("file")
    parser.add_argument("out")
    parser.add_argument("--first", type=int, metavar="N", help="write the first N games only (pydraughts takes a second each)")
    parser.add_argument("--annotate", metavar="DAMIER", help="let this program annotate what was written")
    args = parser.parse_args()
    with open(args.file, encoding="utf8") as file:
        texts = split(file.read())[: args.first]
    write = by_pydraughts if IS_PYDRAUGHTS else by_py_draughts
    plies = list(write(texts, args.out))
    if len(plies) != len(texts):
        raise Failure(f"{len(plies)} of {len(texts)} games")
    if args.annotate:
        annotate(args.annotate, args.out, plies)
    print(f"{'pydraughts' if IS_PYDRAUGHTS else 'py-draughts'}: {len(plies)} games, {sum(plies)} plies written")


if __name__ == "__main__":
    finish(main)

"""Plays a part of a game by DXP with each colour, pydraughts being the initiator and `damier dxp` the server and follower.

pydraughts takes what it reads at once for one message, and sends 000 minutes where it was told no time: both are in here.
"""

import argparse
import os
import random
import shlex
import subprocess
import threading

import draughts
from draughts.engine import DXPEngine

PLIES = 40
PATIENCE = 120


def play(command, color, seed):
    """Plays random moves against the engine, which has the colour; gives what went wrong, or nothing."""
    process = subprocess.Popen(
        shlex.split(command) + ["--port", "0", "--once", "--nodes", "1000", "--tt-size", "16"],
        stdout=subprocess.PIPE, text=True)
    try:
        port = process.stdout.readline().strip().rsplit(":", 1)[1]
        engine = DXPEngine(options={"engine-opened": True, "ip": "127.0.0.1", "port": port})
        board, choice, plies = draughts.Board(), random.Random(seed), 0
        while plies < PLIES and not board.is_over():
            if board.turn == color:
                move = engine.play(board).move
                if move is None or move.hub_move not in [legal.hub_move for legal in board.legal_moves()]:
                    return f"{move} is not legal in {board.fen}"
            else:
                move = choice.choice(board.legal_moves())
            board.push(move)
            plies += 1
        return "" if plies >= 10 else f"only {plies} plies"
    finally:
        process.kill()
        process.wait()


def give_up():
    """Ends with a failure."""
    print(f"FAIL: no end after {PATIENCE} s", flush=True)
    os._exit(1)


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--engine", required=True, help="the command, such as 'target/release/damier dxp'")
    arguments = parser.parse_args()
    wrong = ""
    # pydraughts waits for ever for an engine that says nothing.
    threading.Timer(PATIENCE, give_up).start()
    try:
        for color in (draughts.WHITE, draughts.BLACK):
            wrong = wrong or play(arguments.engine, color, 1)
    except Exception as error:
        wrong = repr(error)
    print(f"FAIL: {wrong}" if wrong else "OK", flush=True)
    # pydraughts leaves a thread behind that never ends.
    os._exit(1 if wrong else 0)


if __name__ == "__main__":
    main()

#!/usr/bin/env python3
"""Annotates games by cluster/shards.py with two workers of Dask, one of which is killed by SIGKILL every few seconds,
and compares with what `damier annotate` writes without shards: the same games. Exit code 1 where they differ, or where
no worker was killed. Needs distributed and psutil."""
import argparse
import random
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import psutil

SHARDS = Path(__file__).resolve().parents[2] / "cluster" / "shards.py"
SECONDS = 600


def games(path):
    """The games of a file, sorted: those of a shard come together."""
    return sorted(path.read_text().split("[Event ")[1:])


def busy_worker(script):
    """A worker that runs damier."""
    try:
        shards = [child for child in psutil.Process(script.pid).children(recursive=True) if child.name() == "damier"]
        return random.choice(shards).parent() if shards else None
    except psutil.NoSuchProcess:
        return None


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--damier", required=True)
    parser.add_argument("--games", required=True, help="PDN")
    parser.add_argument("--nodes", default="10000")
    parser.add_argument("--every", type=float, default=10, help="seconds from kill to kill [%(default)s]")
    args = parser.parse_args()
    with tempfile.TemporaryDirectory() as name:
        out, whole = Path(name, "out.pdn"), Path(name, "whole.pdn")
        annotate = [args.damier, "annotate", args.games, "--nodes", args.nodes]
        command = [sys.executable, SHARDS, "--shards", "8", "--out", out, "--workers", "2"]
        command += ["--", *annotate, "--threads", "1"]
        with open(Path(name, "log"), "w") as log:
            script = subprocess.Popen(command, stdout=log, stderr=log)
        began, kills = time.monotonic(), 0
        while script.poll() is None and time.monotonic() - began < SECONDS:
            if time.monotonic() - began > (kills + 0.5) * args.every and (worker := busy_worker(script)):
                worker.kill()
                kills += 1
            time.sleep(0.05)
        script.kill()
        if script.wait() != 0:
            sys.exit(f"{Path(name, 'log').read_text()}\nshards.py: exit code {script.returncode}")
        subprocess.run([*annotate, "--out", whole], check=True, capture_output=True)
        if not kills:
            sys.exit("no worker was killed: give more games, or a smaller --every")
        if games(out) != games(whole):
            sys.exit("the annotated games differ")
        print(f"{len(games(out))} games, {kills} kills: all as without them")


main()

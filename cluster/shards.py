#!/usr/bin/env python3
"""Runs a command of damier in shards on workers of Dask that may come, go and die, and joins what they write.

    shards.py --shards 64 --out a.pdn --scheduler tcp://host:8786 -- damier annotate games.pdn --nodes 9000 --threads 1
    shards.py --shards 64 --out all.journal --workers 2 -- damier match --engine ... --engine ... --nodes 5000
    shards.py --shards 8 --out my.dbj --workers 2 -- damier book build my.dbj --threads 1

Commands: annotate, mine, losses, match, selfplay, and a round of book build. The parts lie beside --out; all machines
see the same files under the same names. After an interruption the same command continues.
"""
import argparse
import shutil
import subprocess
import sys
from pathlib import Path

import dask
from distributed import Client, LocalCluster, as_completed


def arguments(command, number, shards, part):
    """The command line of one shard."""
    shard = [*command, "--shard", f"{number}/{shards}"]
    return [*shard, *{"match": ["--journal", part, "--resume"], "book": []}.get(command[1], ["--out", part])]


def run(command, part):
    """On a worker: the command, which dies with the worker. What is wrong, or None."""
    if Path(part).exists() and command[1] not in ("match", "selfplay"):
        return None  # It was renamed into place when it was complete.
    guard = ["setpriv", "--pdeathsig", "KILL"] if shutil.which("setpriv") else []
    done = subprocess.run([*guard, *command], stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
    if done.returncode < 0:
        raise RuntimeError(f"{part}: killed by signal {-done.returncode}")  # Tried again.
    # annotate and mine end with 1 where a game was damaged: the part has the others.
    return None if done.returncode < 2 and Path(part).exists() else f"{part}: {done.stderr.strip()[-500:]}"


def join(command, parts, out):
    """The parts as one file."""
    if command[1] == "book":
        return subprocess.run([command[0], "book", "merge", out, *parts], check=True)
    if command[1] == "selfplay":
        return subprocess.run([command[0], "dataset", "merge", *parts, "--out", out], check=True)
    with open(f"{out}.part", "wb") as joined:
        for at, part in enumerate(parts):
            lines = Path(part).read_bytes().splitlines(keepends=True)
            # The first line of a journal of a match has its settings.
            joined.writelines(lines[1:] if at and command[1] == "match" else lines)
    Path(f"{out}.part").replace(out)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--shards", type=int, required=True, help="more than there are workers: the work is uneven")
    parser.add_argument("--out", required=True, help="the file with everything")
    where = parser.add_mutually_exclusive_group(required=True)
    where.add_argument("--scheduler", help="address of a scheduler, such as tcp://host:8786")
    where.add_argument("--workers", type=int, help="start so many workers on this machine")
    parser.add_argument("command", nargs="+", help="-- damier COMMAND ...")
    args = parser.parse_args()
    if args.command[1:2] not in ([name] for name in ("annotate", "mine", "losses", "match", "selfplay", "book")):
        parser.error("the command is annotate, mine, losses, match, selfplay or book build")
    dask.config.set({"distributed.scheduler.allowed-failures": 100})
    parts = [f"{args.out}.{number}-of-{args.shards}" for number in range(1, args.shards + 1)]
    cluster = LocalCluster(n_workers=args.workers, threads_per_worker=1) if args.workers else args.scheduler
    with Client(cluster) as client:
        work = [arguments(args.command, number, args.shards, part) for number, part in enumerate(parts, 1)]
        futures = client.map(run, work, parts, pure=False, retries=3)
        for done, future in enumerate(as_completed(futures), 1):
            if failure := future.exception() or future.result():
                sys.exit(f"shards.py: {failure}")
            print(f"{done} of {args.shards} shards", file=sys.stderr)
    join(args.command, parts, args.out)
    for part in parts:
        Path(part).unlink(missing_ok=True)


if __name__ == "__main__":
    main()

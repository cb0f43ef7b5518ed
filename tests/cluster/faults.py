#!/usr/bin/env python3
"""Runs cluster/Snakefile twice with two workers, once in peace and once with a worker killed by SIGKILL every few
seconds, and compares: the bytes of the tables, games, weights and verdicts, the results of the matches, and the CPU
seconds. Needs Snakemake (and psutil, which it brings). Exit code 1 where anything differs, or costs more than --most.
"""
import argparse
import hashlib
import json
import random
import resource
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import psutil

SNAKEFILE = Path(__file__).resolve().parents[2] / "cluster" / "Snakefile"


def workers(snakemake):
    """The programs that Snakemake's shells run; not the engines that a match has started."""
    found = []
    for process in psutil.Process(snakemake.pid).children(recursive=True):
        try:
            if process.name() == "damier" and process.parent().name() != "damier":
                found.append(process)
        except (psutil.NoSuchProcess, AttributeError):
            pass
    return found


def kill_one(snakemake):
    """Kills a worker; whether there was one."""
    for process in random.sample(found := workers(snakemake), len(found)):
        try:
            print(f"kill -9: {' '.join(process.cmdline()[1:4])}", flush=True)
            process.kill()
            return True
        except psutil.NoSuchProcess:
            pass
    return False


def run(folder, args, every):
    """CPU seconds, seconds and kills of one run."""
    command = [args.snakemake, "-s", SNAKEFILE, "--directory", folder, "-j", "2", "tables", "generations", "--config"]
    command += [f"damier={Path(args.damier).resolve()}", *args.config]
    before, began, kills = resource.getrusage(resource.RUSAGE_CHILDREN), time.monotonic(), 0
    with open(folder / "log", "w") as log:
        snakemake = subprocess.Popen(command, stdout=log, stderr=log)
        # The first one in the middle of an interval: short work is met too.
        next_kill = began + every / 2 if every else float("inf")
        while snakemake.poll() is None:
            if time.monotonic() >= next_kill:
                if kill_one(snakemake):
                    kills += 1
                    next_kill += every
            time.sleep(0.05)
    if snakemake.returncode:
        sys.exit(f"{(folder / 'log').read_text()}\nsnakemake: exit code {snakemake.returncode}")
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    cpu = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    return cpu, time.monotonic() - began, kills


def results(folder):
    """What the run leaves: the checksum of each file; of a match what it played."""
    found = {}
    for pattern in ("tables/*.dgt", "generations/*/games.dgr", "generations/*/new.dwt", "generations/*/best"):
        for path in folder.glob(pattern):
            found[str(path.relative_to(folder))] = hashlib.sha256(path.read_bytes()).hexdigest()
    for path in folder.glob("generations/*/match.json"):
        report = json.loads(path.read_text())
        found[str(path.relative_to(folder))] = [report["games"], report["endings"], report["pairings"], report["sprt"]]
    return found


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--damier", required=True)
    parser.add_argument("--snakemake", required=True)
    parser.add_argument("--every", type=float, default=20, help="seconds from kill to kill [%(default)s]")
    parser.add_argument("--most", type=float, help="CPU that the kills may cost, in percent")
    parser.add_argument("config", nargs="*", help="settings of the Snakefile, NAME=VALUE")
    args = parser.parse_args()
    with tempfile.TemporaryDirectory() as name:
        seen = []
        for title, every in (("in peace", None), ("with kills", args.every)):
            folder = Path(name) / title.replace(" ", "-")
            folder.mkdir()
            cpu, seconds, kills = run(folder, args, every)
            print(f"{title}: {cpu:.1f} s of CPU, {seconds:.1f} s, {kills} kills", flush=True)
            seen.append((cpu, results(folder)))
    (peace, expected), (faults, found) = seen
    if not kills:
        sys.exit("no worker was killed: give it more to do, or a smaller --every")
    for name in sorted(expected.keys() | found.keys()):
        if expected.get(name) != found.get(name):
            sys.exit(f"{name} differs: {expected.get(name)} in peace, {found.get(name)} with kills")
    cost = 100 * (faults / peace - 1)
    print(f"{len(expected)} results, all the same; the kills cost {cost:.1f} % of CPU")
    if args.most is not None and cost > args.most:
        sys.exit(f"more than {args.most} %")


main()

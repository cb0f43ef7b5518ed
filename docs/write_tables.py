#!/usr/bin/env python3
"""Writes the tables of docs/experiments.md from the output of `damier experiment`.

    docs/write_tables.py target/release/damier mtdfix time   # run the commands of these experiments and write their tables
    docs/write_tables.py target/release/damier               # those of all experiments: hours on an idle machine
    docs/write_tables.py target/release/damier time --saved FOLDER   # from FOLDER/time.md, which the command has written
    docs/write_tables.py target/release/damier --stale   # those whose bench signature is not that of this program
    docs/write_tables.py target/release/damier --check   # name these and run nothing

A block begins with the command in a comment, `<!-- table: damier experiment NAME ... -->`, and ends with
`<!-- end of table -->`. What stands between is replaced, with command, machine, date and the signature of the
search, which is the number of nodes that `damier bench` counts.

`--check` only names tables of another search: a change of the search takes seconds, the tables hours on a quiet
machine. It fails, with exit code 1, where a table does not say of which search it is.
"""

import argparse
import datetime
import os
import re
import shlex
import subprocess
import sys
import textwrap
from pathlib import Path

WIDTH = 120
PAGE = Path(__file__).with_name("experiments.md")
SIGNATURE = re.compile(r"Bench:\s+(\d+)")
BLOCK = re.compile(r"(<!-- table: (damier experiment (\S+)[^>]*?) -->\n).*?(<!-- end of table -->)", re.S)


def machine():
    """The processor and its cores."""
    try:
        text = Path("/proc/cpuinfo").read_text()
        model = re.search(r"^model name\s*:\s*(.+)$", text, re.M).group(1)
    except (OSError, AttributeError):
        model = "unknown processor"
    return f"{os.cpu_count()} cores of an {model.replace('(R)', '').replace('  ', ' ')}"


def run(program, command):
    words = shlex.split(command)
    done = subprocess.run([program, *words[1:]], stdout=subprocess.PIPE, text=True)
    if done.returncode != 0:
        sys.exit(f"{command}: exit code {done.returncode}")
    return done.stdout


def signature(program):
    """The nodes of `damier bench`: another number is another search."""
    done = subprocess.run([program, "bench"], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    found = SIGNATURE.search(done.stdout)
    if done.returncode != 0 or not found:
        sys.exit(f"{program} bench: exit code {done.returncode}, no signature")
    return found.group(1)


def wrapped(tables):
    """The lines between the tables, at most as wide as the other text of the page."""
    lines = (line if line.startswith("|") else textwrap.fill(line, WIDTH) for line in tables.splitlines())
    return "\n".join(lines).rstrip("\n") + "\n"


def check(blocks, nodes):
    """Names the tables of another search than that of the signature; whether each table has one."""
    unsigned = [block for block in blocks if not made_by(block)]
    for block in unsigned:
        print(f"{block.group(2)}: does not say of which search it is (Bench: N)")
    stale = [block for block in blocks if made_by(block) not in (None, nodes)]
    for block in stale:
        print(f"{block.group(2)}: of another search, Bench: {made_by(block)}; now Bench: {nodes}")
    print(f"{len(blocks)} tables, {len(stale)} of another search, {len(unsigned)} of an unknown one")
    return not unsigned


def arguments(block):
    """What stands behind `damier experiment`."""
    return block.group(2).split(maxsplit=2)[2]


def made_by(block):
    """The signature that a table has, if any."""
    found = SIGNATURE.search(block.group(0))
    return found and found.group(1)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("program", type=Path)
    parser.add_argument("names", nargs="*", help="experiments, or one with all its arguments; all without a name")
    parser.add_argument("--saved", type=Path, help="take the output from FOLDER/NAME.md instead of running the commands")
    parser.add_argument("--stale", action="store_true", help="only tables of another search than this program's")
    parser.add_argument("--check", action="store_true", help="name these, and run nothing")
    parser.add_argument("--note", default="", help="what else to say of the run, such as 'times under load'")
    parser.add_argument("--page", type=Path, default=PAGE, help="another page than docs/experiments.md")
    args = parser.parse_args()
    program = args.program.resolve()
    nodes = signature(program)
    blocks = list(BLOCK.finditer(args.page.read_text()))
    found = {block.group(3) for block in blocks}
    missing = set(args.names).difference(found, map(arguments, blocks))
    if missing:
        sys.exit(f"{args.page.name} has no table of {', '.join(sorted(missing))}; it has {', '.join(sorted(found))}")
    blocks = [block for block in blocks if not args.names or {block.group(3), arguments(block)} & set(args.names)]
    if args.check:
        sys.exit(0 if check(blocks, nodes) else 1)
    for block in blocks:
        begin, command, name, end = block.groups()
        if args.stale and made_by(block) == nodes:
            continue
        tables = (args.saved / f"{name}.md").read_text() if args.saved else run(program, command)
        note = f"; {args.note}" if args.note else ""
        source = f"`{command}`, {machine()}, {datetime.date.today()}, Bench: {nodes}{note}."
        written = f"\n{textwrap.fill(source, WIDTH)}\n\n{wrapped(tables)}\n"
        # The page may have changed while the command ran.
        page = args.page.read_text()
        place = page.index(begin)
        rest = page[place + len(begin) :]
        text = page[:place] + begin + written + rest[rest.index(end) :]
        part = args.page.with_suffix(".part")
        part.write_text(text)
        part.replace(args.page)
        print(f"{name}: written")


if __name__ == "__main__":
    main()

#!/usr/bin/env python3
"""Writes the tables of docs/experiments.md from the output of `damier experiment`.

    docs/write_tables.py target/release/damier mtdfix time   # run the commands of these experiments and write their tables
    docs/write_tables.py target/release/damier               # those of all experiments: hours on an idle machine
    docs/write_tables.py target/release/damier time --saved FOLDER   # from FOLDER/time.md, which the command has written

A block begins with the command in a comment, `<!-- table: damier experiment NAME ... -->`, and ends with
`<!-- end of table -->`. What stands between is replaced, with command, machine and date.
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


def wrapped(tables):
    """The lines between the tables, at most as wide as the other text of the page."""
    lines = (line if line.startswith("|") else textwrap.fill(line, WIDTH) for line in tables.splitlines())
    return "\n".join(lines).rstrip("\n") + "\n"


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("program", type=Path)
    parser.add_argument("names", nargs="*", help="experiments; all without a name")
    parser.add_argument("--saved", type=Path, help="take the output from FOLDER/NAME.md instead of running the commands")
    args = parser.parse_args()
    program = args.program.resolve()
    found = {block.group(3) for block in BLOCK.finditer(PAGE.read_text())}
    missing = set(args.names) - found
    if missing:
        sys.exit(f"{PAGE.name} has no table of {', '.join(sorted(missing))}; it has {', '.join(sorted(found))}")
    for block in list(BLOCK.finditer(PAGE.read_text())):
        begin, command, name, end = block.groups()
        if args.names and name not in args.names:
            continue
        tables = (args.saved / f"{name}.md").read_text() if args.saved else run(program, command)
        source = f"`{command}`, {machine()}, {datetime.date.today()}."
        # The page may have changed while the command ran.
        page = PAGE.read_text()
        place = page.index(begin)
        rest = page[place + len(begin) :]
        text = page[:place] + begin + f"\n{source}\n\n{wrapped(tables)}\n" + rest[rest.index(end) :]
        part = PAGE.with_suffix(".part")
        part.write_text(text)
        part.replace(PAGE)
        print(f"{name}: written")


if __name__ == "__main__":
    main()

#!/usr/bin/env python3
"""Writes the tables of docs/experiments.md from the output of `damier experiment`.

    docs/write_tables.py target/release/damier mtdfix time   # run the commands of these and write their tables
    docs/write_tables.py target/release/damier               # those of all experiments: hours on an idle machine
    docs/write_tables.py target/release/damier --stale   # those whose bench signature is not that of this program
    docs/write_tables.py target/release/damier --mark    # say of these in the page that they are of an earlier search
    docs/write_tables.py target/release/damier --check   # whether the page says it of these and of no other

A block begins with the command in a comment, `<!-- table: damier experiment NAME ... -->`, and ends with
`<!-- end of table -->`. What stands between is replaced, with command, machine, date and the signature of the
search, which is the number of nodes that `damier bench` counts.

A change of the search takes seconds, its tables hours on a quiet machine. So a table of an earlier search may stay, but
only if it says so to the reader: `--check` fails, with exit code 1, on one that does not, on one that does not say of
which search it is, and on a block that is not as above or was made by another command than that of its comment.
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
MARK = "of an earlier search"
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


def misplaced(text):
    """Whether lines that begin and that end a table do not take turns, or there are none."""
    begin, end = "table: damier experiment", "end of table"
    lines = re.findall(rf"<!--.*?({begin}|{end})", text)
    tables = len(BLOCK.findall(text))
    return tables == 0 or lines != [begin, end] * tables


def fault(block, nodes):
    """What is wrong with a table, if anything."""
    head = head_of(block)
    if not head.startswith(f"`{block.group(2)}`"):
        return "made by another command, or no command, machine, date and search stand before it"
    if not made_by(block):
        return "does not say of which search it is (Bench: N)"
    if is_stale(block, nodes) and MARK not in head:
        return f"does not say that it is {MARK}; --stale makes it again, --mark says it"
    if MARK in head and not is_stale(block, nodes):
        return f"says that it is {MARK}, but it is of this one"
    return None


def check(page, blocks, nodes):
    """Names the tables of another search than that of the signature and what is wrong; whether nothing is."""
    wrong = []
    if misplaced(page.read_text()):
        wrong.append(f"{page.name}: a table does not begin or does not end as it should")
    for block in blocks:
        if is_stale(block, nodes) and made_by(block):
            print(f"{block.group(2)}: of another search, Bench: {made_by(block)}; now Bench: {nodes}")
        found = fault(block, nodes)
        if found:
            wrong.append(f"{block.group(2)}: {found}")
    print(*wrong, f"{len(blocks)} tables, {len(wrong)} faults", sep="\n")
    return not wrong


def mark(page, blocks, nodes):
    """Says of the tables of another search that they are."""
    text = page.read_text()
    for block in blocks:
        if not made_by(block) or not is_stale(block, nodes) or MARK in head_of(block):
            continue
        marked = head_of(block).replace(f"Bench: {made_by(block)}", f"Bench: {made_by(block)}, {MARK}", 1)
        comment, _, tables = block.group(0).split("\n\n", 2)
        text = text.replace(block.group(0), f"{comment}\n\n{textwrap.fill(marked, WIDTH)}\n\n{tables}")
        print(f"{block.group(2)}: marked")
    replace(page, text)


def replace(page, text):
    """Writes the page beside and renames it."""
    part = page.with_suffix(".part")
    part.write_text(text)
    part.replace(page)


def head_of(block):
    """The lines before the tables, as one: command, machine, date and signature."""
    parts = block.group(0).split("\n\n", 2)
    return " ".join(parts[1].split()) if len(parts) == 3 else ""


def is_stale(block, nodes):
    return made_by(block) != nodes


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
    parser.add_argument("--stale", action="store_true", help="only tables of another search than this program's")
    parser.add_argument("--mark", action="store_true", help="say in the page that these are, and run nothing")
    parser.add_argument("--check", action="store_true", help="whether the page says so; run nothing")
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
    if args.mark:
        mark(args.page, blocks, nodes)
        return
    if args.check:
        sys.exit(0 if check(args.page, blocks, nodes) else 1)
    for block in blocks:
        begin, command, name, end = block.groups()
        if args.stale and not is_stale(block, nodes):
            continue
        tables = run(program, command)
        note = f"; {args.note}" if args.note else ""
        source = f"`{command}`, {machine()}, {datetime.date.today()}, Bench: {nodes}{note}."
        written = f"\n{textwrap.fill(source, WIDTH)}\n\n{wrapped(tables)}\n"
        # The page may have changed while the command ran.
        page = args.page.read_text()
        place = page.index(begin)
        rest = page[place + len(begin) :]
        text = page[:place] + begin + written + rest[rest.index(end) :]
        replace(args.page, text)
        print(f"{name}: written")


if __name__ == "__main__":
    main()

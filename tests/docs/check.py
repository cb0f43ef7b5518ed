#!/usr/bin/env python3
"""Checks that README.md, CONTRIBUTING.md and docs/ are true.

    tests/docs/check.py --damier target/release/damier [--python PYTHON] [--only NAME]

- links lead somewhere, and source files named in backquotes exist
- README.md has at most 150 lines
- shell blocks (```sh) end with exit code 0; blocks marked ```sh no-run take too long or need a person
- in both kinds each --option is one that the command's help lists
- Python blocks (```python) run, with the interpreter given by --python, which has the packages that they import
- docs/json.md describes each field of the output of the commands that its comments name, and no others

Blocks of a file run in one temporary folder, in order, with the program in PATH.
"""

import argparse
import json
import os
import re
import shlex
import socket
import subprocess
import sys
import tempfile
import textwrap
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
README_LINES = 150
SECONDS = 120
SUBCOMMANDS = {"book", "endgame", "dataset", "games"}
# Descriptions of fields that an output may lack.
OPTIONAL = re.compile(r"only when|missing where|\bnull\b")


class Checker:
    def __init__(self, program, python):
        self.program, self.python = program, python
        self.failures, self.helps, self.counts = [], {}, {}

    def fail(self, where, what):
        self.failures.append(f"{where}: {what}")

    def count(self, kind):
        self.counts[kind] = self.counts.get(kind, 0) + 1

    def run(self, where, text, folder, shell=True):
        env = dict(os.environ, PATH=f"{self.program.parent}{os.pathsep}{os.environ['PATH']}", PORT=free_port())
        command = ["bash", "-euo", "pipefail", "-c", text] if shell else [self.python, "-c", text]
        try:
            done = subprocess.run(
                command, cwd=folder, env=env, capture_output=True, text=True, timeout=SECONDS, stdin=subprocess.DEVNULL
            )
        except subprocess.TimeoutExpired:
            self.fail(where, f"not done after {SECONDS} s:\n{text}")
            return ""
        if done.returncode != 0:
            self.fail(where, f"exit code {done.returncode}:\n{text}\n{done.stdout[-2000:]}{done.stderr[-2000:]}")
        return done.stdout

    def help(self, words):
        if words not in self.helps:
            done = subprocess.run([self.program, *words, "--help"], capture_output=True, text=True)
            self.helps[words] = done.stdout if done.returncode == 0 else None
        return self.helps[words]

    def check_options(self, where, block):
        for command in commands(block):
            words = tuple(word for word in command[:2] if word.isalpha())[: 2 if command[:1] and command[0] in SUBCOMMANDS else 1]
            text = self.help(words)
            if text is None:
                self.fail(where, f"no command damier {' '.join(words)}")
                continue
            for word in command:
                option = re.match(r"--[a-z][a-z-]*", word)
                if option and not re.search(re.escape(option.group()) + r"(?![a-z-])", text):
                    self.fail(where, f"damier {' '.join(words)} has no option {option.group()}")
            self.count("command lines")

    def check_links(self, path, text):
        for target in re.findall(r"\]\(([^)#\s]+)", text):
            if not target.startswith(("http:", "https:")) and not (path.parent / target).exists():
                self.fail(path.name, f"{target} does not exist")
        for name in re.findall(r"`((?:src|tests|docs|examples|weights|tables|bench-positions|fuzz|\.ci)/[\w./-]+)`", text):
            if not (ROOT / name).exists():
                self.fail(path.name, f"{name} does not exist")

    def check_blocks(self, path, text):
        with tempfile.TemporaryDirectory() as folder:
            for number, info, block in blocks(text):
                where = f"{path.name}:{number}"
                language, *marks = info.split() or [""]
                if language == "sh":
                    self.check_options(where, block)
                    if "no-run" not in marks:
                        self.run(where, block, folder)
                        self.count("shell blocks")
                elif language == "python" and "no-run" not in marks:
                    if self.python:
                        self.run(where, block, folder, shell=False)
                        self.count("Python blocks")

    def check_json(self, path, text):
        for section in re.split(r"(?m)^## ", text)[1:]:
            title = section.splitlines()[0]
            script = re.search(r"<!-- run\n(.*?)-->", section, re.S)
            if not script:
                continue
            known, needed = documented(section)
            if title == "match":
                known, needed = spread(known, needed)
            with tempfile.TemporaryDirectory() as folder:
                out = self.run(f"{path.name}, {title}", script.group(1), folder)
            self.check_options(f"{path.name}, {title}", script.group(1))
            found = set()
            for line in out.splitlines():
                try:
                    found |= set(fields(json.loads(line), known))
                except ValueError:
                    self.fail(f"{path.name}, {title}", f"not JSON: {line:.200}")
            for field in sorted(found - known):
                self.fail(f"{path.name}, {title}", f"`{field}` is not described")
            for field in sorted(needed - found):
                self.fail(f"{path.name}, {title}", f"`{field}` is described, but not in the output")
            self.count("JSON outputs")


def free_port():
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return str(probe.getsockname()[1])


def blocks(text):
    """The fenced blocks of a page: number of the first line, what stands behind the fence, text."""
    start, info, lines = None, "", []
    for number, line in enumerate(text.splitlines(), 1):
        if line.lstrip().startswith("```"):
            if start is None:
                start, info, lines = number + 1, line.strip()[3:].strip(), []
            else:
                yield start, info, textwrap.dedent("\n".join(lines))
                start = None
        elif start is not None:
            lines.append(line)


def commands(block):
    """The words behind `damier` of each command line of a shell block."""
    for line in block.replace("\\\n", " ").splitlines():
        lexer = shlex.shlex(line, posix=True, punctuation_chars="|&;<>()")
        lexer.whitespace_split = True
        lexer.commenters = "#"
        try:
            words = list(lexer)
        except ValueError:
            continue
        starts = [i for i, word in enumerate(words) if word == "damier"]
        for start in starts:
            end = next((i for i in range(start, len(words)) if set(words[i]) <= set("|&;<>()")), len(words))
            yield words[start + 1 : end]


def documented(section):
    """All fields that the tables of a section describe, and those that an output must have."""
    known, needed = set(), set()
    for line in section.splitlines():
        cells = [cell.strip() for cell in line.split("|")[1:-1]]
        if len(cells) != 4 or not cells[0].startswith("`"):
            continue
        names = set(re.findall(r"`([^`]+)`", cells[0]))
        known |= names
        if not OPTIONAL.search(cells[1] + cells[2]) and not any("*" in name for name in names):
            needed |= names
    return known, needed


def spread(known, needed):
    """The fields of a result, which the page describes once for pairings and engines."""
    result = {"wins", "draws", "losses", "pairs", "score", "los", "draw_rate", "decisive_pair_rate", "elo", "normalised_elo"}

    def move(names):
        moved = {name for name in names if name.split(".")[0] in result}
        return names - moved | {f"{place}[].{name}" for name in moved for place in ("pairings", "engines")}

    return move(known), move(needed)


def fields(value, known, path=""):
    """The paths of all fields of an object; `x.*` where the page says that the names in x vary."""
    if isinstance(value, dict):
        if f"{path}.*" in known:
            yield f"{path}.*"
            return
        for name, inner in value.items():
            inside = f"{path}.{name}" if path else name
            yield from fields(inner, known, inside)
            if isinstance(inner, (dict, list)) and inside in known:
                yield inside
    elif isinstance(value, list) and any(isinstance(inner, dict) for inner in value):
        for inner in value:
            yield from fields(inner, known, f"{path}[]")
    elif path:
        yield path


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--damier", required=True, type=Path, help="the program")
    parser.add_argument("--python", help="runs the Python blocks; without it they are left out")
    parser.add_argument("--only", help="check this page only, such as json.md")
    args = parser.parse_args()
    checker = Checker(args.damier.resolve(), args.python and os.path.abspath(args.python))
    pages = [ROOT / "README.md", ROOT / "CONTRIBUTING.md", ROOT / "CHANGELOG.md", *sorted((ROOT / "docs").glob("*.md"))]

    def check(path):
        text = path.read_text(encoding="utf-8")
        checker.check_links(path, text)
        checker.check_blocks(path, text)
        if path.name == "json.md":
            checker.check_json(path, text)
        if path.name == "README.md" and len(text.splitlines()) > README_LINES:
            checker.fail(path.name, f"more than {README_LINES} lines")

    with ThreadPoolExecutor(os.cpu_count()) as pool:
        list(pool.map(check, [path for path in pages if args.only in (None, path.name)]))
    for failure in checker.failures:
        print(failure)
    if checker.failures:
        print(f"FAIL: {len(checker.failures)} things in the documentation are not true")
        return 1
    print("OK: " + ", ".join(f"{count} {kind}" for kind, count in sorted(checker.counts.items())))
    return 0


if __name__ == "__main__":
    sys.exit(main())

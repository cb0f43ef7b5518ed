#!/usr/bin/env python3
"""Draws docs/images/analysis.svg from the output of `damier analyze`, and docs/images/mtdfix.svg from `damier suite`.

    docs/images/draw.py target/release/damier            # write the pictures again
    docs/images/draw.py target/release/damier --check    # fail if their moves are no longer found

Nodes and times differ between versions and machines, so --check compares only the positions, the moves with arrows and
the first plies of the line.
"""

import argparse
import json
import re
import subprocess
import sys
import tempfile
from pathlib import Path
from xml.sax.saxutils import escape

FEN = "W:W27,31,32,33,34,35,41,43,44,46,47,48,49,50:B1,2,3,8,9,12,13,14,18,22,23,25"
DEPTH = 12
PLIES_CHECKED = 7
FOLDER = Path(__file__).parent
CELL, LEFT, TOP = 40, 16, 16
GREEN, RED = "#1f7a3d", "#b3261e"
# The position of docs/mtdfix.md, one of those in which MTD(f) is wrong.
INCONSISTENCIES = FOLDER.parents[1] / "bench-positions" / "inconsistencies.fen"
BLUNDER = "mtdf-1-2-80"


def run(program, *arguments):
    return subprocess.run([program, *arguments], check=True, capture_output=True, text=True).stdout


def center(square):
    """The middle of a square from 1 to 50, White at the bottom."""
    row, index = divmod(square - 1, 5)
    column = 2 * index + (1 if row % 2 == 0 else 0)
    return LEFT + (column + 0.5) * CELL, TOP + (row + 0.5) * CELL


def pieces(fen):
    for side in fen.split(":")[1:]:
        for piece in side[1:].split(","):
            king = piece.startswith("K")
            yield side[0], king, int(piece.lstrip("K"))


def board(fen, arrows):
    """The position, with an arrow in a colour for each move."""
    parts = [f'<rect x="{LEFT}" y="{TOP}" width="{10 * CELL}" height="{10 * CELL}" fill="#f0dcb4"/>']
    for square in range(1, 51):
        x, y = center(square)
        parts.append(
            f'<rect x="{x - CELL / 2:g}" y="{y - CELL / 2:g}" width="{CELL}" height="{CELL}" fill="#a9784f"/>'
            f'<text x="{x - CELL / 2 + 2:g}" y="{y - CELL / 2 + 10:g}" font-size="9" fill="#f0dcb4">{square}</text>'
        )
    for side, king, square in pieces(fen):
        x, y = center(square)
        fill, line = ("#fbf7ec", "#5b4632") if side == "W" else ("#2b2622", "#0d0b0a")
        parts.append(f'<circle cx="{x:g}" cy="{y:g}" r="{CELL * 0.38:g}" fill="{fill}" stroke="{line}" stroke-width="2"/>')
        if king:
            parts.append(f'<circle cx="{x:g}" cy="{y:g}" r="{CELL * 0.2:g}" fill="none" stroke="{line}" stroke-width="3"/>')
    for move, color in arrows:
        start, end = re.split("[-x]", move)[:2]
        (x1, y1), (x2, y2) = center(int(start)), center(int(end))
        parts.append(
            f'<line x1="{x1:g}" y1="{y1:g}" x2="{x2:g}" y2="{y2:g}" stroke="{color}" stroke-width="6" '
            f'stroke-linecap="round" marker-end="url(#head{color[1:]})" opacity="0.85"/>'
        )
    return parts


def screen(text):
    x, y, height = LEFT + 10 * CELL + 24, TOP, 10 * CELL
    parts = [f'<rect x="{x}" y="{y}" width="580" height="{height}" rx="6" fill="#1d2021"/>']
    for number, line in enumerate(text):
        color = "#b8e0a0" if line.startswith(("best", "line", "$")) else "#e6e1d3"
        parts.append(
            f'<text x="{x + 12}" y="{y + 24 + 18 * number}" font-size="11.5" fill="{color}" xml:space="preserve">'
            f"{escape(line)}</text>"
        )
    return parts


def analysis(program):
    """The picture of README.md."""
    command = ["analyze", FEN, "--depth", str(DEPTH)]
    found = json.loads(run(program, *command, "--json"))
    lines = run(program, *command).splitlines()
    table = lines[next(i for i, line in enumerate(lines) if line.startswith("depth")) :]
    text = [f"$ damier analyze FEN --depth {DEPTH}", ""] + [line[:78] for line in table]
    facts = {"fen": found["fen"], "pv": found["pv"][:PLIES_CHECKED]}
    return picture(program, facts, f"White to move, best move {found['best']}", [(found["best"], GREEN)], text)


def blunder(program):
    """The picture of docs/mtdfix.md: a move of MTD(f) in red, and that of MTDfix in green."""
    line = next(line for line in INCONSISTENCIES.read_text().splitlines() if BLUNDER in line)
    depth = re.search("grade ([0-9]+)", line).group(1)
    text, moves = [], []
    with tempfile.TemporaryDirectory() as folder:
        (Path(folder) / "one.fen").write_text(line + "\n")
        for driver in ["mtdf", "mtdfix"]:
            command = ["suite", f"{folder}/one.fen", "--depth", depth, "--search", driver]
            found = json.loads(run(program, *command, "--json").splitlines()[0])
            text += [f"$ damier suite one.fen --depth {depth} --search {driver}", ""]
            text += [f"{found['best']}, worth {found['score']:.2f} men, after {found['end_nodes']} nodes", ""]
            moves.append(found["best"])
    for move in moves:
        command = ["analyze", found["fen"], "--moves", move, "--depth", "13", "--json"]
        # For the side to move, which is the other one.
        value = -json.loads(run(program, *command))["score"]
        text += [f"$ damier analyze FEN --moves {move} --depth 13", "", f"{move} is worth {value:.2f} men", ""]
    facts = {"fen": found["fen"], "moves": moves}
    title = f"MTD(f) plays {moves[0]}, MTDfix {moves[1]}"
    return picture(program, facts, title, list(zip(moves, [RED, GREEN])), text)


def picture(program, facts, title, arrows, text):
    version = run(program, "--version").strip()
    heads = "".join(
        f'<marker id="head{color[1:]}" viewBox="0 0 10 10" refX="6" refY="5" markerWidth="3" markerHeight="3" '
        f'orient="auto"><path d="M0 0L10 5L0 10z" fill="{color}"/></marker>'
        for _, color in arrows
    )
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{10 * CELL + 636}" height="{10 * CELL + 2 * TOP}" '
        f'viewBox="0 0 {10 * CELL + 636} {10 * CELL + 2 * TOP}" font-family="DejaVu Sans Mono, Menlo, Consolas, monospace">',
        f"<title>{escape(version)}: {escape(title)}</title>",
        f"<desc>{escape(json.dumps({**facts, 'program': version}))}</desc>",
        f"<defs>{heads}</defs>",
        *board(facts["fen"], arrows),
        *screen(text),
        "</svg>",
    ]
    return "\n".join(parts) + "\n"


def facts(svg):
    text = re.search("<desc>(.*?)</desc>", svg, re.S).group(1)
    data = json.loads(text.replace("&amp;", "&").replace("&gt;", ">").replace("&lt;", "<"))
    return data["fen"], data.get("pv", [])[:PLIES_CHECKED], data.get("moves")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("program", help="the damier binary")
    parser.add_argument("--check", action="store_true", help="compare with the pictures instead of writing them")
    args = parser.parse_args()
    differ = False
    for name, draw in [("analysis.svg", analysis), ("mtdfix.svg", blunder)]:
        path, svg = FOLDER / name, draw(args.program)
        if not args.check:
            path.write_text(svg)
            continue
        old, new = facts(path.read_text()), facts(svg)
        if old != new:
            print(f"FAIL: {name} shows {old}, the program finds {new}; draw it again, correct the page that shows it")
            differ = True
    if args.check and not differ:
        print("OK: the pictures show what the program finds")
    return int(differ)


if __name__ == "__main__":
    sys.exit(main())

#!/usr/bin/env python3
"""Draws docs/images/analysis.svg from the output of `damier analyze`.

    docs/images/draw.py target/release/damier            # write the picture again
    docs/images/draw.py target/release/damier --check    # fail if its best move or line is no longer found

Nodes and times differ between versions and machines, so --check compares only the position, the best move and the first
plies of the line.
"""

import argparse
import json
import re
import subprocess
import sys
from pathlib import Path
from xml.sax.saxutils import escape

FEN = "W:W27,31,32,33,34,35,41,43,44,46,47,48,49,50:B1,2,3,8,9,12,13,14,18,22,23,25"
DEPTH = 12
PLIES_CHECKED = 7
ARROWS = 1
PICTURE = Path(__file__).with_name("analysis.svg")
CELL, LEFT, TOP = 40, 16, 16


def run(program, *options):
    command = [program, "analyze", FEN, "--depth", str(DEPTH), *options]
    return subprocess.run(command, check=True, capture_output=True, text=True).stdout


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


def board(fen, pv):
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
    for move in pv[:ARROWS]:
        start, end = re.split("[-x]", move)[:2]
        (x1, y1), (x2, y2) = center(int(start)), center(int(end))
        parts.append(
            f'<line x1="{x1:g}" y1="{y1:g}" x2="{x2:g}" y2="{y2:g}" stroke="#1f7a3d" stroke-width="6" '
            'stroke-linecap="round" marker-end="url(#head)" opacity="0.85"/>'
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


def picture(program):
    found = json.loads(run(program, "--json"))
    lines = run(program).splitlines()
    table = lines[next(i for i, line in enumerate(lines) if line.startswith("depth")) :]
    table = [line[:78] for line in table]
    text = [f"$ damier analyze FEN --depth {DEPTH}", ""] + table
    version = subprocess.run([program, "--version"], check=True, capture_output=True, text=True).stdout.strip()
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{10 * CELL + 636}" height="{10 * CELL + 2 * TOP}" '
        f'viewBox="0 0 {10 * CELL + 636} {10 * CELL + 2 * TOP}" font-family="DejaVu Sans Mono, Menlo, Consolas, monospace">',
        f"<title>{escape(version)}: White to move, best move {escape(found['best'])}</title>",
        f"<desc>{escape(json.dumps({'fen': found['fen'], 'pv': found['pv'], 'program': version}))}</desc>",
        '<defs><marker id="head" viewBox="0 0 10 10" refX="6" refY="5" markerWidth="3" markerHeight="3" orient="auto">'
        '<path d="M0 0L10 5L0 10z" fill="#1f7a3d"/></marker></defs>',
        *board(found["fen"], found["pv"]),
        *screen(text),
        "</svg>",
    ]
    return "\n".join(parts) + "\n"


def facts(svg):
    text = re.search("<desc>(.*?)</desc>", svg, re.S).group(1)
    data = json.loads(text.replace("&amp;", "&").replace("&gt;", ">").replace("&lt;", "<"))
    return data["fen"], data["pv"][:PLIES_CHECKED]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("program", help="the damier binary")
    parser.add_argument("--check", action="store_true", help="compare with the picture instead of writing it")
    args = parser.parse_args()
    svg = picture(args.program)
    if not args.check:
        PICTURE.write_text(svg)
        return 0
    old, new = facts(PICTURE.read_text()), facts(svg)
    if old != new:
        print(f"FAIL: {PICTURE.name} shows {old}, the program finds {new}; draw it again")
        return 1
    print("OK: the picture in README.md is what the program finds")
    return 0


if __name__ == "__main__":
    sys.exit(main())

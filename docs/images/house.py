#!/usr/bin/env python3
"""Draws docs/images/house.svg, the crates of the workspace, from `cargo metadata`.

    docs/images/house.py            # write the picture again
    docs/images/house.py --check    # fail if it is no longer what the manifests say
"""

import json
import subprocess
import sys
from pathlib import Path

PICTURE = Path(__file__).with_name("house.svg")
# From the top, with the column: crates of one row do not use each other.
ROWS = [
    [("damier", 1.5, "hub, dxp, terminal, cli")],
    [("web", 0.5, "board in the browser"), ("lab", 2.5, "bench, tune, experiment")],
    [("analysis", 0, "annotate, solve, mine"), ("arena", 1.5, "matches"), ("training", 3, "games to weights")],
    [("engine", 0.8, "search, eval: the waist")],
    [("book", 0, "openings"), ("endgame", 1, "tables"), ("protocol", 2, "Hub, DXP"), ("base", 3, "games in SQLite")],
    [("os", 0, "files, signals"), ("rules", 1, "moves, FEN, PDN"), ("text", 2, "encodings"),
     ("bench-positions", 3, "bench, suites")],
    [("cpu", 1, "levels of processors")],
]
WIDTH, BOX, HIGH, STEP = 860, 190, 46, 80


def edges():
    """What uses what, without what follows from the rest."""
    text = subprocess.run(
        ["cargo", "metadata", "--format-version=1", "--no-deps"], check=True, capture_output=True, text=True
    ).stdout
    uses = {}
    for package in json.loads(text)["packages"]:
        names = [d["name"] for d in package["dependencies"] if d["kind"] is None and d["name"].startswith("damier-")]
        uses[package["name"].removeprefix("damier-")] = {name.removeprefix("damier-") for name in names}

    def below(name):
        return uses[name].union(*(below(used) for used in uses[name]))

    return {(a, b) for a in uses for b in uses[a] if not any(b in below(c) for c in uses[a] - {b})}


def draw():
    place, out = {}, []
    for row, crates in enumerate(ROWS):
        for name, column, what in crates:
            place[name] = (20 + BOX / 2 + column * (BOX + 20), 20 + row * STEP, what)
    level = {name: row for row, crates in enumerate(ROWS) for name, _, _ in crates}
    for a, b in sorted(edges()):
        if level[a] >= level[b]:
            sys.exit(f"{a} uses {b}, which is not drawn below it: change ROWS")
        (x, y, _), (to_x, to_y, _) = place[a], place[b]
        bend = (y + HIGH + to_y) / 2
        out.append(f'<path class="use" d="M{x:.0f} {y + HIGH} C{x:.0f} {bend:.0f} {to_x:.0f} {bend:.0f} {to_x:.0f} {to_y}"/>')
    for name, (x, y, what) in place.items():
        out.append(f'<rect class="{"hot" if name in ("cpu", "rules", "endgame", "engine") else "crate"}" '
                   f'x="{x - BOX / 2:.0f}" y="{y}" width="{BOX}" height="{HIGH}" rx="6"/>')
        out.append(f'<text class="name" x="{x:.0f}" y="{y + 19}">{name}</text>')
        out.append(f'<text class="what" x="{x:.0f}" y="{y + 36}">{what}</text>')
    height = 40 + (len(ROWS) - 1) * STEP + HIGH
    return "\n".join([
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {height}" role="img" '
        'aria-label="The crates of Damier and what uses what">',
        "<style>text{font-family:sans-serif;text-anchor:middle;fill:#222}.name{font-size:15px;font-weight:bold}"
        ".what{font-size:12px}rect{stroke:#555}.crate{fill:#f4f1ea}.hot{fill:#f3d9b1}.use{fill:none;stroke:#999}</style>",
        f'<rect width="{WIDTH}" height="{height}" fill="#fff" stroke="none"/>',
        *out,
        "</svg>",
    ]) + "\n"


if sys.argv[1:] == ["--check"]:
    if PICTURE.read_text() != draw():
        sys.exit("docs/images/house.svg is not what the manifests say: docs/images/house.py writes it again")
    print("OK: docs/images/house.svg shows the crates as they are")
else:
    PICTURE.write_text(draw())

#!/usr/bin/env python3
"""Writes what a program of Damier is made of.

    release/packages.py TARGET FOLDER

FOLDER/damier.cdx.json is the list of packages (SBOM, CycloneDX 1.5), FOLDER/LICENSES-OF-PACKAGES.txt their licences with
the texts that they come with. Both depend on Cargo.lock, the target and, for Windows, the version of MinGW-w64 alone.
Exit code 1 for a package without a text.
"""

import json
import subprocess
import sys
import uuid
from pathlib import Path

TEXTS = ("LICEN", "COPYING", "NOTICE", "UNLICENSE")
GRANT = "Permission is hereby granted"
# What is inside and no package.
OTHERS = """
Rust's standard library (the Rust Project contributors): MIT OR Apache-2.0; the text of Apache-2.0 is in LICENSE-APACHE
Roboto, the font of diagrams (Google): Apache-2.0, cut down to some scripts
SQLite: in the public domain
"""
MINGW = Path("/usr/share/doc/mingw-w64-x86-64-dev/copyright")


def linked(target):
    """The packages linked into the program: those that builds and tests alone need are left out."""
    platforms = ["aarch64-apple-darwin", "x86_64-apple-darwin"] if target == "universal2-apple-darwin" else [target]
    command = ["cargo", "metadata", "--locked", "--format-version", "1"]
    command += [word for platform in platforms for word in ("--filter-platform", platform)]
    metadata = json.loads(subprocess.run(command, check=True, stdout=subprocess.PIPE).stdout)
    packages = {package["id"]: package for package in metadata["packages"]}
    nodes = {node["id"]: node for node in metadata["resolve"]["nodes"]}
    todo, found = [metadata["resolve"]["root"]], set()
    while todo:
        package = todo.pop()
        if package not in found:
            found.add(package)
            todo += [dep["pkg"] for dep in nodes[package]["deps"] if any(kind["kind"] is None for kind in dep["dep_kinds"])]
    return sorted((packages[package] for package in found), key=lambda package: (package["name"], package["version"])), nodes


def texts(package):
    """Each text of its licence and where it is from; a few packages have it above their source alone."""
    folder = Path(package["manifest_path"]).parent
    files = [file for file in sorted(folder.iterdir()) if file.is_file() and file.name.upper().startswith(TEXTS)]
    if files:
        return [(file.name, file.read_text(errors="replace").strip()) for file in files]
    source = folder / "src" / "lib.rs"
    head = source.read_text().partition("*/")[0] if source.exists() else ""
    return [("src/lib.rs", head.strip("/* \n"))] if GRANT in head else []


def reference(package):
    return f"pkg:cargo/{package['name']}@{package['version']}"


def component(package):
    kind = "application" if package["name"] == "damier" else "library"
    found = {
        "type": kind,
        "bom-ref": reference(package),
        "name": package["name"],
        "version": package["version"],
        "licenses": [{"expression": package["license"].replace("/", " OR ")}],
    }
    return found | {"purl": reference(package)} if package["source"] else found


def main():
    target, folder = sys.argv[1], Path(sys.argv[2])
    packages, nodes = linked(target)
    names = {package["id"]: reference(package) for package in packages}
    root = next(package for package in packages if package["name"] == "damier")
    bom = {
        "bomFormat": "CycloneDX",
        "specVersion": "1.5",
        "version": 1,
        "metadata": {"component": component(root)},
        "components": [component(package) for package in packages if package is not root],
        "dependencies": [
            {"ref": names[package["id"]], "dependsOn": sorted({names[dep["pkg"]] for dep in nodes[package["id"]]["deps"] if dep["pkg"] in names})}
            for package in packages
        ],
    }
    bom["serialNumber"] = f"urn:uuid:{uuid.uuid5(uuid.NAMESPACE_URL, json.dumps(bom, sort_keys=True))}"
    (folder / "damier.cdx.json").write_text(json.dumps(bom, indent=1) + "\n")

    others = [package for package in packages if package["source"]]
    without = [package["name"] for package in others if not texts(package)]
    if without:
        sys.exit(f"no text of a licence in {', '.join(without)}")
    parts = ["The packages inside, each with its licence; the texts follow.\n\n"]
    parts += [f"{package['name']} {package['version']}: {package['license']}\n" for package in others]
    parts.append(OTHERS)
    seen = {}
    for package in others:
        for name, text in texts(package):
            seen.setdefault(text, []).append(f"{package['name']} {package['version']}, {name}")
    for text, places in seen.items():
        parts.append(f"\n{'=' * 80}\n" + "\n".join(places) + f"\n{'-' * 80}\n{text}\n")
    if "windows-gnu" in target:
        if not MINGW.exists():
            sys.exit(f"no text of the licence of MinGW-w64: {MINGW}, of Debian's mingw-w64-x86-64-dev")
        parts.append(f"\n{'=' * 80}\nThe runtime of MinGW-w64\n{'-' * 80}\n{MINGW.read_text().strip()}\n")
    (folder / "LICENSES-OF-PACKAGES.txt").write_text("".join(parts))


if __name__ == "__main__":
    main()

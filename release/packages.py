#!/usr/bin/env python3
"""Writes what a program of Damier is made of.

    release/packages.py TARGET FOLDER

FOLDER/damier.cdx.json is the list of packages (SBOM, CycloneDX 1.5), FOLDER/LICENSES-OF-PACKAGES.txt their licences with
the texts that they come with. Both depend on Cargo.lock, the target, the version of Rust and, for Windows, that of
MinGW-w64 alone. Exit code 1 for a package without a text.
"""

import json
import re
import subprocess
import sys
import uuid
from pathlib import Path
from urllib.parse import quote

TEXTS = ("LICEN", "COPYING", "NOTICE", "UNLICENSE")
GRANT = "Permission is hereby granted"
APACHE = "the text of Apache-2.0 is in LICENSE-APACHE"
MINGW = Path("/usr/share/doc/mingw-w64-x86-64-dev/copyright")


def run(*command):
    return subprocess.run(command, check=True, stdout=subprocess.PIPE, text=True).stdout


def others(target, packages):
    """What is inside and no package: name, version where it has one, licence, remark."""
    rust = run("rustc", "--version").split()[1]
    sqlite = next(Path(package["manifest_path"]).parent for package in packages if package["name"] == "libsqlite3-sys")
    head = (sqlite / "sqlite3" / "sqlite3.h").read_text()
    found = [
        ("Rust's standard library", rust, "MIT OR Apache-2.0", f"by the contributors of the Rust Project; {APACHE}"),
        ("SQLite", re.search(r'#define SQLITE_VERSION +"(.*)"', head).group(1), "blessing", "in the public domain"),
        ("Roboto", None, "Apache-2.0", f"the font of diagrams, by Google, cut down to some scripts; {APACHE}"),
    ]
    if "linux" in target:
        found.append(("LLVM libunwind", None, "Apache-2.0 WITH LLVM-exception", f"that of zig, the linker; {APACHE}"))
    if "windows-gnu" in target:
        found.append(("MinGW-w64", None, "ZPL-2.1", "the runtime; its texts stand at the end"))
    return found


def linked(target):
    """The packages linked into the program: those that builds and tests alone need are left out, and those of features
    that are off, which `cargo metadata` does not tell from others."""
    platforms = ["aarch64-apple-darwin", "x86_64-apple-darwin"] if target == "universal2-apple-darwin" else [target]
    words = [word for platform in platforms for word in ("--filter-platform", platform)]
    metadata = json.loads(run("cargo", "metadata", "--locked", "--format-version", "1", *words))
    nodes = {node["id"]: node for node in metadata["resolve"]["nodes"]}
    words = [word for platform in platforms for word in ("--target", platform)]
    words += ["--edges", "normal", "--prefix", "none", "--format", "{p}"]
    tree = run("cargo", "tree", "--locked", "--package", "damier", *words)
    names = {tuple(line.split()[:2]) for line in tree.splitlines() if line}
    found = [package for package in metadata["packages"] if (package["name"], f"v{package['version']}") in names]
    return sorted(found, key=lambda package: (package["name"], package["version"])), nodes


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
    return f"pkg:cargo/{package['name']}@{quote(package['version'])}"


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
    inside = others(target, packages)
    root = next(package for package in packages if package["name"] == "damier")
    bom = {
        "bomFormat": "CycloneDX",
        "specVersion": "1.5",
        "version": 1,
        "metadata": {"component": component(root)},
        "components": [component(package) for package in packages if package is not root]
        + [
            {"type": "library", "bom-ref": name, "name": name, "licenses": [{"expression": licence}]}
            | ({"version": version} if version else {})
            for name, version, licence, _ in inside
        ],
        "dependencies": [
            {"ref": names[package["id"]], "dependsOn": sorted({names[dep["pkg"]] for dep in nodes[package["id"]]["deps"] if dep["pkg"] in names})}
            for package in packages
        ],
    }
    bom["serialNumber"] = f"urn:uuid:{uuid.uuid5(uuid.NAMESPACE_URL, json.dumps(bom, sort_keys=True))}"
    (folder / "damier.cdx.json").write_text(json.dumps(bom, indent=1) + "\n")

    foreign = [package for package in packages if package["source"]]
    without = [package["name"] for package in foreign if not texts(package)]
    if without:
        sys.exit(f"no text of a licence in {', '.join(without)}")
    parts = ["The packages inside, each with its licence; the texts follow.\n\n"]
    parts += [f"{package['name']} {package['version']}: {package['license']}\n" for package in foreign]
    for name, version, licence, remark in inside:
        parts.append(f"{' '.join(filter(None, (name, version)))}: {licence}; {remark}\n")
    seen = {}
    for package in foreign:
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

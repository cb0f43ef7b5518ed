#!/usr/bin/env python3
"""Checks that docs/write_tables.py notices tables of another search, and writes them anew."""

import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

SCRIPT = Path(__file__).resolve().parents[2] / "docs" / "write_tables.py"
# Says what it is asked, and counts as many nodes as a search of its own would.
PROGRAM = """#!/bin/sh
case "$1" in
bench) echo "Bench: 77 nodes 1 nps" ;;
*) echo "| $* |" ;;
esac
"""
TABLE = """<!-- table: damier experiment {name} --depth 3 -->

`damier experiment {name} --depth 3`, a machine, 2026-01-01{signature}.

| old |

<!-- end of table -->
"""


class Tables(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.program, self.page = Path(folder.name) / "damier", Path(folder.name) / "page.md"
        self.program.write_text(PROGRAM)
        self.program.chmod(0o755)

    def tables(self, *arguments, **signatures):
        """Runs the script on a page with these tables; its exit code and what it prints."""
        tables = (TABLE.format(name=name, signature=text) for name, text in signatures.items())
        self.page.write_text("# Page\n\n" + "\n".join(tables))
        return self.run_script(*arguments)

    def check(self, page):
        self.page.write_text(page)
        return self.run_script("--check")

    def run_script(self, *arguments):
        command = [sys.executable, SCRIPT, self.program, *arguments, "--page", self.page]
        done = subprocess.run(command, capture_output=True, text=True)
        return done.returncode, done.stdout + done.stderr

    def test_a_stale_table_says_so_or_fails(self):
        signatures = {"time": ", Bench:\n77", "table": ", Bench: 76"}
        code, text = self.tables("--check", **signatures)
        self.assertEqual(code, 1)
        self.assertIn("damier experiment table --depth 3: of another search, Bench: 76; now Bench: 77", text)
        self.assertIn("damier experiment table --depth 3: does not say that it is of an earlier search", text)
        self.assertNotIn("experiment time", text)
        code, text = self.tables("--mark", **signatures)
        self.assertEqual((code, text), (0, "damier experiment table --depth 3: marked\n"))
        page = self.page.read_text()
        self.assertEqual(page.count("Bench: 76, of an earlier search."), 1)
        self.assertEqual(page.count("| old |"), 2)
        code, text = self.check(page)
        self.assertEqual(code, 0)
        self.assertIn("2 tables, 0 faults", text)

    def test_a_table_without_a_signature_fails(self):
        code, text = self.tables("--check", time=", Bench: 77", table="")
        self.assertEqual(code, 1)
        self.assertIn("damier experiment table --depth 3: does not say of which search it is", text)

    def test_a_page_that_is_not_well_formed_fails(self):
        sound = "\n".join(TABLE.format(name=name, signature=", Bench: 77") for name in ["time", "table"])
        self.assertEqual(self.check(sound)[0], 0)
        changes = [
            ("<!-- end of table -->\n\n", "\n\n", "does not begin or does not end as it should"),
            ("<!-- table: damier", "<!--table: damier", "does not begin or does not end as it should"),
            ("-->\n\n`damier experiment time --depth 3`", "-->\n\n`damier experiment time`", "made by another command"),
            ("-->\n\n`damier", "-->\n`damier", "made by another command"),
            ("Bench: 77", "Bench: 77, of an earlier search", "but it is of this one"),
        ]
        for old, new, message in changes:
            with self.subTest(new):
                self.assertIn(old, sound)
                code, text = self.check(sound.replace(old, new, 1))
                self.assertEqual(code, 1)
                self.assertIn(message, text)
                self.assertNotIn("Traceback", text)
        self.assertEqual(self.check("# Page\n")[0], 1)
        self.assertEqual(self.tables("table", "--check", time=", Bench: 77", table=", Bench: 77")[0], 0)

    def test_stale_tables_alone_are_written(self):
        self.assertEqual(self.tables("--stale", time="")[1], "time: written\n")
        code, text = self.tables("--stale", time=", Bench: 77", table=", Bench: 76")
        self.assertEqual((code, text), (0, "table: written\n"))
        page = self.page.read_text()
        self.assertEqual(page.count("| old |"), 1)
        self.assertIn("| experiment table --depth 3 |", page)
        self.assertEqual(page.count("Bench: 77"), 2)
        code, text = self.tables("time --depth 3", time=", Bench: 77", table=", Bench: 77")
        self.assertEqual((code, text), (0, "time: written\n"))
        code, text = self.tables("nothing", time=", Bench: 77")
        self.assertEqual(code, 1)
        self.assertIn("it has time", text)


if __name__ == "__main__":
    unittest.main()

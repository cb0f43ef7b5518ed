"""A small client for the Hub protocol, version 2: one engine process, a reader thread, exact times.

Every line carries the time (`time.monotonic`) at which it was read, taken in the reader thread, so that a busy main
thread does not spoil measurements. Nothing here waits without a limit.
"""

import collections
import os
import queue
import re
import shlex
import signal
import subprocess
import sys
import threading
import time
from typing import NamedTuple

# A thread that waits for the interpreter gets it after this long, not after the default 5 ms.
sys.setswitchinterval(0.0002)


class Crash(Exception):
    """The engine process ended, or could not be started."""


class Silence(Exception):
    """The engine did not answer in time."""


class Line(NamedTuple):
    at: float
    text: str


class Answer(NamedTuple):
    """What a search returned."""

    move: str  # empty: a bare `done`
    ponder: str
    used: float  # seconds from the write of `go` to the arrival of `done`
    info: dict  # the last value of each key of the info lines


class HubEngine:
    """An engine process; `command` is its whole command line."""

    def __init__(self, command, params=(), timeout=10.0):
        self.command = command
        self.id = {}
        self.declared = {}
        self.complaints = []  # the texts of `error` lines
        self._lines = queue.SimpleQueue()
        self._errors = collections.deque(maxlen=5)
        try:
            self.process = subprocess.Popen(
                shlex.split(command), stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, bufsize=0,
                start_new_session=True)
        except OSError as error:
            raise Crash(f"cannot start {command!r}: {error}") from None
        threading.Thread(target=self._read_output, daemon=True).start()
        threading.Thread(target=self._read_errors, daemon=True).start()
        try:
            self._handshake(params, timeout)
        except Exception:
            self.kill()
            raise

    # Lines

    def _read_output(self):
        file, rest = self.process.stdout.fileno(), b""
        while True:
            try:
                chunk = os.read(file, 1 << 16)
            except OSError:
                chunk = b""
            at = time.monotonic()
            if not chunk:
                self._lines.put(None)
                return
            *lines, rest = (rest + chunk).split(b"\n")
            for line in lines:
                text = line.decode("utf-8", "replace").strip()
                if text:
                    self._lines.put(Line(at, text))

    def _read_errors(self):
        for line in self.process.stderr:
            self._errors.append(line.decode("utf-8", "replace").rstrip())

    def send(self, *lines):
        """Writes the lines in one go; the time just before."""
        at = time.monotonic()
        try:
            self.process.stdin.write("".join(line + "\n" for line in lines).encode())
        except OSError:
            raise self._crash() from None
        return at

    def read(self, deadline, what):
        """The next line, by the time `deadline` of the monotonic clock."""
        try:
            line = self._lines.get(timeout=max(deadline - time.monotonic(), 0.0005))
        except queue.Empty:
            raise Silence(f"no {what}") from None
        if line is None:
            self._lines.put(None)  # for whoever reads again
            raise self._crash()
        if line.text.startswith("error"):
            self.complaints.append(line.text)
        return line

    def read_until(self, command, timeout):
        """Reads to a line that begins with `command`: that line, and those before it."""
        deadline, before = time.monotonic() + timeout, []
        while True:
            line = self.read(deadline, f"`{command}` within {timeout:g} s")
            if line.text.split()[0] == command:
                return line, before
            before.append(line)

    def waiting(self):
        """The lines that arrived and that nobody asked for."""
        lines = []
        while True:
            try:
                line = self._lines.get_nowait()
            except queue.Empty:
                return lines
            if line is None:
                self._lines.put(None)
                return lines
            lines.append(line)

    def _crash(self):
        try:
            code = self.process.wait(1)
        except subprocess.TimeoutExpired:
            return Crash("closed its output without ending")
        time.sleep(0.05)  # for the last words on stderr
        words = f": {self._errors[-1]}" if self._errors else ""
        return Crash(f"ended with exit code {code}{words}")

    # Protocol

    def _handshake(self, params, timeout):
        self.send("hub")
        _, lines = self.read_until("wait", timeout)
        for line in lines:
            command, args = parse(line.text)
            if command == "id":
                self.id.update(args)
            elif command == "param" and "name" in args:
                self.declared[args["name"]] = args
        for name, value in params:
            self.send(f"set-param name={name} value={value}")
        self.send("init")
        self.read_until("ready", timeout)

    @property
    def name(self):
        return " ".join(filter(None, (self.id.get("name", "?"), self.id.get("version", ""))))

    def sync(self, timeout=10.0):
        """Waits until all that was sent has been worked off (`ping`, `pong`); the lines that came before."""
        self.send("ping")
        return self.read_until("pong", timeout)[1]

    def search(self, position, level, timeout, go="go think"):
        """`position` and `level` are whole lines."""
        self.send(position, level)
        began = self.send(go)
        return self.answer(began, timeout)

    def answer(self, began, timeout):
        """Reads info lines and `done` of the search that began at that time."""
        deadline, info = time.monotonic() + timeout, {}
        while True:
            line = self.read(deadline, f"`done` within {timeout:.3g} s")
            command, args = parse(line.text)
            if command == "info":
                info.update(args)
            elif command == "done":
                return Answer(args.get("move", ""), args.get("ponder", ""), line.at - began, info)

    def quit(self, timeout=2.0):
        """Ends the engine; its exit code, or None when it had to be killed."""
        try:
            self.send("quit")
            return self.process.wait(timeout)
        except (Crash, subprocess.TimeoutExpired):
            return self.process.poll()
        finally:
            self.kill()

    def kill(self):
        """Ends the process and its children at once."""
        if self.process.poll() is None:
            try:
                os.killpg(self.process.pid, signal.SIGKILL)
            except OSError:
                self.process.kill()
        self.process.wait()


_TOKEN = re.compile(r'([^\s="]+)(?:=("[^"]*"|\S*))?')


def parse(line):
    """A Hub line as its command and its arguments (flags have the value "")."""
    command, _, rest = line.strip().partition(" ")
    return command, {name: value.strip('"') for name, value in _TOKEN.findall(rest)}


def number(text):
    """A float, or None."""
    try:
        return float(text)
    except (TypeError, ValueError):
        return None


def parse_params(text):
    """`"k=v k=v"` as pairs."""
    pairs = [word.partition("=") for word in shlex.split(text or "")]
    if not all(name and equals for name, equals, _ in pairs):
        sys.exit(f'FAIL: parameters are written "name=value name=value", not {text!r}')
    return [(name, value) for name, _, value in pairs]


def percentile(values, share):
    """The smallest value that at least `share` of them do not exceed."""
    ordered = sorted(values)
    return ordered[min(len(ordered) - 1, max(0, -int(-share * len(ordered) // 1) - 1))]

"""What the two library scripts share: a watchdog, the engine command, and one way to fail."""

import os
import shlex
import sys
import threading
import time


class Failure(Exception):
    """A check that did not hold; the text is the one line the user sees."""


class Watchdog:
    """Ends the whole script with one clear line when a step, or everything, takes too long.

    The libraries read the engine's answers with blocking calls, so nothing inside the main thread could do it.
    """

    def __init__(self, step_s, total_s):
        self._step_s, self._total_s = step_s, total_s
        self._began = self._stepped = time.monotonic()
        self._what = "start"
        self.engine = None  # the process that must not end meanwhile
        self.kill = []  # functions that end engine processes
        threading.Thread(target=self._watch, daemon=True).start()

    def step(self, what):
        self._what, self._stepped = what, time.monotonic()

    def _watch(self):
        while True:
            time.sleep(0.1)
            now = time.monotonic()
            engine = self.engine
            if engine is not None and engine.poll() is not None and now - self._stepped > 1:
                self._end(f"the engine ended with exit code {engine.poll()}")
            if now - self._stepped > self._step_s:
                self._end(f"no progress for {self._step_s:g} s")
            if now - self._began > self._total_s:
                self._end(f"the whole script ran longer than {self._total_s:g} s")

    def _end(self, why):
        print(f"FAIL: {why}, at: {self._what}", flush=True)
        for kill in self.kill:
            try:
                kill()
            except Exception:  # the process may be gone
                pass
        os._exit(2)


def engine_command(text):
    """`"PATH hub"` as a list, with a clear message when there is no such program."""
    words = shlex.split(text)
    if not words:
        sys.exit("FAIL: --engine is empty")
    if not os.path.isfile(words[0]):
        sys.exit(f"FAIL: no such engine: {words[0]}")
    return words


def finish(body):
    """Runs `body`; turns any exception into one line and an exit code."""
    try:
        body()
    except Failure as failure:
        print(f"FAIL: {failure}", flush=True)
        code = 1
    except KeyboardInterrupt:
        print("FAIL: interrupted", flush=True)
        code = 1
    else:
        print("OK", flush=True)
        code = 0
    os._exit(code)  # not sys.exit: a library thread may still wait for an engine

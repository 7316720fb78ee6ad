"""Runs scenarios: each server has its own thread, a few at a time, and the tests wait for the results.

A server runs one scenario after the other, each with an empty home.
"""

import os
import queue
import threading
import time
import unittest

from scenarios import SCENARIOS
from scenarios.peer import Peer
from scenarios.stage import Stage

# One server more than processors uses the pauses; further servers would gain nothing.
AT_ONCE = int(os.environ.get("REMINDAV_SERVERS_AT_ONCE") or (os.cpu_count() or 1) + 1)


class Outcome:
    def __init__(self):
        self.done = threading.Event()
        self.error = None
        self.seconds = 0.0


class ScenarioTest(unittest.TestCase):
    """One scenario against one server. `server_class` and `scenario` are set by test_scenarios.py."""

    server_class = None

    @classmethod
    def scenario_of(cls, name):
        return getattr(cls, name).scenario

    def outcome(self):
        if THEATRE.outcomes.get(self.key) is None:
            THEATRE.announce([self])
        THEATRE.open()
        outcome = THEATRE.outcomes[self.key]
        outcome.done.wait()
        return outcome

    @property
    def key(self):
        return (type(self), self._testMethodName)

    def play(self):
        outcome = self.outcome()
        if outcome.error is not None:
            raise outcome.error


class Theatre:
    def __init__(self):
        self.outcomes = {}
        self.programmes = queue.Queue()
        self.threads = []
        self.runs = {}              # server's name to (version, day, sentences that failed), for servers with a complete run

    def announce(self, tests):
        """Receives the tests that will run, so that their scenarios can run in the meantime."""
        by_class = {}
        for test in tests:
            if isinstance(test, ScenarioTest) and test.key not in self.outcomes:
                self.outcomes[test.key] = Outcome()
                by_class.setdefault(type(test), []).append(test)
        for test_class, chosen in by_class.items():
            self.programmes.put((test_class, chosen))

    def open(self):
        while len(self.threads) < min(AT_ONCE, len(self.outcomes)) and not self.programmes.empty():
            thread = threading.Thread(target=self.work, daemon=True)
            self.threads.append(thread)
            thread.start()

    def close(self):
        """Waits for the end of the last server."""
        for thread in self.threads:
            thread.join()

    def work(self):
        while True:
            try:
                test_class, chosen = self.programmes.get_nowait()
            except queue.Empty:
                return
            self.play(test_class, chosen)

    def play(self, test_class, chosen):
        outcomes = [self.outcomes[test.key] for test in chosen]
        try:
            with test_class.server_class() as server:
                server.first_lists = set(Peer(server).lists())
                played = [test.scenario_of(test._testMethodName) for test in chosen]
                for scenario, outcome in zip(played, outcomes):
                    self.play_one(server, scenario, outcome)
                if len(played) == len(SCENARIOS):
                    failed = {one.sentence for one, outcome in zip(played, outcomes) if outcome.error}
                    self.runs[server.name] = (server.version(), time.strftime("%Y-%m-%d"), failed)
        except BaseException as error:
            for outcome in outcomes:
                if not outcome.done.is_set():
                    outcome.error = error
                    outcome.done.set()

    @staticmethod
    def play_one(server, scenario, outcome):
        started = time.monotonic()
        stage = None
        try:
            stage = Stage(server, scenario)
            scenario.play(stage)
        except BaseException as error:
            outcome.error = error
        finally:
            try:
                if stage:
                    stage.end()
            except BaseException as error:
                outcome.error = outcome.error or error
            outcome.seconds = time.monotonic() - started
            outcome.done.set()


THEATRE = Theatre()

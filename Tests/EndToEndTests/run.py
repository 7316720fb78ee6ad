"""Runs the end-to-end tests: run.py [--counts FILE] [--table] [--smoke] [NAME...]

A NAME is one that unittest accepts: test_feed, test_feed.Feed, test_feed.Feed.test_styles. Without a NAME, all tests run.
--smoke runs only the tests that are marked with `smoke` (harness.py). FILE receives a line "PASSED FAILED" and the names of the failed tests. With --table, the
columns in docs/servers.md are written of the servers against which all scenarios ran.

The environment variable REMINDAV_BINARY has the path of the program; without it, the release build is tested.
"""

import os
import signal
import subprocess
import sys
import tempfile
import threading
import time
import unittest
from pathlib import Path

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE))

from realservers.base import stop_all  # noqa: E402
from scenarios.theatre import THEATRE  # noqa: E402

# A shell starts background programs with Ctrl-C ignored, and the programs on a terminal of a test would inherit that.
for number in (signal.SIGINT, signal.SIGQUIT):
    if signal.getsignal(number) == signal.SIG_IGN:
        signal.signal(number, signal.SIG_DFL)


def processor():
    """The processor time of this process and of its ended children, in seconds."""
    return sum(os.times()[:4])


class Result(unittest.TextTestResult):
    """Prints the times of each test, and each failure at once."""

    def __init__(self, *arguments, **options):
        super().__init__(*arguments, **options)
        self.bad = set()

    def startTest(self, test):
        self.started, self.used = time.monotonic(), processor()
        super().startTest(test)

    def stopTest(self, test):
        used = processor() - self.used
        self.stream.writeln(f"      {time.monotonic() - self.started:.1f} s, {used:.1f} s of processor")
        super().stopTest(test)

    def note(self, test, error):
        self.bad.add(str(getattr(test, "test_case", test)))
        self.stream.writeln(self._exc_info_to_string(error, test))

    def addFailure(self, test, error):
        super().addFailure(test, error)
        self.note(test, error)

    def addError(self, test, error):
        super().addError(test, error)
        self.note(test, error)

    def addSubTest(self, test, subtest, error):
        super().addSubTest(test, subtest, error)
        if error is not None:
            self.note(subtest, error)

    def printErrors(self):
        """Does nothing: the errors are printed already."""


# Each group runs in a process of its own, and the other modules in this process. The longest groups come first.
BESIDE = (
    ("test_host_isolation",),
    ("test_failures", "test_load", "test_new_alarms", "test_security_18_canary", "test_storm", "test_uid"),
    ("test_daemon", "test_daemon_desktop", "test_daemon_settings", "test_daemon_endurance"),
    ("test_pages_security",),
    ("test_pages", "test_pages_alarms", "test_pages_audit", "test_pages_flows", "test_pages_live",
     "test_pages_reminders", "test_pages_rows", "test_pages_script", "test_pages_sync"),
    ("test_host", "test_host_alarms", "test_host_kills", "test_host_pages", "test_host_run", "test_host_transfer"),
    ("test_bad_input", "test_bombs", "test_cli", "test_conventions", "test_daily_actions", "test_hostile", "test_ics",
     "test_import_export", "test_kill", "test_peers", "test_personas"),
    ("test_publication", "test_security_04_xml", "test_security_05_addresses", "test_security_06_redirects",
     "test_security_07_tls", "test_security_08_signin", "test_security_09_names", "test_security_19_processes",
     "test_security_23_lies", "test_security_26_bombs", "test_security_27_network", "test_stories", "test_terminal",
     "test_undo"),
)
# Some tests wait for the clock, and others use the processors all the time: on two cores, three groups beside this
# process use the processors fully. With more, tests miss their limits of time.
AT_ONCE = 3
SMOKE_BESIDE = ("test_daemon",)


class Beside:
    """Tests that run in a process of their own."""

    def __init__(self, names):
        self.names = names
        self.output = tempfile.TemporaryFile()
        self.counts = tempfile.NamedTemporaryFile()
        self.process = subprocess.Popen([sys.executable, __file__, "--counts", self.counts.name, *names],
                                        stdout=self.output, stderr=subprocess.STDOUT, stdin=subprocess.DEVNULL)

    def stop(self):
        if self.process.poll() is None:
            self.process.terminate()
            self.process.wait()

    def result(self):
        """Prints the output. Returns the number of passed tests and the names of the failed ones."""
        code = self.process.wait()
        self.output.seek(0)
        print(self.output.read().decode(errors="replace"), flush=True)
        lines = Path(self.counts.name).read_text().splitlines()
        if not lines:
            return 0, [f"{' '.join(self.names)} ended with {code}"]
        return int(lines[0].split()[0]), lines[1:]


class Groups:
    """Runs groups, `AT_ONCE` at a time."""

    def __init__(self, groups):
        self.waiting = list(groups)
        self.started = []
        self.is_stopped = False
        self.thread = threading.Thread(target=self.run)
        self.thread.start()

    def run(self):
        while self.waiting and not self.is_stopped:
            running = [group for group in self.started if group.process.poll() is None]
            if len(running) < AT_ONCE:
                self.started.append(Beside(self.waiting[0]))
                self.waiting.pop(0)
            else:
                time.sleep(0.5)

    def results(self):
        self.thread.join()
        missing = [(0, [f"{' '.join(names)} did not start"]) for names in self.waiting]
        return [group.result() for group in self.started] + missing

    def stop(self):
        self.is_stopped = True
        # A group that starts at the same moment is in the list after the end of the thread.
        self.thread.join()
        for group in self.started:
            group.stop()


def flattened(suite):
    for one in suite:
        if isinstance(one, unittest.TestSuite):
            yield from flattened(one)
        else:
            yield one


def in_smoke_set(test):
    """Whether the test, or its own class, is marked with `smoke` of harness.py."""
    method = getattr(test, getattr(test, "_testMethodName", ""), None)
    return getattr(method, "is_smoke", vars(type(test)).get("is_smoke", type(test).__name__ == "_FailedTest"))


def end_once(*_):
    """Ends the servers before this process; a second signal does not interrupt that."""
    signal.signal(signal.SIGTERM, signal.SIG_IGN)
    raise KeyboardInterrupt


def main(arguments):
    signal.signal(signal.SIGTERM, end_once)
    counts = None
    if arguments[:1] == ["--counts"]:
        counts, arguments = Path(arguments[1]), arguments[2:]
    writes_table = arguments[:1] == ["--table"]
    if writes_table:
        arguments = arguments[1:]
    is_smoke = arguments[:1] == ["--smoke"]
    names, groups = arguments[1:] if is_smoke else arguments, ()
    if not names:
        groups = [("--smoke", *SMOKE_BESIDE)] if is_smoke else BESIDE
        beside_names = {name for group in groups for name in group}
        names = [path.stem for path in sorted(HERE.glob("test_*.py")) if path.stem not in beside_names]
    loader = unittest.TestLoader()
    beside = Groups(groups)
    suite = loader.loadTestsFromNames(names)
    if is_smoke:
        suite = unittest.TestSuite(filter(in_smoke_set, flattened(suite)))
    THEATRE.announce(flattened(suite))
    try:
        result = unittest.TextTestRunner(stream=sys.stdout, verbosity=2, resultclass=Result).run(suite)
        THEATRE.close()
        results = beside.results()
    finally:
        beside.stop()
        stop_all()
    if writes_table:
        from scenarios import table
        table.write(THEATRE.runs)
    passed = max(result.testsRun - len(result.bad), 0) + sum(count for count, _ in results)
    bad = [*sorted(result.bad), *(str(error).strip().splitlines()[-1] for error in loader.errors)]
    bad += [name for _, names in results for name in names]
    failed = len(bad)
    for name in bad:
        print(f"failed: {name}")
    if counts:
        counts.write_text("\n".join([f"{passed} {failed}", *bad]) + "\n")
    return 0 if failed == 0 and passed > 0 else 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))

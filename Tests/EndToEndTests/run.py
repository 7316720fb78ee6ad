"""Runs the end-to-end tests: run.py [--counts FILE] [--table] [--smoke | NAME...]

A NAME is one that unittest accepts: test_feed, test_feed.Feed, test_feed.Feed.test_styles. Without a NAME, all tests run.
--smoke runs the smoke set below. FILE receives a line "PASSED FAILED" and the names of the failed tests. With --table, the
columns in docs/servers.md are written of the servers against which all scenarios ran.

The environment variable REMINDAV_BINARY has the path of the program; without it, the release build is tested.
"""

import signal
import subprocess
import sys
import tempfile
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


class Result(unittest.TextTestResult):
    """Prints the time of each test, and each failure at once."""

    def __init__(self, *arguments, **options):
        super().__init__(*arguments, **options)
        self.bad = set()

    def startTest(self, test):
        self.started = time.monotonic()
        super().startTest(test)

    def stopTest(self, test):
        self.stream.writeln(f"      {time.monotonic() - self.started:.1f} s")
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


# The core stories of the default stage, on Radicale, with few rounds. They run with the debug build, so no test of them
# measures time. The second group waits for the clock most of its time and runs beside the first.
SMOKE = (
    "test_cli.Commands", "test_import_export", "test_sync_radicale", "test_conventions", "test_labels.OneMachine",
    "test_undo", "test_old_store", "test_feed", "test_kill",
)
# Tests of these modules that take too long with the debug build.
SMOKE_LEFT_OUT = {
    "test_import_export.ImportAndExport.test_everything_of_ten_thousand_todos_survives_import_and_export",
    "test_conventions.Conventions.test_every_command_has_its_page_by_each_way",
}
SMOKE_BESIDE = ("test_daemon.Ringing", "test_daemon.Answers", "test_daemon.Alone", "test_daemon.Syncing")

# Modules that wait for the clock most of their time: each group runs in a process of its own beside the others.
BESIDE = (
    ("test_daemon", "test_daemon_desktop", "test_daemon_settings", "test_daemon_endurance"),
    ("test_failures", "test_load", "test_new_alarms", "test_security_18_canary", "test_storm", "test_uid"),
)


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


def flattened(suite):
    for one in suite:
        if isinstance(one, unittest.TestSuite):
            yield from flattened(one)
        else:
            yield one


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
    groups, left_out = (), set()
    if arguments == ["--smoke"]:
        arguments, groups, left_out = SMOKE, (SMOKE_BESIDE,), SMOKE_LEFT_OUT
    elif not arguments:
        groups = BESIDE
        taken = {module for group in groups for module in group}
        arguments = [path.stem for path in sorted(HERE.glob("test_*.py")) if path.stem not in taken]
    loader = unittest.TestLoader()
    beside = [Beside(names) for names in groups]
    suite = unittest.TestSuite(test for test in flattened(loader.loadTestsFromNames(arguments)) if test.id() not in left_out)
    THEATRE.announce(flattened(suite))
    try:
        result = unittest.TextTestRunner(stream=sys.stdout, verbosity=2, resultclass=Result).run(suite)
        THEATRE.close()
        results = [other.result() for other in beside]
    finally:
        for other in beside:
            other.stop()
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

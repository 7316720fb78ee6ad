"""Runs every end-to-end test: run.py [--counts FILE] [--table] [NAME...]

A NAME is what unittest takes: test_feed, test_feed.Feed, test_feed.Feed.test_styles. Without one, everything runs.
FILE gets a line "PASSED FAILED" and the names of those that failed. With --table, docs/servers.md gets the columns of
the servers that were played in full.
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

# What a shell starts behind a person's back ignores Ctrl-C, and so would every program on a terminal of a test.
for number in (signal.SIGINT, signal.SIGQUIT):
    if signal.getsignal(number) == signal.SIG_IGN:
        signal.signal(number, signal.SIG_DFL)


class Result(unittest.TextTestResult):
    """Says what each test took, and shows a failure when it happens and not at the end of everything."""

    def __init__(self, *arguments, **options):
        super().__init__(*arguments, **options)
        self.bad = set()

    def startTest(self, test):
        self.started = time.monotonic()
        super().startTest(test)

    def stopTest(self, test):
        self.stream.writeln(f"      {time.monotonic() - self.started:.1f} s")
        super().stopTest(test)

    def note(self, test, trouble):
        self.bad.add(str(getattr(test, "test_case", test)))
        self.stream.writeln(self._exc_info_to_string(trouble, test))

    def addFailure(self, test, trouble):
        super().addFailure(test, trouble)
        self.note(test, trouble)

    def addError(self, test, trouble):
        super().addError(test, trouble)
        self.note(test, trouble)

    def addSubTest(self, test, subtest, trouble):
        super().addSubTest(test, subtest, trouble)
        if trouble is not None:
            self.note(subtest, trouble)

    def printErrors(self):
        """They were shown already."""


class Beside:
    """Modules that wait for the clock most of their time: they run in a process of their own while the others work."""

    GROUPS = (
        ("test_daemon", "test_daemon_desktop", "test_daemon_settings", "test_daemon_endurance"),
        ("test_failures", "test_load", "test_new_alarms", "test_security_18_canary", "test_storm", "test_uid"),
    )

    def __init__(self, modules):
        self.modules = modules
        self.said = tempfile.TemporaryFile()
        self.counts = tempfile.NamedTemporaryFile()
        self.process = subprocess.Popen([sys.executable, __file__, "--counts", self.counts.name, *modules],
                                        stdout=self.said, stderr=subprocess.STDOUT, stdin=subprocess.DEVNULL)

    def stop(self):
        if self.process.poll() is None:
            self.process.terminate()
            self.process.wait()

    def result(self):
        """Shows what was said; how many passed, and which failed."""
        code = self.process.wait()
        self.said.seek(0)
        print(self.said.read().decode(errors="replace"), flush=True)
        lines = Path(self.counts.name).read_text().splitlines()
        if not lines:
            return 0, [f"{' '.join(self.modules)} ended with {code}"]
        return int(lines[0].split()[0]), lines[1:]


def flattened(suite):
    for one in suite:
        if isinstance(one, unittest.TestSuite):
            yield from flattened(one)
        else:
            yield one


def end_once(*_):
    """Told to end, the servers go first. Whoever tells it twice does not disturb that."""
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
    loader = unittest.TestLoader()
    beside = [] if arguments else [Beside(modules) for modules in Beside.GROUPS]
    taken = {module for other in beside for module in other.modules}
    here = [path.stem for path in sorted(HERE.glob("test_*.py")) if path.stem not in taken]
    suite = loader.loadTestsFromNames(arguments or here)
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

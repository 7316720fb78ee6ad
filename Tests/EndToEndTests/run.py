"""Runs every end-to-end test: run.py [--counts FILE] [NAME...]

A NAME is what unittest takes: test_feed, test_feed.Feed, test_feed.Feed.test_styles. Without one, everything runs.
FILE gets one line, "PASSED FAILED".
"""

import sys
import time
import unittest
from pathlib import Path

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE))


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


def main(arguments):
    counts = None
    if arguments[:1] == ["--counts"]:
        counts, arguments = Path(arguments[1]), arguments[2:]
    loader = unittest.TestLoader()
    suite = loader.loadTestsFromNames(arguments) if arguments else loader.discover(str(HERE), "test_*.py")
    result = unittest.TextTestRunner(stream=sys.stdout, verbosity=2, resultclass=Result).run(suite)
    failed = len(result.bad) + len(loader.errors)
    passed = max(result.testsRun - len(result.bad), 0)
    for name in sorted(result.bad):
        print(f"failed: {name}")
    if counts:
        counts.write_text(f"{passed} {failed}\n")
    return 0 if failed == 0 and passed > 0 else 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))

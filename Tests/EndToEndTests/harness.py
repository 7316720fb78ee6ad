"""What every end-to-end test needs: the built binary with a store of its own, and sentences about what it said."""

import json
import os
import re
import shutil
import sqlite3
import subprocess
import tempfile
import time
import unittest
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
BINARY = Path(os.environ.get("REMINDAV_BINARY") or ROOT / ".build" / "release" / "remindav")
SAMPLE = ROOT / "docs" / "sample.ics"

# The exit codes that docs/manual.md promises.
OK, FAILURE, USAGE, PARTIAL, NOT_FOUND, LOCKED, AUTH, NETWORK, CONFLICT, SAFETY = range(10)

LIST_KEYS = set(
    "id uid list title notes due dueZone allDay start repeat status completedAt snoozedUntil priority labels alarms "
    "section overdue createdAt updatedAt".split()
)
SYNC_KEYS = set("pulled pushed merged conflicts deletedLocally deletedRemotely held requests".split())
CHANGES = ("pulled", "pushed", "merged", "deletedLocally", "deletedRemotely")

# Words that only a program's inside would say.
INSIDE = re.compile(r"Fatal error|Swift\.|Optional\(|Error Domain|Stack dump|\bnil\b|SQLITE_|CURLE_|0x[0-9a-f]{6,}")


class Result:
    """What one run of the binary left behind."""

    def __init__(self, arguments, code, out, err, seconds):
        self.arguments = arguments
        self.code = code
        self.out = out.decode("utf-8", "replace")
        self.err = err.decode("utf-8", "replace")
        self.bytes = out
        self.seconds = seconds

    def __repr__(self):
        return (
            f"remindav {' '.join(map(str, self.arguments))}\n  exit {self.code} after {self.seconds:.2f} s"
            f"\n  stdout: {self.out[:1500]!r}\n  stderr: {self.err[:1500]!r}"
        )

    @property
    def json(self):
        return json.loads(self.out)


class Device:
    """One person's machine: a store, a home folder and a time zone. Nothing outside `folder` is touched."""

    def __init__(self, folder, name, zone="Europe/Berlin"):
        self.folder = Path(folder) / name
        self.store = self.folder / "store"
        self.home = self.folder / "home"
        self.home.mkdir(parents=True)
        self.account = None
        self.environment = {
            "HOME": str(self.home), "PATH": "/usr/bin:/bin", "LC_ALL": "C.UTF-8", "TZ": zone,
            "REMINDAV_STORE": str(self.store), "no_proxy": "127.0.0.1",
            "XDG_RUNTIME_DIR": str(self.folder / "run"),
        }

    def start(self, *arguments, environment=None, **options):
        """Starts the binary and does not wait for it."""
        return subprocess.Popen(
            [str(BINARY), *map(str, arguments)], cwd=self.folder,
            env={**self.environment, **(environment or {})}, **options,
        )

    def run(self, *arguments, stdin=b"", code=OK, timeout=300, environment=None, **options):
        """Runs the binary to its end. `code` is the exit code or codes that are right; `None` takes any."""
        if isinstance(stdin, str):
            stdin = stdin.encode()
        started = time.monotonic()
        process = self.start(
            *arguments, environment=environment, stdin=subprocess.PIPE, stdout=subprocess.PIPE,
            stderr=subprocess.PIPE, **options,
        )
        try:
            out, err = process.communicate(stdin, timeout)
        except subprocess.TimeoutExpired:
            process.kill()
            out, err = process.communicate()
            raise AssertionError(f"still running after {timeout} s: remindav {arguments}; stderr: {err[:500]!r}")
        result = Result(arguments, process.returncode, out, err, time.monotonic() - started)
        wanted = code if isinstance(code, tuple) else (code,)
        if code is not None and result.code not in wanted:
            raise AssertionError(f"exit code {result.code}, not {code}\n{result!r}")
        return result

    def json(self, *arguments, **options):
        return self.run(*arguments, "--json", **options).json

    def items(self):
        """Everything in the store: (list, uid) to all that `list --json` says, but the id, which is each store's own."""
        found = {}
        for element in self.json("list", "--all"):
            key = (element["list"], element["uid"])
            assert key not in found, f"twice in one list: {key}"
            found[key] = {name: value for name, value in element.items() if name != "id"}
        return found

    def by_uid(self, uid):
        return next(element for element in self.json("list", "--all") if element["uid"] == uid)

    def id_of(self, uid):
        return str(self.by_uid(uid)["id"])

    def id_of_title(self, title):
        return str(next(element for element in self.json("list", "--all") if element["title"] == title)["id"])

    def add_account(self, url, user="user", password="correct horse", **options):
        result = self.run("account", "add", url, "--user", user, "--password-stdin", stdin=password + "\n", **options)
        if result.code == OK:
            self.account = self.json("account", "list")[-1]["name"]
        return result

    def publish(self, name, *arguments):
        """Makes the list on the account's server; a local list of that name becomes it."""
        return self.run("lists", "add", name, "--account", self.account, *arguments)

    def sync(self, *arguments, **options):
        """One sync. Returns one object per list."""
        return per_list(self.run("sync", "--json", *arguments, **options).json)

    def sync_until_quiet(self, limit=5):
        for _ in range(limit):
            if changes(self.sync()) == 0:
                return
        raise AssertionError(f"still not quiet after {limit} syncs")

    def database(self):
        """The store's one SQLite file."""
        files = [path for path in sorted(self.store.rglob("*")) if path.is_file()]
        found = [path for path in files if path.open("rb").read(16) == b"SQLite format 3\0"]
        assert len(found) == 1, f"expected one SQLite file, found {found} among {files}"
        return found[0]

    def integrity(self):
        connection = sqlite3.connect(self.database())
        try:
            return connection.execute("PRAGMA integrity_check").fetchone()[0]
        finally:
            connection.close()


def per_list(report):
    """`sync --json` as a list with one object per list of reminders."""
    if isinstance(report, dict):
        report = report.get("lists", [report])
    for entry in report:
        missing = SYNC_KEYS - set(entry)
        assert not missing, f"sync --json lacks {missing}: {entry}"
    return report


def count(value):
    return value if isinstance(value, int) else len(value)


def changes(report):
    """How many things a sync changed on either side."""
    return sum(count(entry[key]) for entry in report for key in CHANGES)


def wait_for(condition, seconds=15, what="it"):
    deadline = time.monotonic() + seconds
    while time.monotonic() < deadline:
        if condition():
            return
        time.sleep(0.05)
    raise AssertionError(f"waited {seconds} s in vain for {what}")


class EndToEnd(unittest.TestCase):
    """A test with a folder of its own that is gone afterwards."""

    maxDiff = 4000

    def setUp(self):
        if not BINARY.exists():
            self.fail(f"{BINARY.name} is not built; run sh Tests/run.sh")
        self.folder = Path(tempfile.mkdtemp(prefix="remindav-test-"))
        self.addCleanup(shutil.rmtree, self.folder, ignore_errors=True)

    def device(self, name, **options):
        return Device(self.folder, name, **options)

    def serve(self, server):
        """Starts a server for this test and ends it afterwards, whatever happens."""
        server.start()
        self.addCleanup(server.stop)
        return server

    def write(self, name, content):
        path = self.folder / name
        path.write_bytes(content if isinstance(content, bytes) else content.encode())
        return path

    def assert_same(self, *devices):
        """All stores hold the same reminders, field by field."""
        first, *others = devices
        expected = first.items()
        for other in others:
            actual = other.items()
            self.assertEqual(set(expected), set(actual), "the stores do not hold the same reminders")
            for key, fields in expected.items():
                self.assertEqual(fields, actual[key], f"the stores differ in {key}")

    def assert_complaint(self, result, code, *words):
        """One sentence that a person can act on, on standard error, and the exit code that the manual promises."""
        wanted = code if isinstance(code, tuple) else (code,)
        self.assertIn(result.code, wanted, repr(result))
        lines = [line for line in result.err.splitlines() if line.strip()]
        self.assertEqual(len(lines), 1, f"not one line of complaint: {result!r}")
        self.assertLess(len(lines[0]), 400, f"too long to be read: {result!r}")
        self.assertRegex(lines[0], r"[.!?]$", f"not a sentence: {result!r}")
        self.assertNotRegex(lines[0], INSIDE, f"says what only we understand: {result!r}")
        for word in words:
            self.assertRegex(lines[0].lower(), word, f"does not say {word!r}: {result!r}")


def ics(*todos, head=()):
    """A calendar with these to-dos, each a list of lines between BEGIN:VTODO and END:VTODO."""
    lines = ["BEGIN:VCALENDAR", "VERSION:2.0", "PRODID:-//Test//EN", *head]
    for todo in todos:
        lines += ["BEGIN:VTODO", *todo, "END:VTODO"]
    return ("\r\n".join([*lines, "END:VCALENDAR"]) + "\r\n").encode()


def simple(count, prefix="item"):
    """A calendar with `count` plain to-dos: uid item-0, title "Item 0" and so on."""
    return ics(*[
        [f"UID:{prefix}-{number}", "DTSTAMP:20260101T000000Z", "CREATED:20260101T000000Z",
         "LAST-MODIFIED:20260101T000000Z", f"SUMMARY:{prefix.capitalize()} {number}", "DUE:20270301T090000Z"]
        for number in range(count)
    ])

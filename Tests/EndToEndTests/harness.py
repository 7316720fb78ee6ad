"""The base of all end-to-end tests: the built program with a separate store, and assertions about its output."""

import base64
import json
import os
import re
import shutil
import signal
import sqlite3
import subprocess
import sys
import tempfile
import time
import unittest
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
BINARY = Path(os.environ.get("REMINDAV_BINARY") or ROOT / ".build" / "release" / "remindav")
SAMPLE = ROOT / "docs" / "sample.ics"
# The keys of a reminder with numbers of the store, which differ between stores.
NUMBERS = {"id", "parentId", "childIds", "dependsOnIds"}

# The exit codes in docs/manual.md.
OK, FAILURE, USAGE, PARTIAL, NOT_FOUND, LOCKED, AUTH, NETWORK, CONFLICT, SAFETY = range(10)

LIST_KEYS = set(
    "id uid list title notes due dueZone allDay start repeat repeatFrom status completedAt snoozedUntil priority labels "
    "alarms section overdue startsLater createdAt updatedAt location link parent parentId childIds "
    "dependsOnIds blocked".split()
)
SHOW_KEYS = set(
    "places coordinates parents subtasks dependsOn neededBy related alarmDetails nextAlarm attachments organizer "
    "attendees kept keptCount refusal others replacedDate".split()
)
SYNC_KEYS = set("pulled pushed merged conflicts deletedLocally deletedRemotely held requests".split())
CHANGES = ("pulled", "pushed", "merged", "deletedLocally", "deletedRemotely")

# A shorter password could occur in any sentence by chance.
SECRET_LENGTH = 9

# Words of the implementation, which no message contains.
INSIDE = re.compile(r"Fatal error|Swift\.|Optional\(|Error Domain|Stack dump|\bnil\b|SQLITE_|CURLE_|0x[0-9a-f]{6,}")

# The memory peak of a child starts with that of its parent, so a small program starts the measured one.
STARTER = """
import os, resource, sys
_, status = os.waitpid(os.posix_spawn(sys.argv[2], sys.argv[2:], os.environ), 0)
usage = resource.getrusage(resource.RUSAGE_CHILDREN)
open(sys.argv[1], "w").write(f"{os.waitstatus_to_exitcode(status)} {usage.ru_utime + usage.ru_stime} {usage.ru_maxrss}")
"""


def smoke(test):
    """Marks a test, or all tests of a class, for the default stage: a core story on Radicale that takes seconds.

    The default stage runs the debug build, so such a test does not measure time.
    """
    test.is_smoke = True
    return test


def too_long_for_smoke(test):
    """Leaves a test of a marked class out of the default stage."""
    test.is_smoke = False
    return test


class Result:
    """The result of one run of the program."""

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
    """The machine of a user: a store, a home folder and a time zone. No file outside `folder` is used."""

    def __init__(self, folder, name, zone="Europe/Berlin"):
        self.folder = Path(folder) / name
        # The default folder: a folder given by an option has to contain a store already.
        self.store = self.folder / "data" / "remindav"
        self.home = self.folder / "home"
        self.home.mkdir(parents=True)
        self.account = None
        self.passwords = set()
        self.shown = set()      # words of command lines, which are not secret
        # The ports in command lines: a password may be sent to them.
        self.ports = set()
        self.environment = {
            "HOME": str(self.home), "PATH": "/usr/bin:/bin", "LC_ALL": "C.UTF-8", "TZ": zone,
            "XDG_DATA_HOME": str(self.folder / "data"),
            "XDG_RUNTIME_DIR": str(self.folder / "run"),
        }

    def start(self, *arguments, environment=None, **options):
        """Starts the binary and does not wait for it."""
        self.note(arguments)
        return subprocess.Popen(
            [str(BINARY), *map(str, arguments)], cwd=self.folder,
            env={**self.environment, **(environment or {})}, **options,
        )

    def note(self, arguments):
        """Records the arguments and the ports of a command line."""
        self.shown.update(map(str, arguments))
        self.ports.update(int(port) for text in arguments for port in re.findall(r":(\d{2,5})\b", str(text)))

    @property
    def secrets(self):
        return {password for password in self.passwords
                if len(password) >= SECRET_LENGTH and not any(password in word for word in self.shown)}

    def run(self, *arguments, stdin=b"", code=OK, timeout=300, environment=None, **options):
        """Runs the binary to its end. `code` is the expected exit code, or several; `None` accepts any."""
        if isinstance(stdin, str):
            stdin = stdin.encode()
        if "--password-stdin" in arguments:
            # From here on, it must not appear in any output or file.
            self.passwords.add(stdin.decode("utf-8", "replace").rstrip("\r\n"))
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
        for password in self.secrets:
            if password.encode() in out + err:
                raise AssertionError(f"the password is in the output of remindav {arguments}")
        wanted = code if isinstance(code, tuple) else (code,)
        if code is not None and result.code not in wanted:
            raise AssertionError(f"exit code {result.code}, not {code}\n{result!r}")
        return result

    def measured(self, *arguments, stdin=b"", out=subprocess.DEVNULL, timeout=240):
        """Runs the binary; returns exit code, standard error, seconds of processor and peak memory in bytes."""
        note = self.folder / "measured"
        process = subprocess.Popen(
            [sys.executable, "-I", "-S", "-c", STARTER, note, str(BINARY), *map(str, arguments)], cwd=self.folder,
            env=self.environment, stdin=subprocess.PIPE, stdout=out, stderr=subprocess.PIPE, start_new_session=True)
        try:
            _, error = process.communicate(stdin, timeout)
        except subprocess.TimeoutExpired:
            os.killpg(process.pid, signal.SIGKILL)
            process.communicate()
            raise AssertionError(f"still running after {timeout} s: remindav {arguments}")
        code, seconds, peak = note.read_text().split()
        note.unlink()
        return int(code), error.decode("utf-8", "replace"), float(seconds), int(peak) * 1024

    def json(self, *arguments, **options):
        return self.run(*arguments, "--json", **options).json

    def items(self):
        """The content of the store: (list, uid) to the object of `list --json`, without the numbers of the store."""
        found = {}
        for element in self.json("list", "--all"):
            key = (element["list"], element["uid"])
            assert key not in found, f"twice in one list: {key}"
            found[key] = {name: value for name, value in element.items() if name not in NUMBERS}
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
        """Creates the list on the account's server; a local list of that name is paired with it."""
        return self.run("lists", "add", name, "--account", self.account, *arguments)

    def sync(self, *arguments, **options):
        """One sync. Returns one object per list."""
        return per_list(self.run("sync", "--json", *arguments, **options).json)

    def sync_until_quiet(self, limit=5):
        for _ in range(limit):
            if changes(self.sync()) == 0:
                return
        raise AssertionError(f"still not quiet after {limit} syncs")

    def leaks(self):
        """Files with a password in any encoding, except its own file.

        It is stored in a file of `secrets` (docs/manual.md) or, if a test has one, in the keyring.
        """
        secrets = [password.encode() for password in self.secrets]
        forms = [form for secret in secrets for form in (secret, base64.b64encode(secret), secret.hex().encode())]
        for path in sorted(self.folder.rglob("*")) if forms else ():
            if path.is_symlink() or not path.is_file() or path.parent.name == "secrets":
                continue
            if path.parent.name == "keyring" and path.name != "arguments":
                continue
            content = path.read_bytes()
            if any(form in content for form in forms):
                yield path.relative_to(self.folder)

    def database(self):
        """The SQLite file of the store."""
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
    """The number of changes of a sync on both sides."""
    return sum(count(entry[key]) for entry in report for key in CHANGES)


def wait_for(condition, seconds=15, what="it"):
    deadline = time.monotonic() + seconds
    while time.monotonic() < deadline:
        if condition():
            return
        time.sleep(0.05)
    raise AssertionError(f"waited {seconds} s in vain for {what}")


class EndToEnd(unittest.TestCase):
    """A test with a temporary folder."""

    maxDiff = 4000

    def setUp(self):
        if not BINARY.exists():
            self.fail(f"{BINARY.name} is not built; run sh Tests/run.sh")
        self.folder = Path(tempfile.mkdtemp(prefix="remindav-test-"))
        self.addCleanup(shutil.rmtree, self.folder, ignore_errors=True)
        self.devices = []
        self.servers = []
        self.meant = set()
        self.addCleanup(self.assert_passwords_stayed)

    def device(self, name, **options):
        self.devices.append(Device(self.folder, name, **options))
        return self.devices[-1]

    def serve(self, server):
        """Starts a server for this test; it ends with the test."""
        server.start()
        self.servers.append(server)
        self.addCleanup(server.stop)
        return server

    def borrow(self, kind):
        """A started server of this kind with an empty home, for this test. Later tests may use it again."""
        if not hasattr(kind, "borrow"):
            return self.serve(kind())
        server = kind.borrow()
        self.servers.append(server)
        self.addCleanup(server.give_back)
        return server

    def make_shared_list(self, server, device):
        """Makes a list on a server, and adds the account to a device; returns the path of the list, and its name there."""
        path = f"{server.home}shared/"
        server.request("MKCALENDAR", path)
        device.add_account(server.url)
        device.sync()
        name, = [item["name"] for item in device.json("lists") if item["account"]]
        return path, name

    def means(self, server):
        """Permits passwords for this server, although no command names it: the user confirmed it, or it is the same host."""
        self.meant.add(server.told_port)

    def assert_passwords_stayed(self):
        """Checks that passwords are only in their own files, and were sent only to servers that a command named."""
        for device in self.devices:
            leaks = list(map(str, device.leaks()))
            self.assertEqual(leaks, [], "a password was left behind")
        named = self.meant.union(*(device.ports for device in self.devices))
        for server in self.servers:
            if getattr(server, "authorized", 0) and self.devices:
                self.assertIn(server.told_port, named, "a password was sent to a server that no command named")

    def write(self, name, content):
        path = self.folder / name
        path.write_bytes(content if isinstance(content, bytes) else content.encode())
        return path

    def assert_same(self, *devices):
        """Checks that all stores have the same reminders, field by field."""
        first, *others = devices
        expected = first.items()
        for other in others:
            actual = other.items()
            self.assertEqual(set(expected), set(actual), "the stores do not hold the same reminders")
            for key, fields in expected.items():
                self.assertEqual(fields, actual[key], f"the stores differ in {key}")

    def assert_complaint(self, result, code, *words):
        """Checks for one sentence with a remedy on standard error, and for the exit code of the manual."""
        wanted = code if isinstance(code, tuple) else (code,)
        self.assertIn(result.code, wanted, repr(result))
        lines = [line for line in result.err.splitlines() if line.strip()]
        self.assertEqual(len(lines), 1, f"not one line of complaint: {result!r}")
        self.assertLess(len(lines[0]), 400, f"too long to be read: {result!r}")
        self.assertRegex(lines[0], r"[.!?]$", f"not a sentence: {result!r}")
        self.assertNotRegex(lines[0], INSIDE, f"has words of the implementation: {result!r}")
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

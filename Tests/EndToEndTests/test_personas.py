"""The first five minutes of new users.

Each test counts the commands of the user, prints the number, and edits no file.
"""

import os
import re
import shutil
import subprocess
import time
import unittest
from pathlib import Path

import icalendar
import nextcloud
from daemons import Daemon, todo
from fakedav import Answer, FakeDAV
from harness import BINARY, FAILURE, NOT_FOUND, OK, PARTIAL, ROOT, EndToEnd, wait_for
from servers import free_port
from signin import Nextcloud, at_terminal
from webservers import HOST, PREFIX, Nginx

SITE = f"https://{HOST}{PREFIX}"
# A user with more commands than this would need help.
MOST_STEPS = 5
PASSWORD = "correct horse battery"

# A terminal program: runs the arguments after -e on a separate terminal, records the output, and after a while
# presses Enter, or the key that stands in the file `key` beside it.
TERMINAL = """#!/usr/bin/python3
import os, pathlib, pty, select, sys, time
folder = pathlib.Path(__file__).resolve().parent
(folder / "argv").write_text("\\n".join(sys.argv[1:]))
process, screen = pty.fork()
if process == 0:
    os.execv(sys.argv[2], sys.argv[2:])
shown, ends, typed = b"", time.monotonic() + 2, False
while True:
    if select.select([screen], [], [], 0.1)[0]:
        try:
            shown += os.read(screen, 65536)
        except OSError:
            break
        (folder / "shown").write_bytes(shown)
    if time.monotonic() > ends and not typed:
        key = folder / "key"
        os.write(screen, (key.read_bytes() if key.exists() else b"") + b"\\n")
        typed = True
os.waitpid(process, 0)
"""


class Person:
    """A user who types commands; each is a step."""

    def __init__(self, device):
        self.device = device
        self.steps = 0

    def types(self, *words, **options):
        self.steps += 1
        return self.device.run(*words, **options)

    def at_terminal(self, *words, answers):
        """Types a command and answers its questions: (pattern, answer) in their order. Returns the output."""
        self.steps += 1
        code, shown, left = at_terminal(self.device, list(words), answers)
        assert code in (OK, PARTIAL) and not left, f"status {code}, not asked: {left}\n{shown}"
        return shown.replace("\r\n", "\n")

    def is_done(self, name, most=MOST_STEPS):
        print(f"{name}: {self.steps} commands, no file edited")
        assert self.steps <= most, f"{name} needs {self.steps} commands"


class SelfHoster(EndToEnd):
    """P1: a user with a Nextcloud server."""

    def setUp(self):
        super().setUp()
        self.laptop = self.device("laptop")
        self.person = Person(self.laptop)
        self.laptop.passwords.add(PASSWORD)

    def test_setup_with_the_browser(self):
        server = self.serve(Nextcloud(password=PASSWORD))
        server.add_list("tasks", {"one": ["SUMMARY:Pay rent", "DUE:20270101T090000Z"]})
        server.add_list("work", {"two": ["SUMMARY:Write report"]})
        server.add_list("old", {"three": ["SUMMARY:Forgotten"]})
        self.means(server)
        # A reminder from before is in a list of this computer; the list has the last place and is named afterwards.
        self.person.types("add", "Call", "Ben", "tomorrow")
        shown = self.person.at_terminal("setup", answers=[
            ("Address of the server", server.url + "index.php/apps/tasks/"), ("Sign in with the browser\\?", ""),
            ("Add this account\\?", ""), ("Which lists\\?", "1,2"), (r"Number or name \[1\]", "work"),
            (r"\[Y/n\]", "n")])
        self.assertIn(server.url + "login/v2/flow/guest", shown)
        self.assertIn("New reminders go to work", shown)
        self.assertRegex(shown, r"1 +tasks\n +2 +work\n +3 +Reminders \(this computer only\)\n")
        self.assertRegex(shown, "On this computer only: Reminders. To upload a list, run 'remindav lists add "
                                r"--account=\S+ Reminders'")
        self.assertRegex(shown, "Everything is in sync. On this computer only: Reminders.\n")
        listed = self.person.types("list").out
        self.assertIn("Pay rent", listed)
        self.assertIn("Write report", listed)
        self.assertNotIn("Forgotten", listed)
        self.assertRegex(self.person.types("add", "Buy", "milk", "tomorrow").out, "^Added .*: Buy milk, due .*, in work\n")
        self.person.types("sync")
        self.assertEqual([name for name in server.collections if len(server.collections[name].items) == 2], ["work"])
        self.assertNotIn("old", [entry["name"] for entry in self.laptop.json("lists")])
        self.person.is_done("P1 with a browser")

    def test_account_add_with_a_wrong_password_at_first(self):
        cloud = nextcloud.Nextcloud().start()
        self.addCleanup(cloud.stop)
        self.laptop.passwords.add(cloud.password)
        self.laptop.ports.add(cloud.port)
        shown = self.person.at_terminal("account", "add", answers=[
            ("Address of the server", cloud.url + "index.php/apps/tasks/"), ("User name on the server", cloud.user),
            ("Password of", "wrong"), ("Password of", "wrong again"), ("Password of", cloud.password),
            ("Add this account\\?", "n")])
        self.assertIn("Nothing was changed", shown)
        self.assertFalse(self.laptop.store.exists(), "a no left a store behind")
        cloud.request("MKCALENDAR", nextcloud.HOME + "tasks/", b"")
        shown = self.person.at_terminal("account", "add", cloud.url, answers=[
            ("User name on the server", cloud.user), ("Password of", cloud.password), ("Add this account\\?", "")])
        self.assertRegex(shown, r"New reminders go to \S+")
        self.person.types("add", "Buy", "milk")
        self.person.types("sync")
        self.assertEqual(len(cloud.calendars["tasks"].items), 1)
        self.person.is_done("P1 with a password")

    def test_three_wrong_passwords_end_it_and_leave_nothing(self):
        server = self.serve(FakeDAV(password=PASSWORD))
        code, shown, left = at_terminal(
            self.laptop, ["account", "add", server.url, "--user", "user"], [("Password", "no no no")] * 4)
        self.assertNotEqual(code, OK, shown)
        self.assertEqual(len(left), 1, shown)
        self.assertFalse(self.laptop.store.exists())

    def test_without_a_terminal_options_choose(self):
        server = self.serve(FakeDAV(password=PASSWORD))
        for name in ("home", "work", "old"):
            server.add_list(name)
        words = ["account", "add", server.url, "--user", "user", "--password-stdin"]
        missing = self.laptop.run(*words, "--lists", "home,nowhere", stdin=PASSWORD + "\n", code=None)
        self.assertIn("It has 'home', 'work', 'old'.", missing.err)
        self.assertFalse(self.laptop.store.exists())
        server.take()
        out = self.laptop.run(*words, "--lists", "home,work", "--default", "work", "--no-sync", stdin=PASSWORD + "\n").out
        self.assertIn("New reminders go to work", out)
        self.assertNotIn("REPORT", {request.method for request in server.take()}, "it was synced")
        self.laptop.sync()
        self.assertEqual({entry["name"]: entry["default"] for entry in self.laptop.json("lists")},
                         {"home": False, "work": True})

    def test_a_list_without_permission_to_read_is_reported(self):
        server = self.serve(FakeDAV(password=PASSWORD))
        server.add_list("tasks")
        secret = server.url + "dav/calendars/boss/plans/"
        server.intercept = lambda request: Answer(403) if "/boss/" in request.path else None
        result = self.laptop.run("account", "add", secret, "--user", "user", "--password-stdin", stdin=PASSWORD + "\n")
        self.assertIn(f"The server denies this user access to {secret} (403).", result.err)
        self.assertIn("tasks", result.out)


class TerminalUser(EndToEnd):
    """P2: a user of todoman and taskwarrior, first without a server."""

    MOST = 11

    def test_a_day_at_the_terminal(self):
        laptop = self.device("laptop")
        editor = self.write("editor", "#!/bin/sh\nprintf 'From the cellar\\nTwo of them\\n' >> \"$1\"\n")
        editor.chmod(0o755)
        laptop.environment["EDITOR"] = str(editor)
        person = Person(laptop)
        said = person.types("add", "Water", "plants", "every", "monday", "at", "9am", "+home").out
        self.assertRegex(said, "^Added 1: Water plants, due Mon .* 09:00, .*repeats every week on Mon, #home\n")
        self.assertIn("'every monday', 'at 9am', '+home'", said)
        person.types("add", "Fetch", "boxes", "tomorrow", "p1")
        listed = person.types().out
        self.assertRegex(listed, "1 .*Water plants.*#home")
        self.assertRegex(listed, "2 .*!!! Fetch boxes")
        self.assertIn("snoozed until", person.types("s", "2", "1h").out)
        self.assertIn(" Next: Mon ", person.types("d", "1").out)
        # The notes are written in an editor; the command takes no other option.
        person.at_terminal("e", "2", answers=[])
        found = {each["id"]: each for each in person.types("list", "--json").json}
        self.assertEqual(found[2]["notes"], "From the cellar\nTwo of them")
        self.assertEqual((found[2]["priority"], found[1]["labels"]), ("high", ["home"]))
        self.assert_complaint(person.types("d", "99", code=NOT_FOUND), NOT_FOUND, "99")
        # Later a server comes: its password is in the store of `pass`, here a file.
        server = self.serve(FakeDAV(password=PASSWORD))
        server.add_list("tasks", {"one": ["SUMMARY:Pay rent"]})
        laptop.passwords.add(PASSWORD)
        secret = self.write("secret", PASSWORD + "\n")
        person.types("account", "add", server.url, "--user", "user", "--password-command", f"cat {secret}")
        person.types("sync")
        self.assertIn("Pay rent", person.types("@tasks").out)
        person.is_done("P2", self.MOST)

    def test_the_help_for_the_shell_is_part_of_the_program(self):
        laptop = self.device("laptop")
        self.assertIn("complete ", laptop.run("completion", "bash").out)
        self.assertTrue(laptop.run("help", "add", "--man").out.startswith(".TH"))


class Mover(EndToEnd):
    """P4: a user who leaves three programs, and moves to another computer with one file."""

    MOST = 8
    FILES = ("taskwarrior-2.6-export.json", "todoist-project.csv", "todo.txt")

    def test_everything_arrives_once_and_leaves_again(self):
        old, new = self.device("old"), self.device("new")
        person = Person(old)
        files = [ROOT / "Fixtures" / "task-formats" / name for name in self.FILES]
        # Each file has some problem, so the status is that of a partial success.
        rehearsal = person.types("import", *files, "--dry-run", code=PARTIAL)
        self.assertIn("Dry run: nothing is changed.", rehearsal.out + rehearsal.err)
        for place in ("todoist-project.csv, line 17: the task has no title", "todo.txt, line 11: due: the date cannot be read",
                      "taskwarrior-2.6-export.json, line 7: recur: the repetition cannot be converted"):
            self.assertIn(place, rehearsal.err)
        self.assertEqual(old.items(), {})
        person.types("import", *files, code=PARTIAL)
        wanted = sorted(title for file in files for title in re.findall(
            r"^SUMMARY:(.*?)\r?$", Path(f"{file}.expected").read_text().replace("\n ", ""), re.MULTILINE))
        arrived = person.types("export", "-o", old.folder / "everything.ics")
        self.assertEqual(arrived.code, OK)
        text = (old.folder / "everything.ics").read_bytes()
        titles = sorted(re.findall(r"^SUMMARY:(.*?)\r?$", text.decode().replace("\r\n ", ""), re.MULTILINE))
        self.assertEqual(titles, wanted)
        again = person.types("import", *files, code=PARTIAL)
        self.assertIn("Total of 3 files: 0 added, 0 updated", again.out)
        person.device = new
        person.types("import", old.folder / "everything.ics")
        person.types("export", "-o", new.folder / "everything.ics")
        self.assertEqual(sorted(todo.to_ical() for todo in icalendar.Calendar.from_ical(text).walk("VTODO")), sorted(
            todo.to_ical() for todo in icalendar.Calendar.from_ical((new.folder / "everything.ics").read_bytes()).walk("VTODO")))
        same = person.types("ics", "diff", old.folder / "everything.ics", new.folder / "everything.ics")
        self.assertEqual(same.code, OK, same)
        self.assertIn("0 added, 0 updated", person.types("import", old.folder / "everything.ics").out)
        person.is_done("P4", self.MOST)


class Publisher(EndToEnd):
    """P5: a user with a feed behind a web server."""

    def test_a_feed_behind_a_web_server(self):
        """The commands of the manual: a subscriber elsewhere reads the printed address, through nginx and TLS."""
        laptop = self.device("laptop")
        person = Person(laptop)
        port = free_port()
        person.types("add", "Pay rent", "--due", "2027-01-01 9:00")
        made = person.types("feed", "create", "--feed-address", SITE)
        url = made.out.strip()
        self.assertRegex(url, rf"^{re.escape(SITE)}/feed/[0-9a-f]{{32}}\.ics$")
        self.assertIn("Google", made.err)
        person.steps += 1
        log = open(self.folder / "serve.log", "ab")
        self.addCleanup(log.close)
        process = laptop.start("serve", "--port", port, "--feed-address", SITE, stdin=subprocess.DEVNULL, stdout=log,
                               stderr=log)
        self.addCleanup(process.wait)
        self.addCleanup(process.terminate)
        wait_for(lambda: b"Serving feeds" in (self.folder / "serve.log").read_bytes(), what="the feed server")
        server = Nginx(self.folder, port)
        self.addCleanup(server.stop)
        server.start()
        path = url.removeprefix(f"https://{HOST}")
        status, _, body = server.ask(path)
        self.assertEqual(status, 200, body)
        events = icalendar.Calendar.from_ical(body).walk("VEVENT")
        self.assertEqual([str(event["SUMMARY"]) for event in events], ["☐ Pay rent"])
        self.assertEqual(server.ask(path, host="evil.example.net")[0], 421, "the feed answers to any host name")
        self.assertFalse((laptop.home / ".config" / "remindav").exists(), "a settings file was needed")
        person.is_done("P5")


class Family(EndToEnd):
    """P6: a user with a shared list that is read-only at first."""

    def test_private_reminders_stay_private_although_a_shared_list_is_writable(self):
        server = self.serve(FakeDAV(password=PASSWORD))
        shared = server.add_list("groceries", {"one": ["SUMMARY:Bread"]})
        shared.name, shared.read_only = "Groceries", True
        dad = self.device("dad")
        dad.passwords.add(PASSWORD)
        person = Person(dad)
        person.types("add", "Renew", "passport")
        person.at_terminal("account", "add", server.url, "--user", "user", answers=[
            ("Password", PASSWORD), ("Add this account\\?", "")])
        refused = dad.run("add", "Butter", "--list", "Groceries", code=FAILURE)
        self.assert_complaint(refused, FAILURE, "this list is read-only \\('groceries'\\)")
        shared.read_only = False
        person.types("sync")
        said = person.types("add", "Buy", "a", "present", "for", "mum").out
        self.assertRegex(said, r"in Reminders\n")
        person.types("sync")
        self.assertEqual(len(shared.items), 1, "a private reminder went to the family")
        person.is_done("P6 dad")
        mum = self.device("mum")
        mum.passwords.add(PASSWORD)
        person = Person(mum)
        person.at_terminal("account", "add", server.url, "--user", "user", answers=[
            ("Password", PASSWORD), ("Add this account\\?", "")])
        self.assertRegex(person.types("add", "Butter").out, "^Added .*: Butter, ")
        person.types("sync")
        self.assertEqual(len(shared.items), 2)
        # The list becomes read-only: nothing is sent to another list without consent.
        shared.read_only = True
        person.types("sync")
        self.assert_complaint(person.types("add", "Salt", code=FAILURE), FAILURE, "default list for new reminders is read-only", "lists default")
        person.is_done("P6 mum")


class DesktopUser(Daemon):
    """A click on a notification, with the handlers that desktops have."""

    def setUp(self):
        super().setUp()
        for program in ("xdg-open", "gio", "update-desktop-database"):
            if not shutil.which(program):
                self.fail(f"{program} is not installed; run sh Tests/packages.sh test")
        self.tools = self.person.folder / "terminal program"
        self.tools.mkdir()
        self.terminal("terminal", TERMINAL)
        # An empty screen: the terminal of this test does not use it.
        self.person.environment.update({"DISPLAY": ":77", "XDG_CONFIG_HOME": str(self.person.home / ".config")})
        link = self.person.folder / "terminal"
        link.symlink_to(self.tools / "terminal")
        self.person.environment["TERMINAL"] = str(link)

    def terminal(self, name, text):
        path = self.tools / name
        path.write_text(text)
        path.chmod(0o755)
        return path

    def shown(self):
        wait_for((self.tools / "shown").exists, 20, f"the terminal; log: {self.log()}")
        wait_for(lambda: b"Enter closes" in (self.tools / "shown").read_bytes(), what="the keys")
        return (self.tools / "shown").read_text()

    def unacknowledged(self):
        return self.person.json("status")["count"]

    def click(self):
        """The service is installed; an alarm fires, and the user clicks on its notification."""
        self.user.types("service", "install", code=(OK, PARTIAL))
        self.start()
        self.user.steps += 1
        self.keep(todo("a", int(time.time()) + 3, title="Water the plants"))
        self.wait_for_notifications(1)
        wait_for(lambda: self.unacknowledged() == 1, what="the alarm to have rung")
        self.desktop.click(1, "default")

    def test_a_click_shows_the_reminder_in_a_terminal_and_acknowledges_the_alarm(self):
        self.user = Person(self.person)
        (self.tools / "key").write_text("d")
        self.click()
        self.assertIn("Water the plants", self.shown())
        wait_for(lambda: self.person.by_uid("a")["status"] == "completed", what="the key to complete it")
        wait_for(lambda: self.unacknowledged() == 0, what="the alarm to be seen")
        self.assertNotIn("not opened", self.log())
        self.user.is_done("desktop user")

    def test_a_click_that_opens_nothing_is_reported_and_the_alarm_stays_unacknowledged(self):
        self.user = Person(self.person)
        broken = self.write("broken", "#!/bin/sh\nexit 1\n")
        broken.chmod(0o755)
        self.person.environment["TERMINAL"] = str(broken)
        self.click()
        wait_for(lambda: "A reminder was not opened, and its alarm stays unacknowledged: 'xdg-open' ended with status" in self.log(), 30,
                 f"the sentence; log: {self.log()}")
        self.assertEqual(self.log().count("was not opened"), 1)
        self.assertEqual(self.unacknowledged(), 1)

    def handlers(self):
        for words in (["xdg-open"], ["gio", "open"]):
            (self.tools / "shown").unlink(missing_ok=True)
            process = subprocess.run([*words, "reminders://1"], env=self.person.environment, stdin=subprocess.DEVNULL,
                                     capture_output=True, text=True, timeout=60, start_new_session=True)
            self.assertEqual(process.returncode, 0, f"{words}: {process.stdout}{process.stderr}")
            self.assertIn("Water the plants", self.shown(), f"by {words}")
            # The terminal ends without an action.
            time.sleep(2.5)

    def test_xdg_open_and_gnome_run_the_desktop_file(self):
        self.person.run("add", "Water the plants")
        self.person.run("service", "install", code=(OK, PARTIAL))
        self.handlers()

    def test_they_also_run_a_program_in_a_folder_with_spaces(self):
        self.person.run("add", "Water the plants")
        program = self.person.folder / "my programs" / "remindav"
        program.parent.mkdir()
        try:
            os.link(BINARY.resolve(), program)
        except OSError:
            shutil.copy(BINARY, program)
        done = subprocess.run([program, "service", "install"], env=self.person.environment, capture_output=True)
        self.assertIn(done.returncode, (OK, PARTIAL), done.stderr)
        entry = (self.person.folder / "data" / "applications" / "remindav.desktop").read_text()
        self.assertIn("\nExec=/bin/sh ", entry)
        self.handlers()
        self.assertIn(str(program), (self.tools / "argv").read_text().splitlines())
        self.person.run("service", "remove", code=None)
        self.assertEqual(list((self.person.folder / "data" / "applications").glob("remindav*")), [])


if __name__ == "__main__":
    unittest.main()

"""Another synchroniser and another to-do program work on the same collection, in both directions."""

import os
import re
import subprocess
import unittest

from harness import EndToEnd, ics
from servers import Radicale, tool

TODOS = [
    [f"UID:shared-{number}", "DTSTAMP:20260101T000000Z", "CREATED:20260101T000000Z", "LAST-MODIFIED:20260101T000000Z",
     f"SUMMARY:Shared thing {number}", "DUE:20270301T090000Z", "CATEGORIES:Home", "X-KEPT:yes"]
    for number in range(12)
]


class BesideVdirsyncer(EndToEnd):
    def setUp(self):
        super().setUp()
        self.server = self.borrow(Radicale)
        self.laptop = self.device("laptop")
        self.laptop.run("import", "-", "--list", "Shared", stdin=ics(*TODOS))
        self.laptop.add_account(self.server.url)
        self.laptop.publish("Shared")
        self.laptop.sync()
        self.peer = self.folder / "peer"
        self.calendar = self.peer / "calendars" / "shared"
        self.calendar.mkdir(parents=True)
        self.configure()

    def collection(self):
        listing = self.server.request("PROPFIND", self.server.home, b"", {"Depth": "1"})[2].decode()
        hrefs = {href for href in re.findall(r"<href>([^<]*)</href>", listing) if re.fullmatch(r"/user/[^/]+/", href)}
        self.assertEqual(len(hrefs), 1, listing)
        return hrefs.pop()

    def configure(self):
        url = self.server.url.rstrip("/") + self.collection()
        (self.peer / "vdirsyncer").write_text(
            f'[general]\nstatus_path = "{self.peer}/status"\n'
            '[pair shared]\na = "folder"\nb = "server"\ncollections = null\n'
            f'[storage folder]\ntype = "filesystem"\npath = "{self.calendar}"\nfileext = ".ics"\n'
            f'[storage server]\ntype = "caldav"\nurl = "{url}"\nusername = "user"\npassword = "correct horse"\n'
        )
        (self.peer / "todoman.py").write_text(
            f'path = "{self.peer}/calendars/*"\ndate_format = "%Y-%m-%d"\ntime_format = "%H:%M"\n'
            f'default_list = "shared"\ncache_path = "{self.peer}/cache"\n'
        )
        self.foreign("vdirsyncer", "discover")

    def foreign(self, name, *arguments):
        environment = {
            **os.environ, "HOME": str(self.peer), "TZ": "Europe/Berlin", "LC_ALL": "C.UTF-8",
            "XDG_CACHE_HOME": str(self.peer / "xdg"), "VDIRSYNCER_CONFIG": str(self.peer / "vdirsyncer"),
            "TODOMAN_CONFIG": str(self.peer / "todoman.py"),
        }
        done = subprocess.run([tool(name), *arguments], env=environment, stdin=subprocess.DEVNULL,
                              capture_output=True, text=True, timeout=120)
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        return done.stdout

    def todoman_id(self, title):
        import json
        entries = json.loads(self.foreign("todo", "--porcelain", "list", "--status", "ANY"))
        return str(next(entry["id"] for entry in entries if entry["summary"] == title))

    def files(self):
        return {path.name: path.read_text() for path in self.calendar.glob("*.ics")}

    def test_the_folder_holds_the_same_todos(self):
        self.foreign("vdirsyncer", "sync")
        texts = self.files().values()
        uids = [re.search(r"^UID:(.*)$", text, re.MULTILINE)[1].strip() for text in texts]
        self.assertEqual(sorted(uids), sorted(f"shared-{number}" for number in range(12)))
        self.assertTrue(all("X-KEPT:yes" in text for text in texts))

    def test_an_edit_made_with_todoman_arrives_here(self):
        self.foreign("vdirsyncer", "sync")
        self.foreign("todo", "edit", self.todoman_id("Shared thing 3"), "--due", "2027-01-01 10:00")
        self.foreign("todo", "done", self.todoman_id("Shared thing 4"))
        self.foreign("todo", "new", "--list", "shared", "--due", "2027-02-02 10:00", "From the other program")
        self.foreign("vdirsyncer", "sync")
        self.laptop.sync()
        self.assertRegex(self.laptop.by_uid("shared-3")["due"], r"^2027-01-01T(10:00:00\+01:00|09:00:00(Z|\+00:00))$")
        self.assertEqual(self.laptop.by_uid("shared-4")["status"], "completed")
        self.assertIn("From the other program", [entry["title"] for entry in self.laptop.json("list", "--all")])

    def test_an_edit_made_here_arrives_in_the_folder(self):
        self.foreign("vdirsyncer", "sync")
        self.laptop.run("edit", self.laptop.id_of("shared-5"), "--title", "Renamed here")
        self.laptop.run("done", self.laptop.id_of("shared-6"))
        self.laptop.run("delete", self.laptop.id_of("shared-7"), "--yes")
        self.laptop.sync()
        self.foreign("vdirsyncer", "sync")
        text = "\n".join(self.files().values())
        self.assertEqual(len(self.files()), 11)
        self.assertIn("SUMMARY:Renamed here", text)
        self.assertNotIn("UID:shared-7", text)
        self.todoman_id("Renamed here")

    def test_edits_on_both_sides_of_different_fields_are_both_kept(self):
        self.foreign("vdirsyncer", "sync")
        self.foreign("todo", "edit", self.todoman_id("Shared thing 8"), "--priority", "high")
        self.foreign("vdirsyncer", "sync")
        self.laptop.run("edit", self.laptop.id_of("shared-8"), "--title", "Both of us")
        self.laptop.sync()
        self.foreign("vdirsyncer", "sync")
        entry = self.laptop.by_uid("shared-8")
        self.assertEqual((entry["title"], entry["priority"]), ("Both of us", "high"))
        merged = next(text for text in self.files().values() if "UID:shared-8" in text)
        self.assertIn("SUMMARY:Both of us", merged)
        self.assertRegex(merged, r"PRIORITY:[1-4]\s")

    def test_no_program_changes_the_other_for_ever(self):
        for _ in range(2):
            self.foreign("vdirsyncer", "sync")
            self.laptop.sync()
        before = self.files()
        self.laptop.sync_until_quiet(1)
        self.assertNotIn("Copying", self.foreign("vdirsyncer", "sync"))
        self.assertEqual(self.files(), before)


if __name__ == "__main__":
    unittest.main()

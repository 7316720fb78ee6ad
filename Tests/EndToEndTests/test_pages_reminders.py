"""The list and the forms of the web pages of the built program, as a browser without scripts uses them."""

import os
import re
import select
import sqlite3
import subprocess
import unittest
from html import unescape
from html.parser import HTMLParser

from harness import EndToEnd
from test_pages import Browser


class Form(HTMLParser):
    """The fields of the form on a page with a given action, as a browser sends them, and the texts of its buttons."""

    def __init__(self, page, action):
        super().__init__()
        self.wanted, self.action = action, None
        self.fields, self.buttons, self.problems = {}, [], []
        self.select = self.area = self.button = None
        self.feed(page)

    def handle_starttag(self, tag, attributes):
        values = dict(attributes)
        if tag == "form":
            # The address for Save has a query, so that Back returns to the page with the typed text.
            self.action = values.get("action", "").removesuffix("?save=")
        if self.action != self.wanted:
            return
        name, kind = values.get("name"), values.get("type")
        if tag == "input" and (kind not in ("checkbox", "radio") or "checked" in values):
            self.fields[name] = values.get("value", "")
        if tag == "select":
            self.select = name
        if tag == "option" and (self.select not in self.fields or "selected" in values):
            self.fields[self.select] = values.get("value", "")
        if tag == "textarea":
            self.area, self.fields[name] = name, ""
        if tag == "button":
            self.button = (name, values.get("value"))
        if values.get("class") == "err":
            self.problems.append("")

    def handle_data(self, data):
        if self.area:
            self.fields[self.area] += data
        elif self.button:
            self.buttons.append((*self.button, data))

    def handle_endtag(self, tag):
        if tag == "textarea" and self.area:
            # The first line feed after the tag is not a part of the text.
            self.fields[self.area] = self.fields[self.area].removeprefix("\n")
        if tag in ("form", "select", "textarea", "button"):
            self.area = self.button = None
        if tag == "select":
            self.select = None
        if tag == "form":
            self.action = None


class Reminders(EndToEnd):
    def browser(self, laptop):
        process = laptop.start("web", "--no-open", "--port", "0", stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
        self.addCleanup(process.wait)
        self.addCleanup(process.terminate)
        self.addCleanup(process.stdout.close)
        self.assertTrue(select.select([process.stdout], [], [], 30)[0], "no address was printed")
        address = re.fullmatch(r"http://127\.0\.0\.1:(\d+)(/in/\w+)\n", os.read(process.stdout.fileno(), 200).decode())
        browser = Browser(int(address[1]))
        browser.ask("GET", address[2])
        return browser

    def form(self, browser, target):
        return Form(browser.ask("GET", target)[1], target).fields

    def status(self, page):
        """The text of the status line."""
        return unescape(re.sub("<[^>]*>", "", re.search(r'<span role="status">(.*?)</span>', page)[1]))

    def test_the_story_of_the_form_all_fields_an_edit_both_refusals_save_and_cancel(self):
        laptop = self.device("laptop")
        browser = self.browser(laptop)
        fields = self.form(browser, "/add")
        self.assertEqual((fields["title"], fields["time"], fields["recurrence"]), ("", "09:00", "never"))
        # Both refusals: a blank title and a past date; the typed notes stay.
        answer, page = browser.ask("POST", "/add", {**fields, "title": " ", "date": "2026-01-01", "notes": "a\r\nb"})
        self.assertEqual(answer.status, 422)
        self.assertIn("Title is required", page)
        self.assertIn("Must be in the future", page)
        self.assertEqual(Form(page, "/add").fields["notes"], "a\nb")
        self.assertEqual(laptop.json("list"), [])
        typed = {"title": "Buy milk", "notes": "a\r\nb", "date": "2031-03-01", "time": "10:00", "recurrence": "weekly",
                 "labels": "shop, food", "priority": "high", "alarms": "15m", "location": "Market"}
        page = browser.post("/add", {**fields, **typed})
        self.assertEqual(self.status(page), 'Added "Buy milk" for 1 Mar 2031 10:00, every week, #shop, #food.')
        [reminder] = laptop.json("list")
        self.assertEqual((reminder["title"], reminder["notes"], reminder["repeat"]), ("Buy milk", "a\nb", "FREQ=WEEKLY"))
        self.assertEqual((reminder["labels"], reminder["priority"], reminder["location"]), (["shop", "food"], "high", "Market"))
        self.assertEqual(len(reminder["alarms"]), 1)
        # An edit changes its fields only; the form that is left has changed nothing.
        before = laptop.json("list")
        fields = self.form(browser, "/r/1")
        self.assertEqual(laptop.json("list"), before)
        page = browser.post("/r/1", {**fields, "title": "Buy groceries", "time": "11:00"})
        self.assertEqual(self.status(page), 'Changed "Buy groceries".')
        [changed] = laptop.json("list")
        self.assertEqual((changed["title"], changed["due"][11:16], changed["notes"]), ("Buy groceries", "11:00", "a\nb"))
        self.assertEqual(browser.ask("GET", "/r/99")[0].status, 404)

    def test_the_story_of_operations_complete_reopen_snooze_delete_and_undo(self):
        laptop = self.device("laptop")
        laptop.run("add", "Buy milk", "--due", "2031-03-01 10:00")
        laptop.run("add", "Water plants", "--due", "2031-03-01 09:00", "--repeat", "weekly")
        browser = self.browser(laptop)
        page = browser.ask("GET", "/")[1]
        values = [unescape(value) for value in re.findall(r'name="do" value="([^"]*)"', page)]
        self.assertIn("complete 1", values)
        [series] = [value for value in values if value.startswith("complete 2 ")]
        page = browser.post("/act", {"do": "complete 1"})
        self.assertEqual(self.status(page), 'Completed "Buy milk".')
        self.assertIn("Completed (1)", page)
        page = browser.post("/act", {"do": "reopen 1"})
        self.assertEqual(self.status(page), 'Reopened "Buy milk".')
        # Two clicks on one date complete one date.
        for _ in range(2):
            page = browser.post("/act", {"do": series})
            self.assertEqual(self.status(page), 'Completed "Water plants". Next: 8 Mar 2031 09:00.')
        page = browser.post("/act", {"do": "snooze 1 15m"})
        self.assertRegex(self.status(page), r'^Snoozed "Buy milk" until \w+ \d\d:\d\d\.$')
        self.assertIn("Are you sure you want to delete &#39;<bdi>Buy milk</bdi>&#39;?", browser.ask("GET", "/r/1/delete")[1])
        page = browser.post("/act", {"do": "delete 1"})
        self.assertEqual(self.status(page), 'Deleted "Buy milk". It stays in the trash for 30 days.')
        self.assertNotIn("Buy milk", [one["title"] for one in laptop.json("list")])
        run = re.search(r'name="run" value="(\d+)"', page)[1]
        page = browser.post("/undo", {"run": run})
        self.assertEqual(self.status(page), 'Restored "Buy milk".')
        self.assertIn("Buy milk", [one["title"] for one in laptop.json("list")])
        run = re.search(r'name="run" value="(\d+)"', page)[1]
        self.assertEqual(self.status(browser.post("/undo", {"run": run})), 'Removed "Buy milk".')

    def test_a_double_click_a_reload_and_back_add_one_reminder(self):
        laptop = self.device("laptop")
        browser = self.browser(laptop)
        fields = {**self.form(browser, "/add"), "title": "Buy milk"}
        for _ in range(3):
            browser.post("/add", fields)
        self.assertEqual([one["title"] for one in laptop.json("list")], ["Buy milk"])

    def test_a_reminder_that_vanished_is_saved_as_a_new_one(self):
        laptop = self.device("laptop")
        laptop.run("add", "Buy milk")
        browser = self.browser(laptop)
        fields = {**self.form(browser, "/r/1"), "title": "Buy bread"}
        laptop.run("delete", "1", "--yes")
        answer, page = browser.ask("POST", "/r/1", fields)
        self.assertEqual(answer.status, 404)
        self.assertIn("Reminder not found", page)
        again = Form(page, "/add")
        self.assertIn((None, None, "Save as a new reminder"), again.buttons)
        browser.post("/add", again.fields)
        self.assertEqual([one["title"] for one in laptop.json("list")], ["Buy bread"])
        self.assertIn(">Restore</button>", browser.ask("GET", "/r/1")[1])

    def test_a_locked_store_keeps_the_typed_text(self):
        laptop = self.device("laptop")
        laptop.run("add", "Buy milk")
        browser = self.browser(laptop)
        pages = {target: self.form(browser, target) for target in ("/add", "/r/1")}
        lock = sqlite3.connect(laptop.store / "reminders.db", isolation_level=None)
        self.addCleanup(lock.close)
        lock.execute("BEGIN IMMEDIATE")
        for target, fields in pages.items():
            answer, page = browser.ask("POST", target, {**fields, "title": "Typed text", "notes": "more"})
            self.assertEqual(answer.status, 503, target)
            kept = Form(page, target).fields
            self.assertEqual((kept["title"], kept["notes"]), ("Typed text", "more"))
        lock.execute("ROLLBACK")
        self.assertEqual([one["title"] for one in laptop.json("list")], ["Buy milk"])
        browser.post("/r/1", {**kept, "title": "Typed text"})
        self.assertEqual([one["title"] for one in laptop.json("list")], ["Typed text"])

    def test_a_full_disk_keeps_the_typed_text(self):
        laptop = self.device("laptop")
        mount = self.folder / "small"
        mount.mkdir()
        done = subprocess.run(["mount", "-t", "tmpfs", "-o", "size=8m,mode=0700", "tmpfs", str(mount)], capture_output=True)
        if done.returncode != 0:
            raise unittest.SkipTest("only root can mount a small file system")
        self.addCleanup(subprocess.run, ["umount", "-l", str(mount)], check=True)
        laptop.environment["REMINDAV_STORE"] = str(mount / "store")
        laptop.run("add", "Buy milk")
        browser = self.browser(laptop)
        fields = {**self.form(browser, "/r/1"), "title": "Typed text", "notes": "n" * 20_000}
        new = {**self.form(browser, "/add"), "title": "Another text"}
        with open(mount / "filler", "wb", buffering=0) as filler:
            try:
                while True:
                    filler.write(b"x" * 4096)
            except OSError:
                pass
        for target, typed in (("/r/1", fields), ("/add", new)):
            answer, page = browser.ask("POST", target, typed)
            self.assertEqual(answer.status, 500, page)
            kept = Form(page, target).fields
            self.assertEqual((kept["title"], kept["notes"]), (typed["title"], typed["notes"]))
            self.assertIn('role="alert"', page)
        (mount / "filler").unlink()
        browser.post("/r/1", fields)
        self.assertEqual([one["title"] for one in laptop.json("list")], ["Typed text"])


if __name__ == "__main__":
    unittest.main()

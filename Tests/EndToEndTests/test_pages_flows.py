"""The operations on the web pages in both browsers: with scripts on and off, with the mouse and with the keyboard only;
and the typed text after failures."""

import os
import sqlite3
import subprocess
import time
import unittest

from harness import smoke, wait_for
from screens import PageTest, fill_store, web
from test_pages_audit import TAKES_TURNS, axe_violations

# Tests/Benchmarks/pages.py measures the time of 500 openings on an idle machine.
OPENINGS = 50


class Flow(PageTest):
    def each_way(self, flow):
        """Calls `flow` with a signed-in tab of each browser, with scripts on and off."""
        turn = sum(self._testMethodName.encode())
        for place, kind in enumerate(self.kinds):
            for scripts in (True, False):
                # In turns, each flow runs with scripts in one browser, and without scripts in the other.
                if TAKES_TURNS and (turn + place + scripts) % 2:
                    continue
                with self.subTest(f"{kind}, scripts {'on' if scripts else 'off'}"):
                    self.laptop = self.device(f"{kind}-{scripts}")
                    self.processes.clear()
                    tab = self.signed_in(kind, self.laptop)
                    tab.set_scripts(scripts)
                    tab.open(self.origin + "/")
                    flow(tab)

    def reminders(self, *arguments):
        return self.laptop.json("list", *arguments)

    def titles(self):
        return sorted(one["title"] for one in self.reminders())

    def stored(self, title, **fields):
        """Waits until the store has a reminder with these fields: a script may show a change before it is sent."""
        def is_there():
            found = [one for one in self.reminders("--all") if one["title"] == title]
            return found and all(found[0][name] == value for name, value in fields.items())
        wait_for(is_there, what=f"{title} with {fields}")

    def fill_form(self, tab, title, notes=None, date=None, clock=None):
        tab.fill("Reminder title", title)
        if notes is not None:
            tab.fill(css="textarea", value=notes)
        if date is not None:
            tab.fill(css="form input[type=date]", value=date)
            tab.fill(css="form input[type=time]", value=clock or "")


class Stories(Flow):
    def test_a_reminder_from_the_quick_line_to_the_trash_and_back(self):
        def flow(tab):
            tab.fill(css="#quick", value="Buy milk 2031-03-01 10:00 #home")
            tab.click("Add")
            tab.wait_text('Added "Buy milk"')
            self.stored("Buy milk", labels=["home"])

            tab.click(css=".open")
            tab.wait("!!find('Reminder title')")
            self.fill_form(tab, "Buy groceries", "bread\nand cheese", "2031-03-02", "11:30")
            tab.click("Save")
            tab.wait_text('Changed "Buy groceries"')
            self.stored("Buy groceries", notes="bread\nand cheese", due="2031-03-02T11:30:00+01:00")

            tab.click("Complete: Buy groceries")
            tab.wait_text('Completed "Buy groceries"')
            self.stored("Buy groceries", status="completed")
            tab.click("Undo")
            tab.wait("!!find('Complete: Buy groceries')")
            self.stored("Buy groceries", status="pending")

            tab.click("More actions for Buy groceries")
            tab.wait("!!find('15 minutes')")
            tab.click("15 minutes")
            tab.wait_text('Snoozed "Buy groceries"')
            wait_for(lambda: self.reminders()[0]["snoozedUntil"], what="a snooze")

            tab.click("More actions for Buy groceries")
            tab.wait("!!find('Delete')")
            tab.click("Delete")
            tab.wait_text("Are you sure you want to delete 'Buy groceries'?")
            tab.click("Cancel")
            tab.wait("!!find('Complete: Buy groceries') || !!find('Mark Complete')")
            self.assertEqual(self.titles(), ["Buy groceries"])
            tab.open(self.origin + "/r/1/delete")
            tab.click("Delete")
            tab.wait_text('Deleted "Buy groceries"')
            self.assertEqual(self.titles(), [])
            tab.click("Undo")
            tab.wait("!!find('Complete: Buy groceries')")
            self.assertEqual(self.titles(), ["Buy groceries"])
            self.assertEqual(tab.errors, [])

        self.each_way(flow)

    def test_a_label_is_made_renamed_used_and_deleted(self):
        def flow(tab):
            tab.click("Labels")
            tab.wait_text("No labels yet")
            tab.click("Add your first label")
            tab.wait("!!find('Label name')")
            tab.fill("Label name", "garden")
            tab.evaluate("(document.querySelectorAll('[type=radio]')[3].focus(), 0)")
            tab.press(" ")
            tab.click("Save")
            tab.wait("location.pathname === '/labels' && text(document.body).includes('garden')")
            [label] = self.laptop.json("labels")
            self.assertEqual(label["name"], "garden")
            tab.click(css=".rows .open")
            tab.wait("find('Label name')?.value === 'garden'")
            tab.fill("Label name", "Garden and balcony")
            tab.click("Save")
            tab.wait("location.pathname === '/labels' && text(document.body).includes('Garden and balcony')")
            self.laptop.run("add", "Water plants", "--label", "Garden and balcony")
            tab.open(self.origin + "/?label=Garden+and+balcony")
            tab.wait_text("Water plants")
            tab.open(self.origin + "/label/delete?name=Garden+and+balcony")
            tab.wait_text("Are you sure you want to delete 'Garden and balcony'? Reminders with this label will keep their data"
                          " but lose the label association.")
            tab.click("Delete")
            tab.wait_text("No labels yet")
            self.assertEqual((self.laptop.json("labels"), self.titles()), ([], ["Water plants"]))
            self.assertEqual(tab.errors, [])

        self.each_way(flow)

    def test_the_story_with_the_keyboard_only(self):
        def flow(tab):
            def go(name, key="Enter"):
                tab.wait(f"!!find({name!r})")
                tab.tab_to(name)
                tab.press(key)

            go("Add reminder")
            tab.wait("nameOf(document.activeElement) === 'Reminder title'")
            tab.keys("Buy milk")
            tab.tab_to("Notes (optional)")
            tab.keys("2 l")
            tab.press("Tab", "Shift")
            tab.press("Enter")
            tab.wait_text('Added "Buy milk"')
            self.stored("Buy milk", notes="2 l")
            tab.wait("!!document.querySelector('.open')")
            for _ in range(60):
                if tab.evaluate("document.activeElement.matches('.open')"):
                    break
                tab.press("Tab")
            tab.press("Enter")
            tab.tab_to("Reminder title")
            tab.press("End")
            tab.keys(" and bread")
            go("Save")
            tab.wait_text('Changed "Buy milk and bread"')
            go("Complete: Buy milk and bread", " ")
            tab.wait_text('Completed "Buy milk and bread"')
            self.stored("Buy milk and bread", status="completed")
            go("Undo")
            tab.wait("!!find('Complete: Buy milk and bread')")
            go("More actions for Buy milk and bread")
            go("5 minutes")
            tab.wait_text('Snoozed "Buy milk and bread"')
            go("More actions for Buy milk and bread")
            go("Delete")
            tab.wait_text("Are you sure you want to delete 'Buy milk and bread'?")
            # Cancel has the focus, so Enter deletes nothing.
            tab.wait("nameOf(document.activeElement) === 'Cancel'")
            go("Delete")
            tab.wait_text('Deleted "Buy milk and bread"')
            self.assertEqual(self.titles(), [])
            go("Undo")
            tab.wait("!!find('Complete: Buy milk and bread')")
            go("Labels")
            go("Add your first label")
            tab.tab_to("Label name")
            tab.keys("home")
            tab.press("Enter")
            tab.wait("location.pathname === '/labels' && text(document.body).includes('home')")
            self.assertEqual([one["name"] for one in self.laptop.json("labels")], ["home"])

        self.each_way(flow)

    def test_a_double_click_a_reload_and_back_make_one_reminder(self):
        def flow(tab):
            tab.click("Add reminder")
            tab.wait("!!find('Reminder title')")
            tab.fill("Reminder title", "Pay rent")
            tab.click("Save", count=2)
            tab.wait_text("Pay rent")
            tab.wait("location.pathname === '/'")
            self.assertEqual(self.titles(), ["Pay rent"])
            tab.reload()
            self.assertEqual(self.titles(), ["Pay rent"])
            tab.back()
            tab.wait("!!find('Reminder title')")
            # Firefox shows an empty form, because it loads the page again.
            if tab.value("Reminder title") == "Pay rent":
                tab.click("Save")
                tab.wait("location.pathname === '/'")
            self.assertEqual(self.titles(), ["Pay rent"])

        self.each_way(flow)

    def test_two_edits_of_one_field_are_both_shown_and_two_fields_are_merged(self):
        def flow(tab):
            self.laptop.run("add", "Buy milk", "--due", "2031-03-01 10:00", "--notes", "at the shop")
            tab.open(self.origin + "/r/1")
            tab.fill("Reminder title", "Buy groceries")
            self.laptop.run("edit", "1", "--notes", "at the market")
            tab.click("Save")
            tab.wait_text('Changed "Buy groceries"')
            self.stored("Buy groceries", notes="at the market")

            tab.open(self.origin + "/r/1")
            tab.fill("Reminder title", "Buy cheese")
            self.laptop.run("edit", "1", "--title", "Buy bread")
            tab.click("Save")
            tab.wait_text("It is now: Buy bread")
            self.assertEqual(tab.value("Reminder title"), "Buy cheese")
            self.assertEqual(self.titles(), ["Buy bread"])
            tab.click("Save")
            tab.wait("location.pathname === '/'")
            self.assertEqual(self.titles(), ["Buy cheese"])

        self.each_way(flow)

    def test_a_deleted_reminder_is_saved_as_a_new_one(self):
        def flow(tab):
            self.laptop.run("add", "Buy milk")
            tab.open(self.origin + "/r/1")
            tab.fill("Reminder title", "Buy oat milk")
            self.laptop.run("delete", "1", "--yes")
            tab.click("Save")
            tab.wait_text("Reminder not found")
            self.assertEqual(tab.value("Reminder title"), "Buy oat milk")
            self.assertEqual(self.titles(), [])
            tab.click("Save as a new reminder")
            tab.wait_text('Added "Buy oat milk"')
            self.assertEqual(self.titles(), ["Buy oat milk"])

        self.each_way(flow)


class Failures(Flow):
    """Typed text stays when it cannot be saved, and can be saved later."""

    def typed(self, tab):
        tab.open(self.origin + "/add")
        self.fill_form(tab, "Write the report", "line 1\nline 2", "2031-03-01", "10:00")

    def assert_kept(self, tab):
        tab.wait("find('Reminder title')?.value === 'Write the report'")
        self.assertEqual(tab.value(css="textarea"), "line 1\nline 2")
        self.assertEqual(tab.value(css="form input[type=date]"), "2031-03-01")
        self.assertEqual(tab.value(css="form input[type=time]"), "10:00")

    def save_again(self, tab):
        tab.click("Save")
        tab.wait_text("Write the report")
        tab.wait("location.pathname === '/'")
        self.stored("Write the report", notes="line 1\nline 2")
        self.assertEqual(self.titles(), ["Write the report"])

    def test_the_server_is_killed(self):
        def flow(tab):
            self.typed(tab)
            self.processes[-1].kill()
            self.processes[-1].wait()
            tab.click("Save")
            # Without a script, the browser shows its own page about the failure, and Back shows the form.
            time.sleep(1)
            if tab.evaluate("!find('Reminder title')"):
                tab.back()
            self.assert_kept(tab)
            process, _, _ = web(self.laptop, port=self.origin.split(":")[-1])
            self.addCleanup(process.stdout.close)
            self.addCleanup(process.wait)
            self.addCleanup(process.kill)
            self.save_again(tab)

        self.each_way(flow)

    def test_the_store_is_locked(self):
        def flow(tab):
            self.laptop.run("list")
            self.typed(tab)
            lock = sqlite3.connect(self.laptop.store / "reminders.db", isolation_level=None)
            lock.execute("BEGIN EXCLUSIVE")
            try:
                tab.click("Save")
                tab.wait_text("Nothing was changed", 30)
                self.assert_kept(tab)
            finally:
                lock.close()
            self.assertEqual(self.titles(), [])
            self.save_again(tab)

        self.each_way(flow)

    @unittest.skipIf(os.geteuid() != 0, "only root can mount a small disk")
    def test_the_disk_is_full(self):
        for kind in self.kinds:
            with self.subTest(kind):
                self.laptop = self.device(f"{kind}-full")
                self.processes.clear()
                data = self.laptop.folder / "data"
                data.mkdir()
                done = subprocess.run(["mount", "-t", "tmpfs", "-o", "size=4m", "tmpfs", data], capture_output=True, text=True)
                if done.returncode != 0:
                    self.skipTest(f"no small disk can be mounted: {done.stderr.strip()}")
                try:
                    tab = self.signed_in(kind, self.laptop)
                    self.typed(tab)
                    filler = data / "filler"
                    with filler.open("wb", buffering=0) as file:
                        try:
                            while True:
                                file.write(bytes(4096))
                        except OSError:
                            pass
                    tab.click("Save")
                    tab.wait_text("Nothing was changed")
                    self.assert_kept(tab)
                    filler.unlink()
                    self.assertEqual(self.titles(), [])
                    self.save_again(tab)
                finally:
                    self.processes[-1].kill()
                    self.processes[-1].wait()
                    subprocess.run(["umount", data], check=True)

    def test_the_sign_in_ends_while_a_form_is_open(self):
        def flow(tab):
            self.typed(tab)
            # The sign-ins are a file of their own beside the store.
            sign_ins = sqlite3.connect(self.laptop.store / "web.db")
            with sign_ins:
                sign_ins.execute("DELETE FROM device")
            sign_ins.close()
            tab.click("Save")
            tab.wait_text("Nothing is lost")
            tab.open(self.another_ticket(self.laptop))

        self.each_way(flow)


class Openings(PageTest):
    kinds = ("Chromium",)

    def test_the_form_opens_again_and_again(self):
        laptop = self.device("laptop")
        fill_store(laptop)
        tab = self.signed_in("Chromium", laptop)
        for _ in range(OPENINGS):
            spot = tab.spot(None, ".open")
            tab.loading(tab.click_at, *spot)
            tab.wait("!!document.querySelector('#title') && performance.getEntriesByType('navigation')[0].loadEventEnd > 0")
            tab.loading(tab.open, self.origin + "/")
        self.assertEqual(tab.errors, [])


@smoke
class Smoke(Flow):
    """One browser, for the default stage."""

    kinds = ("Chromium",)

    def test_a_person_signs_in_and_adds_a_reminder(self):
        self.laptop = self.device("laptop")
        tab = self.signed_in("Chromium", self.laptop)
        tab.click("Add reminder")
        tab.wait("!!find('Reminder title')")
        self.assertEqual(axe_violations(tab), [])
        self.fill_form(tab, "Buy milk", "2 l", "2031-03-01", "10:00")
        tab.click("Save")
        tab.wait_text('Added "Buy milk"')
        self.stored("Buy milk", notes="2 l", due="2031-03-01T10:00:00+01:00")
        self.assertEqual(axe_violations(tab), [])
        self.assertEqual((tab.errors, tab.dialogs), ([], []))

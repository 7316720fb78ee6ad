"""Pages that stay open while a command, a server, an alarm or another page changes the reminders."""

import os
import time
from datetime import UTC, datetime, timedelta

from harness import wait_for
from screens import PageTest, web
from servers import PASSWORD, USER, Radicale


class Live(PageTest):
    def test_a_change_by_a_command_is_painted_and_keeps_the_focus(self):
        for kind in self.kinds:
            with self.subTest(kind):
                self.processes.clear()
                laptop = self.device(kind)
                laptop.run("add", "Pay rent 2031-01-05 09:00")
                laptop.run("add", "Ring Ada 2031-01-06 09:00")
                tab = self.signed_in(kind, laptop)
                tab.wait_text("Ring Ada")
                tab.evaluate("document.querySelector('#r2 a.open').focus()")
                # The page shows that its stream is open only by changes, so the first change may be earlier than it.
                laptop.run("add", "Feed the cat 2031-01-04 09:00")
                tab.wait_text("Feed the cat", seconds=10)
                for title in ("Buy milk", "Water plants", "Fix the bike"):
                    laptop.run("add", f"{title} 2031-01-03 09:00")
                    tab.wait_text(title)
                self.assertEqual(tab.evaluate("document.activeElement.closest('li').id"), "r2")
                laptop.run("delete", "1", "--yes")
                tab.wait("!document.querySelector('#r1')")
                self.assertIn("changed elsewhere.", tab.text)
                self.assertEqual(tab.errors, [])

    def test_a_late_answer_does_not_replace_a_newer_one(self):
        def action(tab):
            # The page asks for itself again once its stream is open.
            tab.wait("performance.getEntriesByType('resource').some(one => one.name === location.href)")
            tab.evaluate("""(() => {
                const { fetch } = window;
                const released = new Promise(done => { window.release = done; });
                window.fetch = async (...request) => {
                    const answer = await fetch(...request);
                    const text = await answer.clone().text();
                    // A request before the change, such as that of a stream that opened again, is not held back.
                    if (!text.includes("Pay the old rent") || window.late) return answer;
                    window.late = text;
                    await released;
                    setTimeout(() => { window.isPast = true; }, 100);
                    return new Response(text);
                };
            })()""")
            self.laptop.run("edit", "1", "--title", "Pay the old rent")
            tab.wait("window.late?.includes('Pay the old rent')")
            self.laptop.run("edit", "1", "--title", "Pay the new rent")
            tab.wait_text("Pay the new rent")
            tab.evaluate("(release(), 0)")
            tab.wait("window.isPast")
            self.assertIn("Pay the new rent", tab.text)

        self.in_each_browser(action, "Pay rent")

    def test_two_pages_show_each_others_operations(self):
        for kind in self.kinds:
            with self.subTest(kind):
                self.processes.clear()
                laptop = self.device(kind)
                laptop.run("add", "Pay rent 2031-01-05 09:00")
                first = self.signed_in(kind, laptop)
                first.wait_text("Pay rent")
                second = self.signed_in(kind, laptop)
                second.wait_text("Pay rent")
                second.click(css="#r1 button.box")
                second.wait_text('Completed "Pay rent"')
                # A hidden page has no stream; it comes up to date when it is shown.
                first.activate()
                first.wait("!document.querySelector('#r1:not(.done)')", seconds=10)

    def test_an_alarm_is_shown_by_the_page_and_a_deleted_reminder_has_none(self):
        for kind in self.kinds:
            with self.subTest(kind):
                self.processes.clear()
                laptop = self.device(kind, zone="UTC")
                laptop.run("add", "Pay rent 2031-01-05 09:00")
                tab = self.signed_in(kind, laptop)
                tab.wait_text("Pay rent")
                due = datetime.now(UTC) + timedelta(seconds=12)
                for title in ("Call Ben", "Deleted one"):
                    laptop.run("add", title, "--due", due.strftime("%Y-%m-%dT%H:%M:%SZ"))
                laptop.run("delete", "3", "--yes")
                tab.wait_text("Reminder: Call Ben", seconds=40)
                time.sleep(1)
                self.assertNotIn("Reminder: Deleted one", tab.text)

    def test_a_form_keeps_its_text_while_the_reminder_changes_elsewhere(self):
        for kind in self.kinds:
            with self.subTest(kind):
                self.processes.clear()
                laptop = self.device(kind)
                laptop.run("add", "Pay rent 2031-01-05 09:00")
                tab = self.signed_in(kind, laptop)
                tab.open(self.origin + "/r/1")
                tab.fill("Reminder title", "Pay the rent")
                laptop.run("edit", "1", "--notes", "to the landlord")
                time.sleep(1)
                self.assertEqual(tab.value("Reminder title"), "Pay the rent")
                tab.click("Save")
                tab.wait_text("Pay the rent", seconds=10)
                stored = laptop.json("show", "1")
                self.assertEqual((stored["title"], stored["notes"]), ("Pay the rent", "to the landlord"))

    def test_milk_becomes_groceries_on_the_page_and_on_the_phone_and_back(self):
        import caldav

        server = self.borrow(Radicale)
        for kind in self.kinds:
            with self.subTest(kind):
                self.processes.clear()
                laptop = self.device(kind)
                laptop.run("add", "Buy milk 2031-01-05 09:00")
                laptop.add_account(server.url)
                laptop.publish("Reminders")
                laptop.sync()
                tab = self.signed_in(kind, laptop)
                tab.open(self.origin + "/r/1")
                tab.fill("Reminder title", "Buy groceries")
                tab.click("Save")
                tab.wait_text("Buy groceries", seconds=10)
                laptop.sync()
                phone = caldav.DAVClient(url=server.url, username=USER, password=PASSWORD)
                todos = [todo for calendar in phone.principal().calendars() for todo in calendar.todos()]
                todo = next(one for one in todos if "Buy groceries" in one.data)
                todo.data = todo.data.replace("Buy groceries", "Buy milk and bread")
                todo.save()
                laptop.sync()
                tab.wait_text("Buy milk and bread", seconds=10)
                todo.delete()
                laptop.sync()
                tab.wait("!document.querySelector('#r1')", seconds=10)

    def test_a_click_on_a_notification_opens_the_page_signed_in(self):
        # The desktop runs `open` for the address of a notification; `xdg-open` here keeps the address of the browser.
        laptop = self.device("laptop")
        laptop.run("add", "Pay rent 2031-01-05 09:00")
        programs = laptop.folder / "bin"
        programs.mkdir()
        (programs / "xdg-open").write_text(f'#!/bin/sh\necho "$1" > {laptop.folder}/opened\n')
        (programs / "xdg-open").chmod(0o755)
        process, port, _ = web(laptop)
        self.addCleanup(process.stdout.close)
        self.addCleanup(process.wait)
        self.addCleanup(process.kill)
        (laptop.home / ".config" / "remindav").mkdir(parents=True)
        (laptop.home / ".config" / "remindav" / "config").write_text(f"port = {port}\n")
        laptop.run("open", "reminders://1", environment={"DISPLAY": ":9", "PATH": f"{programs}:{os.environ['PATH']}"})
        wait_for((laptop.folder / "opened").exists, what="the address")
        address = (laptop.folder / "opened").read_text().strip()
        for kind in self.kinds:
            with self.subTest(kind):
                tab = self.tab(kind)
                tab.open(address)
                if kind == self.kinds[0]:
                    tab.wait_text("Edit Reminder")
                    self.assertEqual(tab.path, "/r/1")
                else:
                    tab.wait_text("Link not valid")

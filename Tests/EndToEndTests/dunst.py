"""Tests the notifications with dunst, a real notification service, on a separate screen.

    python3 Tests/EndToEndTests/dunst.py SCREENSHOT.png

shows reminders of all kinds, writes a screenshot into the file, uses the notifications as a user does, and checks the
reminders afterwards. It takes two minutes, because alarms must be missed. Run it by hand only: it needs an X server, and a
person has to check the screenshot. It needs the built program (REMINDAV_BINARY, else the release build) and these packages:

    apt-get install dunst xvfb imagemagick
"""

import json
import os
import re
import shutil
import subprocess
import sys
import time
import unittest
from pathlib import Path

from daemons import Daemon, todo, utc
from desktop import Desktop
from harness import ics, wait_for

PROGRAMS = ("dunst", "dunstctl", "Xvfb", "import")
SETTINGS = """
[global]
    origin = top-left
    offset = 20x20
    width = 420
    height = 400
    notification_limit = 0
    font = DejaVu Sans 10
    markup = full
    format = "<b>%s</b>\\n%b"
    show_indicators = yes
    icon_position = off
    sticky_history = yes
    history_length = 100
    dmenu = {menu}
"""
# dunst lists the actions of a notification as "#LABEL (TITLE) [NUMBER,KEY]". The script records them and selects a line by
# its beginning.
MENU = """#!/bin/sh
cat > {folder}/offered.new
mv {folder}/offered.new {folder}/offered
grep -F -m 1 -e "$(cat {folder}/wanted)" {folder}/offered
"""
HOSTILE_TITLE = "<b>&amp; \"it's\""
HOSTILE_NOTES = "<b>&amp;</b> <img src=\"x\"> <i>not closed & \u202eturned around\nand the next line"


class DunstDesktop(Desktop):
    """A separate bus, an invisible X server, and dunst."""

    def start(self):
        super().start()
        self.screen = subprocess.Popen(
            ["Xvfb", "-displayfd", "1", "-nolisten", "tcp", "-screen", "0", "480x860x24"],
            stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
        number = self.screen.stdout.readline().decode().strip()
        assert number, "the X server did not start"
        self.environment["DISPLAY"] = f":{number}"
        menu = self.folder / "menu"
        menu.write_text(MENU.format(folder=self.folder))
        menu.chmod(0o755)
        (self.folder / "dunstrc").write_text(SETTINGS.format(menu=menu))

    def start_service(self, capabilities=""):
        with self.log.open("ab") as log:
            self.service = subprocess.Popen(
                ["dunst", "-conf", self.folder / "dunstrc", "-verbosity", "mesg"], stdout=log, stderr=log,
                env={**os.environ, **self.environment, "HOME": str(self.folder)})
        wait_for(lambda: self.dunstctl("count", "displayed", check=False).returncode == 0, what="dunst")

    def stop(self):
        super().stop()
        self.screen.kill()
        self.screen.wait()
        self.screen.stdout.close()

    def dunstctl(self, *words, check=True):
        return subprocess.run(["dunstctl", *words], env={**os.environ, **self.environment}, capture_output=True,
                              text=True, timeout=20, check=check)

    def count(self):
        return int(self.dunstctl("count", "displayed").stdout)

    def history(self):
        """The notifications that are off the screen, by title."""
        found = {}
        for notification in json.loads(self.dunstctl("history").stdout)["data"][0]:
            found[notification["summary"]["data"]] = {name: value["data"] for name, value in notification.items()}
        return found

    def choose(self, label, title):
        """Presses a button, by the menu in which dunst lists those of all notifications."""
        offered = self.folder / "offered"
        offered.unlink(missing_ok=True)
        (self.folder / "wanted").write_text(f"#{label} ({title})")
        for _ in range(5):
            # Refused while the menu before is not quite gone.
            self.dunstctl("context")
            try:
                wait_for(offered.exists, 3, what="the menu")
                return offered.read_text().splitlines()
            except AssertionError:
                continue
        raise AssertionError("there is no menu")

    def picture(self, path):
        subprocess.run(["import", "-window", "root", path], env={**os.environ, **self.environment}, check=True,
                       timeout=60)


class Look(Daemon):
    picture = None
    # Of a machine without icons, and of a menu in which nothing was chosen, or that was asked for too soon.
    own = "No icon found in path|Didn't receive input from dmenu|Context menu already running"

    def desk(self, name):
        device = self.device(name)
        desktop = DunstDesktop(device.folder)
        desktop.start()
        self.addCleanup(desktop.stop)
        desktop.start_service()
        self.join(device, desktop)
        return device, desktop

    def join(self, device, desktop):
        device.environment.update(desktop.environment)
        device.environment["XDG_RUNTIME_DIR"] = ""

    def on_screen(self, count):
        wait_for(lambda: self.desktop.count() == count, 20,
                 f"{count} notifications, not {self.desktop.count()}; log: {self.log()}")

    def test_the_notifications_of_dunst_and_their_answers(self):
        begin = int(time.time())
        due = (begin + 75 + 59) // 60 * 60
        opened = self.folder / "opened"
        opener = self.write("opener", f'#!/bin/sh\necho "$@" >> {opened}\n')
        opener.chmod(0o755)
        laptop = self.device("laptop")
        self.join(laptop, self.desktop)
        for device in (self.person, laptop):
            self.settings(f'open-command = ["{opener}"]',
                          f"alarm-time = {time.strftime('%H:%M', time.gmtime(due))}", device=device)
            device.environment["TZ"] = "UTC"
            # The daemon was awake up to here: later alarms are missed.
            self.end(self.start(device))
        self.keep(*(todo(f"missed-{number}", begin + 2, title=f"Missed number {number}") for number in range(7)))
        laptop.run("import", "-", stdin=ics(
            todo("missed", begin + 2, "DESCRIPTION:On the other computer", title="Missed alone")))
        self.keep(
            todo("plain", due, title="Plain"),
            todo("notes", due, "DESCRIPTION:2 l of milk\\nand bread", title="With notes"),
            todo("hostile", due, "DESCRIPTION:" + HOSTILE_NOTES.replace("\n", "\\n"), title=HOSTILE_TITLE),
            ["UID:day", "SUMMARY:The whole day", f"DUE;VALUE=DATE:{time.strftime('%Y%m%d', time.gmtime(due))}"],
            todo("high", due, "PRIORITY:1", title="High priority"))
        time.sleep(max(0, begin + 65 - time.time()))
        for device in (self.person, laptop):
            self.start(device)
        self.on_screen(2)
        wait_for(lambda: time.time() > due, 70, "the moment")
        self.on_screen(7)
        time.sleep(1)
        self.desktop.picture(self.picture)
        print(f"      what it looks like: {self.picture}")

        self.complete()
        self.snooze()
        self.put_away()
        self.open(opened)
        self.edit()
        self.come_back()
        self.dunst_is_content()

    def complete(self):
        offered = self.desktop.choose("Complete", "Plain")
        of_plain = [line.partition(" (")[0] for line in offered if "(Plain)" in line]
        self.assertLessEqual({"#Complete", "#Snooze 5 minutes", "#Snooze 15 minutes", "#Snooze 30 minutes",
                              "#Snooze 1 hour"}, set(of_plain))
        # Nothing of a summary can be completed.
        self.assertFalse([line for line in offered if "reminders" in line], offered)
        wait_for(lambda: self.person.by_uid("plain")["status"] == "completed", what="it to be done")
        self.on_screen(6)

    def snooze(self):
        clicked = time.time()
        self.desktop.choose("Snooze 15 minutes", "With notes")
        wait_for(lambda: "X-MOZ-SNOOZE-TIME" in self.text("notes"), what="it to be put off")
        until = re.search(r"X-MOZ-SNOOZE-TIME:(\d+T\d+Z)", self.text("notes"))[1]
        self.assertIn(until, [utc(clicked + 900 + extra) for extra in range(-1, 5)])
        self.assertEqual(self.person.by_uid("notes")["status"], "pending")
        self.on_screen(5)

    def put_away(self):
        # Critical notifications are on top.
        self.desktop.dunstctl("close")
        wait_for(lambda: "X-MOZ-LASTACK" in self.text("high"), what="it to be seen to")
        self.assertEqual(self.person.by_uid("high")["status"], "pending")
        self.on_screen(4)

    def open(self, opened):
        self.desktop.choose("Open", HOSTILE_TITLE)
        wait_for(opened.exists, what="it to be opened")
        self.assertEqual(opened.read_text(), f"{self.person.id_of('hostile')}\n")
        self.on_screen(3)

    def edit(self):
        """In its place, then gone; and the texts of all that are off the screen."""
        self.person.run("edit", self.person.id_of("day"), "--title", "Edited")
        wait_for(lambda: any("(Edited)" in line for line in self.desktop.choose("None", "None")), what="the edit")
        self.on_screen(3)
        self.person.run("done", self.person.id_of("day"))
        self.on_screen(2)
        history = self.desktop.history()
        self.assertEqual(set(history), {"Plain", "With notes", "High priority", HOSTILE_TITLE, "Edited"})
        self.assertRegex(history["Plain"]["body"], r"\ADue \d\d:\d\d · Reminders\Z")
        self.assertRegex(history["With notes"]["body"], r"\ADue \d\d:\d\d · Reminders\n2 l of milk\nand bread\Z")
        self.assertEqual(
            history[HOSTILE_TITLE]["body"].split(" · Reminders\n")[-1],
            "&lt;b&gt;&amp;amp;&lt;/b&gt; &lt;img src=&quot;x&quot;&gt; &lt;i&gt;not closed &amp; "
            "\u202eturned around\u202c\nand the next line")
        for notification in history.values():
            self.assertEqual((notification["appname"], notification["category"], notification["timeout"]),
                             ("Remindav", "REMINDER_CATEGORY", 0))

    def come_back(self):
        """A restarted service gets the unacknowledged notifications, and no others."""
        self.desktop.stop_service()
        self.desktop.start_service()
        self.on_screen(2)
        self.desktop.dunstctl("close-all")
        laptop = next(device for device in self.devices if device is not self.person)
        wait_for(lambda: "X-MOZ-LASTACK" in laptop.run("export").out, what="it to be seen to")
        history = self.desktop.history()
        self.assertEqual(set(history), {"You missed 7 reminders", "Missed alone"})
        lines = "".join(rf"(\S+ )?\d\d:\d\d Missed number {number}\n" for number in range(5))
        self.assertRegex(history["You missed 7 reminders"]["body"], rf"\A{lines}and 2 more\Z")
        self.assertRegex(history["Missed alone"]["body"], r"\AMissed: \d{4}-\d\d-\d\d \d\d:\d\d · Reminders\nOn the other computer\Z")

    def dunst_is_content(self):
        """Checks that dunst has logged no error."""
        complaints = [line for line in self.desktop.log.read_text().splitlines()
                      if re.search("warning|critical|error", line, re.I) and not re.search(self.own, line)]
        self.assertEqual(complaints, [])


if __name__ == "__main__":
    missing = [program for program in PROGRAMS if not shutil.which(program)]
    if len(sys.argv) != 2 or missing:
        sys.exit(__doc__ if not missing else f"Not installed: {', '.join(missing)}.\n\n{__doc__}")
    Look.picture = Path(sys.argv[1]).resolve()
    unittest.main(argv=[sys.argv[0], "Look"], verbosity=2)

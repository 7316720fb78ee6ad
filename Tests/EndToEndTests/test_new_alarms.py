"""A reminder added with the defaults: one VALARM, on Radicale as well, and one notification on the desktop."""

import time
import unittest

from daemons import Daemon, utc
from harness import wait_for
from servers import Radicale
from story import Scene


class Arrives(Scene, Daemon):
    """New alarms with the notification service of a desktop, and a real server."""

    make_server = Radicale

    def alarms(self, uid=None):
        """The lines of the VALARMs of each to-do on the server, by title."""
        found = {}
        for text in self.resources().values():
            text = text.replace("\r\n", "\n").replace("\n ", "")
            title = text.partition("\nSUMMARY:")[2].partition("\n")[0]
            blocks = text.split("BEGIN:VALARM\n")[1:]
            found[title] = [block.partition("\nEND:VALARM")[0].split("\n") for block in blocks]
        return found

    def test_one_alarm_arrives_and_notifies_once(self):
        self.person.run("lists", "add", "Reminders")
        self.person.add_account(self.proxy.url)
        self.person.publish("Reminders")
        self.start()
        due = int(time.time()) + 30
        self.person.run("add", "Parcel", "--due", time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime(due)))
        self.person.run("add", "Milk", "--due", "none")
        wait_for(lambda: len(self.resources()) == 2, 20, "the sync by the daemon")
        alarms = self.alarms()
        self.assertEqual(alarms["Milk"], [])
        alarm, = alarms["Parcel"]
        self.assertIn("ACTION:DISPLAY", alarm)
        self.assertIn("DESCRIPTION:Reminder", alarm)
        # Radicale drops VALUE=DATE-TIME, because the form of the value implies it.
        self.assertEqual([line.rpartition(":")[2] for line in alarm if line.startswith("TRIGGER")], [utc(due)])
        self.assertEqual(len([line for line in alarm if line.startswith("UID:")]), 1)
        wait_for(lambda: self.desktop.notifications(), 60, "the notification")
        time.sleep(5)
        notification, = self.desktop.notifications()
        self.assertEqual(notification.title, "Parcel")
        self.assertIn(notification.seconds - due, (0, 1, 2))


if __name__ == "__main__":
    unittest.main()

"""A sync is killed at random moments; the next one repairs everything.

REMINDAV_KILLS is the number of kills (200), REMINDAV_SEED selects the moments. A failure prints the seed.
"""

import os
import random
import re
import subprocess
import unittest

from harness import EndToEnd, simple, smoke
from servers import Radicale
from story import Scene

KILLS = int(os.environ.get("REMINDAV_KILLS", "200"))
SEED = int(os.environ.get("REMINDAV_SEED", "20261120"))
ITEMS = 500


def retitled(calendar, chosen, number):
    """The same calendar; the titles of the chosen reminders have the number of their generation."""

    def change(match):
        block = match[0]
        if re.search(r"UID:(.*?)\r?\n", block)[1] not in chosen:
            return block
        block = re.sub(r"SUMMARY:(Item \d+)( g\d+)?", rf"SUMMARY:\1 g{number}", block)
        return re.sub(r"LAST-MODIFIED:\d+T\d+Z", f"LAST-MODIFIED:20350101T{number // 60:02}{number % 60:02}00Z", block)

    return re.sub(r"BEGIN:VTODO\r?\n.*?END:VTODO", change, calendar, flags=re.DOTALL)


@smoke
class KilledInTheMiddle(Scene, EndToEnd):
    make_server = Radicale

    def test_two_hundred_kills_lose_nothing_and_double_nothing(self):
        chance = random.Random(SEED)
        laptop, desk = self.laptop, self.desk
        self.titles = {f"item-{index}": f"Item {index}" for index in range(ITEMS)}
        self.noted = set()
        laptop.run("import", "-", "--list", "Reminders", stdin=simple(ITEMS))
        laptop.add_account(self.server.url)
        laptop.publish("Reminders")
        laptop.sync()
        desk.add_account(self.server.url)
        desk.sync()
        generations = killed = 0
        self.change(chance, generations := generations + 1, ITEMS)
        while killed < KILLS:
            if self.killed(laptop, chance.uniform(0, 0.4)):
                killed += 1
                continue
            # The sync ended before the kill: everything was sent. Both machines need new changes.
            self.change(chance, generations := generations + 1, chance.choice([ITEMS, ITEMS, 20]))
        laptop.run("sync")
        desk.run("sync")
        self.check()

    def change(self, chance, number, size):
        """Makes new titles on one machine and labels on the other one, in overlapping sets of reminders."""
        chosen = set(chance.sample(sorted(self.titles), size))
        calendar = self.laptop.run("export", "--list", "Reminders").bytes.decode()
        report = self.laptop.json("import", "-", "--list", "Reminders", stdin=retitled(calendar, chosen, number))
        self.assertEqual(report["updated"], size, f"seed {SEED}")
        for uid in chosen:
            self.titles[uid] = f"Item {uid[5:]} g{number}"
        ids = {entry["uid"]: str(entry["id"]) for entry in self.desk.json("list", "--all")}
        for uid in chance.sample(sorted(self.titles), 5):
            self.noted.add(uid)
            self.desk.run("edit", ids[uid], "--label", "Noted")
        self.desk.sync()

    def killed(self, device, seconds):
        """Starts a sync and kills it after a number of seconds. Returns false if the sync ended before."""
        process = device.start("sync", stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)
        try:
            _, err = process.communicate(timeout=seconds)
        except subprocess.TimeoutExpired:
            process.kill()
            process.communicate()
            return True
        self.assertEqual(process.returncode, 0, f"seed {SEED}: {err[:500]!r}")
        return False

    def check(self):
        said = f"seed {SEED}"
        self.assert_same(self.laptop, self.desk)
        entries = {entry["uid"]: entry for entry in self.laptop.json("list", "--all")}
        self.assertEqual({uid: entry["title"] for uid, entry in entries.items()}, self.titles, said)
        self.assertEqual({uid for uid, entry in entries.items() if entry["labels"] == ["Noted"]}, self.noted, said)
        held = self.resources()
        self.assertEqual(set(held), set(self.titles), said)
        for uid, title in self.titles.items():
            self.assertRegex(held[uid], rf"SUMMARY:{title}\r?\n", said)
        self.assertEqual(self.laptop.integrity(), "ok", said)
        self.assertEqual(self.laptop.json("conflicts"), [], f"{said}: no field was edited on both machines")


if __name__ == "__main__":
    unittest.main()

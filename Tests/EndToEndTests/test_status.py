"""The output of `status` for a store with an account."""

from harness import EndToEnd
from servers import Radicale


class Status(EndToEnd):
    def test_the_next_alarm_and_the_last_sync_of_each_account(self):
        server = self.borrow(Radicale)
        laptop = self.device("laptop")
        laptop.add_account(server.url)
        laptop.publish("Work")
        status = laptop.json("status")
        self.assertEqual((status["nextAlarm"], status["pending"], status["count"]), (None, 0, 0))
        account, = status["accounts"]
        self.assertEqual((account["name"], account["unsent"]), (laptop.account, 0))
        laptop.run("add", "Later", "--due", "2035-02-01 09:00", "--list", "Work")
        laptop.run("add", "Soon", "--due", "2035-01-01 09:00", "--list", "Work")
        laptop.sync()
        laptop.run("edit", laptop.id_of_title("Later"), "--title", "Much later")
        status = laptop.json("status")
        self.assertEqual((status["nextAlarm"]["title"], status["nextAlarm"]["fires"]), ("Soon", "2035-01-01T08:00:00Z"))
        self.assertEqual(status["pending"], 2)
        account, = status["accounts"]
        self.assertRegex(account["lastSync"], r"\A\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ\Z")
        self.assertEqual((account["error"], account["restsUntil"], account["unsent"]), (None, None, 1))
        self.assertIn(f"{laptop.account}: synced ", laptop.run("status").out)
        server.stop()
        laptop.run("sync", code=(1, 3, 7))
        self.assertIsNotNone(laptop.json("status")["accounts"][0]["error"])
        self.assertIn(f"{laptop.account}: tried ", laptop.run("status").out)

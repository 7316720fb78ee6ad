"""Moving a store to a host and back, by `host tenant import` and `host tenant export`."""

import subprocess
import unittest

from harness import AUTH, FAILURE, NOT_FOUND, SAFETY, USAGE, changes, simple
from hosts import HostTest
from servers import CountingProxy, Radicale

COUNT = 40


class Transfers(HostTest):
    def setUp(self):
        super().setUp()
        self.prepare()

    def test_a_synced_store_comes_back_from_a_host_and_its_next_sync_is_idle(self):
        dav = self.borrow(Radicale)
        proxy = CountingProxy(dav)
        self.addCleanup(proxy.stop)
        dav.request("PUT", f"{dav.home}tasks/", simple(COUNT), {"Content-Type": "text/calendar"})
        laptop = self.device("laptop")
        laptop.add_account(proxy.url)
        laptop.sync()
        laptop.run("edit", laptop.id_of("item-7"), "--title", "Changed here")
        laptop.run("delete", laptop.id_of("item-8"), "--yes")
        laptop.sync_until_quiet()
        laptop.run("add", "Only here", "--list", laptop.json("lists")[0]["name"])
        laptop.sync_until_quiet()
        proxy.take()
        self.assertEqual(changes(laptop.sync()), 0)
        idle = proxy.take()

        imported = self.admin.run("host", "tenant", "import", "ada", laptop.store)
        self.assertIn(f"'{laptop.account}'", imported.err)
        for words in [("list", "--all"), ("lists",), ("log",), ("trash",)]:
            self.assertEqual(self.admin.json("--tenant", "ada", *words), laptop.json(*words), words)
        phone = self.device("phone")
        phone.store.parent.mkdir(parents=True, exist_ok=True)
        exported = self.admin.run("host", "tenant", "export", "ada", phone.store)
        self.assertIn(f"'{laptop.account}'", exported.err)
        self.assertEqual(phone.json("list", "--all"), laptop.json("list", "--all"))
        self.assertEqual(phone.integrity(), "ok")

        proxy.take()
        self.assertIn("account password", phone.run("sync", code=AUTH).err)
        self.assertEqual(proxy.take(), [])
        phone.ports |= laptop.ports
        phone.run("account", "password", laptop.account, "--password-stdin", stdin="correct horse\n")
        proxy.take()
        self.assertEqual(changes(phone.sync()), 0)
        self.assertEqual(proxy.take(), idle)
        phone.run("doctor")

    def test_faults_are_one_sentence_and_change_nothing(self):
        laptop = self.device("laptop")
        laptop.run("add", "Milk")
        for words, code, text in [
            (("import", "ada", self.folder / "none"), FAILURE, "no store in this folder"),
            (("import", "carl", laptop.store), NOT_FOUND, "no tenant with this name"),
            (("export", "ada", laptop.store), FAILURE, "already a file or folder"),
            (("export", "carl", self.folder / "new"), NOT_FOUND, "no tenant with this name"),
            (("export", "ada", self.folder / "none" / "new"), FAILURE, "No such file"),
        ]:
            result = self.admin.run("host", "tenant", *words, code=code)
            self.assertIn(text, result.err)
            self.assertEqual(len(result.err.splitlines()), 1, result.err)
        self.admin.run("host", "tenant", "suspend", "ada")
        self.admin.run("host", "tenant", "import", "ada", laptop.store, code=SAFETY)
        self.admin.run("host", "tenant", "resume", "ada")
        self.admin.run("host", "tenant", "import", "ada", laptop.store)
        again = self.admin.run("host", "tenant", "import", "ada", laptop.store, code=FAILURE)
        self.assertIn("not empty", again.err)
        self.assertEqual([item["title"] for item in self.admin.json("--tenant", "ada", "list")], ["Milk"])
        self.assertEqual([item["title"] for item in laptop.json("list")], ["Milk"])

    def test_a_change_beyond_a_limit_is_refused_as_a_whole(self):
        self.admin.run("host", "tenant", "set", "ada", "--reminders", "20")
        refused = self.admin.run("--tenant", "ada", "import", "-", stdin=simple(21), code=SAFETY)
        self.assertIn("allows only 20 reminders", refused.err)
        self.assertEqual(len(refused.err.splitlines()), 1, refused.err)
        self.assertEqual(self.admin.json("--tenant", "ada", "list", "--all"), [])
        self.admin.run("--tenant", "ada", "import", "-", stdin=simple(20))
        self.admin.run("--tenant", "ada", "add", "One more", code=SAFETY)
        self.admin.run("--tenant", "ada", "done", "1")
        self.admin.run("--tenant", "ada", "delete", "1", "--yes")
        self.admin.run("--tenant", "ada", "add", "One more")
        self.assertIn("20 of 20 reminders", self.admin.run("host", "tenant", "list").out)
        tenant = self.admin.json("host", "tenant", "list")[0]
        self.assertEqual((tenant["reminders"], tenant["maximumReminders"]), (20, 20))
        self.assertGreater(tenant["bytes"], 2000)
        self.admin.run("host", "tenant", "set", "ada", code=USAGE)
        self.admin.run("host", "tenant", "set", "ada", "--reminders", "many", code=USAGE)
        self.admin.run("host", "tenant", "set", "carl", "--reminders", "5", code=NOT_FOUND)

    def run_and_kill(self, seconds, *words):
        """Runs `host tenant`, and kills it after a time."""
        process = self.admin.start("host", "tenant", *words, stdout=subprocess.DEVNULL)
        try:
            process.wait(seconds)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()

    def test_a_killed_import_or_export_leaves_nothing_half_done(self):
        laptop = self.device("laptop")
        laptop.run("import", "-", stdin=simple(2000))
        for number in range(6):
            self.run_and_kill(0.05 * (number + 1), "import", "ada", laptop.store)
            count = len(self.admin.json("--tenant", "ada", "list", "--all"))
            self.assertIn(count, (0, 2000))
            if count:
                break
        else:
            self.admin.run("host", "tenant", "import", "ada", laptop.store)
        for number in range(6):
            target = self.folder / f"export-{number}"
            self.run_and_kill(0.05 * (number + 1), "export", "ada", target)
            if target.exists():
                self.assertEqual(len(self.admin.json("--store", target, "list", "--all")), 2000)


if __name__ == "__main__":
    unittest.main()

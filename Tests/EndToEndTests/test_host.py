"""A host: many users in one PostgreSQL database, by the commands `host` and the option `--tenant`."""

import sys
import unittest
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from harness import FAILURE, LOCKED, NOT_FOUND, OK, SAFETY, USAGE, EndToEnd
from pgproxy import CommitProxy
from postgres import Server

CANARY = {"ada": "canary of ada", "ben": "canary of ben"}


class Host(EndToEnd):
    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        cls.server = Server()
        cls.addClassCleanup(cls.server.stop)

    def setUp(self):
        super().setUp()
        self.admin = self.device("admin")
        self.use_role("owner")

    def use_role(self, role):
        self.admin.run("config", "set", "host", f"host={self.server.folder} dbname=postgres user={role}")

    def prepare(self):
        self.admin.run("host", "init")
        self.use_role("remindav_worker")
        for name in CANARY:
            if name in [tenant["name"] for tenant in self.admin.json("host", "tenant", "list")]:
                self.admin.run("host", "tenant", "remove", name, "--yes")
        self.admin.run("host", "tenant", "add", "ada", "--zone", "Europe/Berlin")
        self.admin.run("host", "tenant", "add", "ben")

    def test_the_schema_is_created_once_and_a_powerful_role_is_refused(self):
        self.admin.run("host", "init")
        self.assertIn("The tables exist already", self.admin.run("host", "init").out)
        self.assertIn("up to date", self.admin.run("host", "migrate").out)
        report = self.admin.run("host", "check", code=FAILURE)
        self.assertIn("the role owner can read the reminders of all tenants", report.err)
        self.assertIn("the role owner", self.admin.run("host", "tenant", "list", code=FAILURE).err)
        self.use_role("remindav_worker")
        self.assertIn("PostgreSQL", self.admin.run("host", "check").out)

    def test_a_password_in_the_settings_is_refused(self):
        self.admin.run("config", "set", "host", "dbname=x user=y password=canary")
        result = self.admin.run("host", "check", code=USAGE)
        self.assertIn(".pgpass", result.err)
        self.assertNotIn("canary", result.err)

    def test_without_a_host_or_a_server_one_sentence_has_the_remedy(self):
        self.admin.run("config", "unset", "host")
        self.assertIn("config set host", self.admin.run("host", "check", code=USAGE).err)
        self.assertIn("config set host", self.admin.run("--tenant", "ada", "list", code=USAGE).err)
        self.admin.run("config", "set", "host", "host=/nonexistent dbname=x user=y")
        self.assertIn("cannot be reached", self.admin.run("host", "check", code=LOCKED).err)

    def test_each_user_has_reminders_numbers_and_a_zone_of_their_own(self):
        self.prepare()
        for name, canary in CANARY.items():
            added = self.admin.json("--tenant", name, "add", canary, "--due", "2026-12-24 09:00", "--label", f"label-{name}")
            self.assertEqual(added["id"], 1)
        due = {name: self.admin.json("--tenant", name, "show", "1")["due"] for name in CANARY}
        self.assertEqual(due, {"ada": "2026-12-24T09:00:00+01:00", "ben": "2026-12-24T09:00:00Z"})
        commands = [
            ("list",), ("list", "--json"), ("search", "canary"), ("show", "1"), ("export",), ("labels",), ("lists",), ("log",),
            ("status",), ("stats",), ("trash",), ("alarms",), ("conflicts",), ("feed", "list"), ("list", "--label", "label-ada"),
            ("list", "--label", "label-ben"), ("edit", "1", "--priority", "high"), ("done", "1"), ("undo", "--last"), ("delete", "1", "--yes"),
            ("trash",), ("undo", "--last"), ("export", "--format", "json"),
        ]
        for words in commands:
            for name, other in [("ada", "ben"), ("ben", "ada")]:
                result = self.admin.run("--tenant", name, *words, code=None)
                self.assertNotIn(CANARY[other], result.out + result.err, words)
                self.assertNotIn("internal", result.err)
        # The store of the administrator is another one, and no file appears for a tenant.
        self.assertFalse(self.admin.store.exists())

    def test_an_export_of_one_user_becomes_the_reminders_of_another_without_loss(self):
        self.prepare()
        source = Path(__file__).resolve().parents[2] / "docs" / "sample.ics"
        self.admin.run("--tenant", "ada", "import", source)
        exported = self.admin.run("--tenant", "ada", "export").out
        dry = self.admin.run("--tenant", "ben", "import", "-", "--dry-run", stdin=exported)
        self.assertIn("Dry run", dry.out + dry.err)
        self.assertEqual(self.admin.json("--tenant", "ben", "list", "--all"), [])
        self.admin.run("--tenant", "ben", "import", "-", stdin=exported)
        self.assertEqual(self.admin.run("--tenant", "ben", "export").out, exported)

    def test_a_suspended_user_can_be_read_and_not_changed(self):
        self.prepare()
        self.admin.run("--tenant", "ada", "add", "Before")
        self.admin.run("host", "tenant", "suspend", "ada")
        self.assertIn("suspended", self.admin.run("--tenant", "ada", "add", "After", code=SAFETY).err)
        self.assertIn("Before", self.admin.run("--tenant", "ada", "list").out)
        self.admin.run("host", "tenant", "resume", "ada")
        self.admin.run("--tenant", "ada", "add", "After")

    def test_commands_of_the_machine_are_refused_for_a_user(self):
        self.prepare()
        for words in [("service", "install"), ("daemon",), ("web",), ("setup",), ("doctor",), ("account", "add", "http://127.0.0.1/"),
                      ("host", "check"), ("serve",), ("config",)]:
            self.assertIn("--tenant", self.admin.run("--tenant", "ada", *words, code=USAGE).err)
        self.assertIn("host tenant list", self.admin.run("--tenant", "carl", "list", code=NOT_FOUND).err)

    def test_an_end_of_the_server_loses_no_acknowledged_reminder(self):
        self.prepare()
        for number in range(5):
            self.admin.run("--tenant", "ada", "add", f"Reminder {number}")
            self.server.kill()
            self.assertIn("cannot be reached", self.admin.run("--tenant", "ada", "list", code=LOCKED).err)
            self.server.start()
            self.assertEqual(len(self.admin.json("--tenant", "ada", "list", "--all")), number + 1)

    def test_a_commit_that_is_cut_has_a_known_outcome(self):
        self.prepare()
        self.admin.run("--tenant", "ada", "add", "First")
        proxy = CommitProxy(self.server.folder)
        self.addCleanup(proxy.stop)
        self.admin.run("config", "set", "host", f"host={proxy.folder} dbname=postgres user=remindav_worker")
        expected = ["First"]
        for number in range(4):
            for moment in ("before", "in", "after"):
                title = f"{moment} {number}"
                proxy.moment = moment
                result = self.admin.run("--tenant", "ada", "add", title, code=None)
                self.assertIn(result.code, {"before": (LOCKED,), "in": (OK, LOCKED), "after": (OK,)}[moment], result.err)
                if result.code == OK:
                    expected.append(title)
                else:
                    self.assertIn("cannot be reached", result.err)
        self.assertEqual(proxy.cuts, 12)
        found = [reminder["title"] for reminder in self.admin.json("--tenant", "ada", "list", "--all")]
        self.assertEqual(sorted(found), sorted(expected))


if __name__ == "__main__":
    unittest.main()

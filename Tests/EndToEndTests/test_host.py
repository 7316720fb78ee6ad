"""A host: many users in one PostgreSQL database, by the commands `host` and the option `--tenant`."""

import unittest
from pathlib import Path

from harness import AUTH, FAILURE, LOCKED, NOT_FOUND, OK, PARTIAL, SAFETY, USAGE
from hosts import CANARY, HostTest
from pgproxy import CommitProxy
from servers import Radicale


class Host(HostTest):
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
        result = self.admin.run("config", "set", "host", "dbname=x user=y password=canary", code=USAGE)
        self.assertIn(".pgpass", result.err)
        self.assertNotIn("canary", result.out + result.err)
        self.assertNotIn("canary", self.admin.run("config").out)

    def test_without_a_host_or_a_server_one_sentence_has_the_remedy(self):
        self.admin.run("config", "unset", "host")
        self.assertIn("config set host", self.admin.run("host", "check", code=USAGE).err)
        self.assertIn("config set host", self.admin.run("--tenant", "ada", "list", code=USAGE).err)
        self.admin.run("config", "set", "host", "host=/nonexistent dbname=x user=y")
        self.assertIn("cannot be reached", self.admin.run("host", "check", code=LOCKED).err)

    def test_a_database_that_cannot_be_used_has_an_error_with_the_remedy(self):
        self.admin.run("host", "init")
        place = f"host={self.server.folder} dbname=postgres user=remindav_worker"
        for change, remedy in [
                ("dbname=missing_database", "createdb"), ("user=missing_role", "user=remindav_worker"),
                ("dbname=template1", "'remindav host init' creates its tables"),
        ]:
            # libpq uses the last value of a keyword.
            self.admin.run("config", "set", "host", f"{place} {change}")
            error = self.admin.run("host", "check", code=FAILURE).err
            self.assertIn(remedy, error)
            self.assertNotIn("host check", error)
        self.sql("ALTER ROLE remindav_worker SET default_transaction_read_only = on")
        try:
            self.admin.run("config", "set", "host", place)
            self.assertIn("accepts no writes", self.admin.run("host", "check", code=FAILURE).err)
            self.assertIn("accepts no writes", self.admin.run("host", "tenant", "add", "x", code=FAILURE).err)
        finally:
            self.sql("ALTER ROLE remindav_worker RESET default_transaction_read_only")
        # The role of web processes can be checked, too.
        self.admin.run("config", "set", "host", f"{place} user=remindav_web")
        self.admin.run("host", "check")

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
        for words in [("service", "install"), ("daemon",), ("web",), ("setup",), ("doctor",), ("host", "check"), ("serve",), ("config",)]:
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

    def test_a_change_before_a_loss_of_the_server_is_not_called_missing(self):
        self.prepare()
        self.admin.run("--tenant", "ada", "add", "First")
        proxy = CommitProxy(self.server.folder)
        self.addCleanup(proxy.stop)
        self.admin.run("config", "set", "host", f"host={proxy.folder} dbname=postgres user=remindav_worker")
        proxy.moment = "gone"
        # The command reads the new reminder after its commit.
        result = self.admin.run("--tenant", "ada", "add", "Stored", code=None)
        self.assertNotIn("Nothing was changed", result.err)
        self.assertIn(result.code, (OK, PARTIAL), result.err)
        proxy.refuses = False
        found = [item["title"] for item in self.admin.json("--tenant", "ada", "list", "--all")]
        self.assertEqual(sorted(found), ["First", "Stored"])

    def test_a_user_syncs_an_account_with_a_sealed_password(self):
        self.prepare_key()
        server = self.borrow(Radicale)
        server.request("MKCALENDAR", f"{server.home}shared/")
        self.allow(server)
        added = self.add_account(server)
        self.assertIn("sealed in the database of the host", added.err)
        self.assertIn("sealed in the database", self.admin.json("--tenant", "ada", "account", "list")[0]["password"])
        name, = [item["name"] for item in self.admin.json("--tenant", "ada", "lists") if item["account"]]
        self.admin.run("--tenant", "ada", "add", "Sealed reminder", "--list", name)
        self.admin.run("--tenant", "ada", "sync")
        listed = server.request("REPORT", f"{server.home}shared/", b'<C:calendar-query xmlns:C="urn:ietf:params:xml:ns:caldav" '
                                b'xmlns:D="DAV:"><D:prop><C:calendar-data/></D:prop><C:filter><C:comp-filter name="VCALENDAR"/>'
                                b"</C:filter></C:calendar-query>")
        self.assertIn(b"Sealed reminder", b"".join(part for part in listed if isinstance(part, bytes)))
        # No table and no file of the host has the password.
        dump = self.sql("SELECT row_to_json(t)::text FROM secret t UNION ALL SELECT row_to_json(t)::text FROM account t "
                               "UNION ALL SELECT row_to_json(t)::text FROM tenant_key t")
        self.assertIn("sealed", dump)
        self.assertNotIn(server.password, dump)
        self.assertNotIn(server.password.encode().hex(), dump)
        self.assertFalse(self.admin.store.exists())
        # The other user has no account, and cannot use the first one's.
        self.assertEqual(self.admin.json("--tenant", "ben", "account", "list"), [])
        self.admin.run("--tenant", "ada", "account", "password", "--password-stdin", stdin="not this one\n", code=AUTH)
        self.admin.run("--tenant", "ada", "account", "password", "--password-stdin", stdin=server.password + "\n")
        self.admin.run("--tenant", "ada", "sync")
        self.admin.run("--tenant", "ada", "account", "remove", "--yes")
        self.assertEqual(self.sql("SELECT count(*) FROM secret").strip(), "0")

    def test_a_private_address_is_refused_with_a_sentence(self):
        self.prepare_key()
        server = self.borrow(Radicale)
        self.assert_complaint(self.add_account(server, code=None), SAFETY, "private network", "host-allow")
        self.admin.run("config", "set", "host-allow", "127.0.0.0/8")
        self.assert_complaint(self.add_account(server, code=None), SAFETY, "this port", "host-ports")
        self.allow(server)
        self.add_account(server, "--no-sync")
        # A policy applies to stored accounts too, and the proxy of the environment does not avoid it.
        self.admin.run("config", "set", "host-allow", "10.0.0.0/8")
        proxy = {"https_proxy": "http://127.0.0.1:9", "http_proxy": "http://127.0.0.1:9"}
        refused = self.admin.run("--tenant", "ada", "sync", code=None, environment=proxy)
        self.assertIn("private network", refused.out + refused.err)
        trust = self.admin.run("--tenant", "ada", "account", "trust", "https://127.0.0.1:443", code=None)
        self.assert_complaint(trust, SAFETY, "private network")
        # The administrator's own account has no policy.
        self.admin.run("account", "add", server.url, "--user", server.user, "--password-stdin", stdin=server.password + "\n")
        for value in ("10.0.0.1/8", "nas", "10.0.0.0/33", ""):
            self.assertIn("host-allow", self.admin.run("config", "set", "host-allow", value, code=USAGE).err)
        self.assertIn("host-ports", self.admin.run("config", "set", "host-ports", "0", code=USAGE).err)

    def test_programs_and_files_of_the_host_are_refused_for_a_user(self):
        self.prepare_key()
        server = self.borrow(Radicale)
        self.allow(server)
        server.request("MKCALENDAR", f"{server.home}shared/")
        mark = self.admin.folder / "ran"
        pem = self.write("some.pem", "x")
        add = ("--tenant", "ada", "account", "add", server.url, "--user", server.user)
        for options, word in [
            (("--password-command", f"touch {mark}; echo x"), "command"), (("--token-command", f"touch {mark}; echo x"), "command"),
            (("--password-credential", "dav"), "credential"),
        ]:
            self.assert_complaint(self.admin.run(*add, *options, code=None), SAFETY, word)
        for options in [("--ca-file", pem), ("--client-certificate", pem), ("--client-key", pem), ("--allow-insecure", "yes")]:
            result = self.add_account(server, *options, code=None)
            self.assert_complaint(result, SAFETY, "a tenant cannot")
        self.add_account(server, "--no-sync")
        for options in [("--ca-file", pem), ("--allow-insecure", "yes")]:
            self.assert_complaint(self.admin.run("--tenant", "ada", "account", "set", *options, code=None), SAFETY, "a tenant cannot")
        self.assertFalse(mark.exists())
        # An account of an imported store has no sealed password.
        self.sql("UPDATE account SET secret_kind = 'file', secret_reference = 'x'")
        self.assert_complaint(self.admin.run("--tenant", "ada", "sync", code=None), (AUTH, 3), "not sealed", "account password")

    def test_the_key_of_the_host_is_created_checked_and_rotated(self):
        self.prepare()
        self.admin.run("config", "unset", "host-key", code=None)
        server = self.borrow(Radicale)
        self.allow(server)
        self.assert_complaint(self.add_account(server, code=None), FAILURE, "no key", "host key new")
        old, new = self.admin.folder / "old.key", self.admin.folder / "new.key"
        self.admin.run("host", "key", "new", old)
        self.assertEqual(old.stat().st_mode & 0o777, 0o600)
        self.assertRegex(old.read_text(), "^[0-9a-f]{64}\n$")
        content = old.read_text()
        self.assertIn("already exists", self.admin.run("host", "key", "new", old, code=FAILURE).err)
        nowhere = self.admin.folder / "missing" / "host.key"
        self.assertIn("create the folder", self.admin.run("host", "key", "new", nowhere, code=FAILURE).err)
        self.assertEqual(old.read_text(), content)
        self.admin.run("config", "set", "host-key", old)
        self.assertIn("of no tenant yet", self.admin.run("host", "check").out)
        server.request("MKCALENDAR", f"{server.home}shared/")
        self.add_account(server, "--no-sync")
        self.assertIn("of 1 tenant, under this key", self.admin.run("host", "check").out)
        old.chmod(0o640)
        self.assert_complaint(self.admin.run("--tenant", "ada", "sync", code=None), (FAILURE, 3), "other users", "chmod 600")
        old.chmod(0o600)
        self.admin.run("host", "key", "new", new)
        rotated = self.admin.run("host", "key", "rotate", "--new", f"command:cat {new}")
        self.assertIn("1 tenant", rotated.out)
        self.assertIn("config set host-key", rotated.err)
        self.assertIn("under another key", self.admin.run("host", "check", code=FAILURE).out)
        self.assertIn("another key", self.admin.run("--tenant", "ada", "sync", code=None).err)
        self.assertIn("No key of a tenant", self.admin.run("host", "key", "rotate", "--new", new).out)
        self.admin.run("config", "set", "host-key", "credential:host.key")
        self.assert_complaint(self.admin.run("--tenant", "ada", "sync", code=None), (FAILURE, 3), "cannot be read")
        folder = self.admin.folder / "credentials"
        folder.mkdir()
        (folder / "host.key").write_text(new.read_text())
        self.admin.run("--tenant", "ada", "sync", environment={"CREDENTIALS_DIRECTORY": str(folder)})
        self.assertEqual(self.admin.json("host", "check", environment={"CREDENTIALS_DIRECTORY": str(folder)})["tenantsWithPasswords"], 1)


if __name__ == "__main__":
    unittest.main()

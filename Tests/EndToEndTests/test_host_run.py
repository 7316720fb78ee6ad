"""The processes of a host: workers that sync the accounts of tenants, and servers of their feeds."""

import subprocess
import time
import unittest

from fakedav import FakeDAV
from harness import FAILURE, NOT_FOUND, OK, USAGE, wait_for
from hosts import CANARY, HostTest
from servers import Radicale

# An edit is sent after five seconds, and a worker looks for work once a second.
SYNC_SECONDS = 20


class HostRun(HostTest):
    def titles(self, tenant):
        return sorted(item["title"] for item in self.admin.json("--tenant", tenant, "list", "--all"))

    def make_due(self):
        """Lets all accounts be due, as after the pause of their schedule."""
        self.sql("UPDATE work SET next_at = moment(), started = 0 WHERE stop_reason IS NULL; UPDATE server SET wanted_at = moment(), rests_until = 0")

    def prepare_accounts(self, server=None):
        """Both users have an account of the same user on a server, and so share its list."""
        self.prepare_key()
        self.sql("DELETE FROM server WHERE id NOT IN (SELECT server FROM work WHERE server IS NOT NULL)")
        server = server or self.borrow(Radicale)
        server.request("MKCALENDAR", f"{server.home}shared/")
        self.allow(server)
        for name in CANARY:
            self.add_account(server, tenant=name)
        self.list_name, = [item["name"] for item in self.admin.json("--tenant", "ada", "lists") if item["account"]]
        return server

    def add(self, tenant, title):
        self.admin.run("--tenant", tenant, "add", title, "--list", self.list_name)

    def test_an_edit_of_one_user_reaches_the_other_through_the_server(self):
        server = self.prepare_accounts()
        worker = self.run_host("--roles", "sync")
        wait_for(lambda: worker.metric("runs_total") >= 2, SYNC_SECONDS, "the first runs")
        self.make_due()
        wait_for(lambda: worker.metric("runs_total") >= 4, SYNC_SECONDS, "the second runs")
        self.sql("UPDATE work SET started = 0")
        self.add("ada", "Milk")
        before = time.monotonic()
        wait_for(lambda: worker.metric("runs_total") >= 5, SYNC_SECONDS, "the run after the edit")
        self.assertGreater(time.monotonic() - before, 2)
        self.make_due()
        wait_for(lambda: self.titles("ben") == ["Milk"], SYNC_SECONDS, "the reminder of ada")
        self.assertEqual(worker.metric("leases_lost_total"), 0)
        queue, = self.admin.json("host", "queue")
        self.assertEqual((queue["origin"], queue["accounts"]), (server.url.rstrip("/"), 2))
        self.assertEqual(worker.stop(), OK)
        # All leases are returned.
        self.assertEqual(self.sql("SELECT count(*) FROM work WHERE leased_until > 0").strip(), "0")
        self.assertEqual(self.sql("SELECT count(*) FROM server WHERE leased_until > 0").strip(), "0")

    def test_a_list_that_is_published_is_synced_soon(self):
        self.prepare_accounts()
        worker = self.run_host("--roles", "sync")
        wait_for(lambda: worker.metric("runs_total") >= 2, SYNC_SECONDS, "the first runs")
        self.admin.run("--tenant", "ada", "lists", "add", "Garden")
        self.admin.run("--tenant", "ada", "add", "Plant a tree", "--list", "Garden")
        # Removes the request of the edits above.
        self.sql("UPDATE work SET requested_at = never()")
        account = self.admin.json("--tenant", "ada", "account", "list")[0]["name"]
        self.admin.run("--tenant", "ada", "lists", "add", "Garden", "--account", account)
        self.assertIn("1 not sent yet", self.admin.run("--tenant", "ada", "lists").out)
        requested = "SELECT count(*) FROM work WHERE kind = 'sync' AND requested_at BETWEEN moment() AND moment() + 60"
        self.assertEqual(self.sql(requested).strip(), "1")
        # Ends the minute after the last run, and keeps the schedule of the account.
        self.sql("UPDATE work SET requested_at = moment() WHERE kind = 'sync' AND requested_at < never();"
                 "UPDATE server SET wanted_at = wanted_at - 60 WHERE wanted_at < never()")
        wait_for(lambda: "not sent yet" not in self.admin.run("--tenant", "ada", "lists").out, SYNC_SECONDS, "the upload")
        worker.stop()

    def test_a_killed_worker_is_replaced_and_nothing_is_doubled(self):
        self.prepare_accounts()
        for number in range(10):
            self.add("ada", f"Reminder {number}")
        for _ in range(5):
            worker = self.run_host("--roles", "sync")
            self.make_due()
            time.sleep(0.7)
            worker.kill()
            # The leases end after two minutes.
            self.sql("UPDATE work SET leased_until = 0; UPDATE server SET leased_until = 0")
        self.sql("UPDATE work SET tries = 0, stop_reason = NULL")
        worker = self.run_host("--roles", "sync")
        self.make_due()
        expected = sorted(f"Reminder {number}" for number in range(10))

        def is_in_step():
            self.make_due()
            return self.titles("ben") == expected
        wait_for(is_in_step, 60, "the reminders of ada")
        self.assertEqual(self.titles("ada"), expected)
        worker.stop()

    def test_a_process_that_syncs_for_a_worker_has_its_run_and_ends_with_it(self):
        self.prepare_accounts()

        def begin():
            item, fence = self.sql(
                "UPDATE work SET fence = fence + 1, leased_until = moment() + 120 WHERE kind = 'sync'"
                " AND tenant = (SELECT id FROM tenant WHERE name = 'ada') RETURNING item, fence").split("\n")[0].split("|")
            history = self.sql("SELECT left(pg_walfile_name(pg_current_wal_lsn()), 8) || ' ' || epoch FROM host").strip()
            return f"{item}:{fence}:{history}"

        def sync(run, stdin):
            process = self.admin.start("--quiet", "--tenant", "ada", "sync", environment={"REMINDAV_RUN": run},
                                       stdin=stdin, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
            with process:
                return process.wait(60)
        self.assertEqual(sync(begin(), subprocess.PIPE), OK)
        # The worker was killed, so its end of the pipe is closed.
        self.assertNotEqual(sync(begin(), subprocess.DEVNULL), OK)
        lost = begin()
        begin()
        self.assertNotEqual(sync(lost, subprocess.PIPE), OK)
        self.assertNotEqual(sync(begin() + "0", subprocess.PIPE), OK)

    def test_a_refused_password_stops_an_account_until_it_is_changed(self):
        # A server of this test alone, because its password changes.
        own = Radicale()
        self.addCleanup(own.stop)
        server = self.prepare_accounts(own.start())
        right = server.password
        self.sql("UPDATE work SET stop_reason = 'off', next_at = never(), requested_at = never() WHERE tenant = (SELECT id FROM tenant WHERE name = 'ben')")
        self.set_password(server, "another one")
        worker = self.run_host("--roles", "sync")
        self.make_due()
        wait_for(lambda: "without a valid password" in self.admin.run("host", "queue").out, SYNC_SECONDS, "the refusal")
        self.assertEqual(worker.metric("accounts_without_password"), 1)
        self.make_due()
        runs = worker.metric("runs_total")
        time.sleep(3)
        self.assertEqual(worker.metric("runs_total"), runs)
        # The administrator finds the account by the log of the process.
        self.assertTrue(any("1 sync failed: the server refused the user name or password" in line for line in worker.log), worker.log)
        failing, = self.admin.json("host", "queue", "--failing")
        self.assertEqual((failing["tenant"], failing["error"], failing["stopReason"]), ("ada", "authRejected", "authentication"))
        self.assertIn("waits for a new password", self.admin.run("host", "queue", "--failing").out)
        self.assertEqual(self.admin.json("host", "queue", "--failing", "--server", server.url), [failing])
        self.admin.run("host", "queue", "--server", "https://other.example.org", code=NOT_FOUND)
        # After the end of a fault of the server, an attempt with the same password is successful.
        self.set_password(server, right)
        self.assertIn("1 account can run now", self.admin.run("host", "queue", "--retry").out)
        wait_for(lambda: worker.metric("runs_total") > runs, SYNC_SECONDS, "the run after the retry")
        wait_for(lambda: worker.metric("accounts_without_password") == 0, SYNC_SECONDS, "the end of the trouble")
        self.assertIn("No account fails", self.admin.run("host", "queue", "--retry").out)
        # A new password is used at once.
        self.set_password(server, "another one")
        self.make_due()
        wait_for(lambda: worker.metric("accounts_without_password") == 1, SYNC_SECONDS, "the second refusal")
        runs = worker.metric("runs_total")
        self.set_password(server, right)
        self.admin.run("--tenant", "ada", "account", "password", "--password-stdin", stdin=right + "\n")
        wait_for(lambda: worker.metric("runs_total") > runs, SYNC_SECONDS, "the run with the new password")
        wait_for(lambda: worker.metric("accounts_without_password") == 0, SYNC_SECONDS, "the end of the trouble")

    def test_a_complete_sync_by_a_command_ends_the_failures(self):
        self.prepare_accounts()
        self.sql("UPDATE work SET failures = 2, next_at = moment() + 9000, requested_at = never() WHERE kind = 'sync'")
        self.assertEqual([account["tenant"] for account in self.admin.json("host", "queue", "--failing")], ["ada", "ben"])
        self.admin.run("--tenant", "ada", "sync")
        self.assertEqual([account["tenant"] for account in self.admin.json("host", "queue", "--failing")], ["ben"])

    def test_a_key_that_does_not_open_the_passwords_is_in_the_log_at_the_start(self):
        self.prepare_accounts()
        worker = self.run_host("--roles", "sync")
        worker.metric("runs_total")
        self.assertFalse(any("key" in line for line in worker.log), worker.log)
        # A rotation names the processes that still use the old key.
        new = self.admin.folder / "new.key"
        new.unlink(missing_ok=True)
        self.admin.run("host", "key", "new", new)
        rotated = self.admin.run("host", "key", "rotate", "--new", new)
        self.assertIn("use the old key until they are restarted", rotated.err)
        worker.stop()
        error = self.admin.run("host", "tenant", "export", "ada", "/nonexistent/ada", code=FAILURE).err
        self.assertIn("/nonexistent/ada: No such file", error)
        self.assertNotIn("--store", error)
        for place, words in [(self.key, "another key"), (self.admin.folder / "missing.key", "cannot be read")]:
            self.admin.run("config", "set", "host-key", place)
            worker = self.run_host("--roles", "sync")
            self.assertEqual(worker.monitor("/livez")[0], 200)
            self.assertTrue(any("key" in line and words in line for line in worker.log), worker.log)
            self.make_due()
            wait_for(lambda: worker.metric("runs_total") >= 2, SYNC_SECONDS, "the failed runs")
            for account in self.admin.json("host", "queue", "--failing"):
                self.assertIn(account["error"], ["hostKeyWrong", "hostKeyNotReadable"])
                self.assertEqual(account["failures"], 0, "a fault of the host does not count against an account")
                self.assertLess(account["nextSeconds"], 400)
            worker.stop()
        self.admin.run("config", "set", "host-key", new)
        worker = self.run_host("--roles", "sync")
        self.make_due()
        wait_for(lambda: self.admin.json("host", "queue", "--failing") == [], SYNC_SECONDS, "the end of the fault")
        worker.stop()

    def test_requests_name_the_installation_and_a_contact(self):
        server = self.serve(FakeDAV())
        server.add_list("todo")
        self.prepare_key()
        self.admin.run("config", "set", "host-allow", "127.0.0.0/8")
        self.admin.run("config", "set", "host-ports", server.told_port)
        for settings, agent in [((), "Remindav"), ((("host-contact", "dav@example.org"),), "Remindav (dav@example.org)"),
                                ((("web-address", "https://todo.example.org/r"),), "Remindav (todo.example.org; dav@example.org)")]:
            for name, value in settings:
                self.admin.run("config", "set", name, value)
            server.take()
            self.add_account(server, "--name", f"account {len(agent)}")
            self.admin.run("--tenant", "ada", "sync")
            self.assertEqual({request.headers.get("user-agent") for request in server.take()}, {agent})
            self.admin.run("--tenant", "ada", "account", "remove", "--yes")
        self.assertIn("host-contact", self.admin.run("config", "set", "host-contact", "me", code=USAGE).err)

    @staticmethod
    def set_password(server, password):
        server.halt()
        server.password = password
        server.start()

    def test_feeds_of_all_users_are_served_until_a_user_is_suspended(self):
        self.prepare()
        urls = {}
        for name, canary in CANARY.items():
            self.admin.run("--tenant", name, "add", canary, "--due", "2026-12-24 09:00")
            urls[name] = self.admin.json("--tenant", name, "feed", "create")["url"]
        web = self.run_host("--roles", "web")
        tags = {}
        for name, other in [("ada", "ben"), ("ben", "ada")]:
            status, headers, body = web.feed(urls[name])
            self.assertEqual(status, 200)
            self.assertIn(CANARY[name], body)
            self.assertNotIn(CANARY[other], body)
            tags[name] = headers["ETag"]
        self.assertIn("TZID:Europe/Berlin", web.feed(urls["ada"])[2])
        self.assertNotIn("Europe/Berlin", web.feed(urls["ben"])[2])
        self.assertEqual(web.feed(urls["ada"], **{"If-None-Match": tags["ada"]})[0], 304)
        self.admin.run("--tenant", "ada", "add", "New", "--due", "2026-12-25 09:00")
        status, _, body = web.feed(urls["ada"], **{"If-None-Match": tags["ada"]})
        self.assertEqual(status, 200)
        self.assertIn("New", body)
        self.assertEqual(web.feed(urls["ben"], **{"If-None-Match": tags["ben"]})[0], 304)
        self.admin.run("host", "tenant", "suspend", "ada")
        self.assertEqual(web.feed(urls["ada"])[0], 404)
        self.assertEqual(web.feed(urls["ben"])[0], 200)
        self.admin.run("host", "tenant", "resume", "ada")
        self.assertIn("X-WR-TIMEZONE:Europe/Berlin", web.feed(urls["ada"])[2])
        self.admin.run("host", "tenant", "set", "ada", "--zone", "Asia/Tokyo")
        self.assertIn("X-WR-TIMEZONE:Asia/Tokyo", web.feed(urls["ada"])[2])
        # A copy of a tenant has the same addresses, which stay with the older tenant.
        self.admin.run("host", "tenant", "export", "ada", self.folder / "copy")
        self.admin.run("host", "tenant", "add", "copy")
        self.admin.run("host", "tenant", "import", "copy", self.folder / "copy")
        self.admin.run("host", "tenant", "suspend", "ada")
        self.assertEqual(web.feed(urls["ada"])[0], 404)
        self.admin.run("host", "tenant", "remove", "copy", "--yes")
        self.admin.run("host", "tenant", "resume", "ada")
        self.admin.run("--tenant", "ben", "feed", "revoke", "1")
        self.assertEqual(web.feed(urls["ben"])[0], 404)
        text = web.monitor("/metrics")[2]
        self.assertIn('answers_total{status="304"} 2', text)
        self.assertEqual(web.stop(), OK)
        log = "\n".join(web.log)
        for canary in [*CANARY, *CANARY.values(), *urls.values()]:
            self.assertNotIn(canary, text)
            self.assertNotIn(canary, log.replace("127.0.0.1", ""))
        # The visits are stored at the end.
        visit, = self.admin.json("--tenant", "ada", "feed", "list")[0]["visits"]
        self.assertEqual(visit["status"], 200)

    def test_health_shows_whether_the_process_can_work(self):
        self.prepare()
        process = self.run_host()
        wait_for(lambda: process.monitor("/readyz")[0] == 200, SYNC_SECONDS, "the first search")
        self.assertEqual(process.monitor("/livez")[0], 200)
        self.assertEqual(process.monitor("/other")[0], 404)
        self.admin.run("--tenant", "ada", "add", "Milk", "--due", "2026-12-24 09:00")
        url = self.admin.json("--tenant", "ada", "feed", "create")["url"]
        unread = self.admin.json("--tenant", "ada", "feed", "create", "--name", "unread")["url"]
        status, headers, body = process.feed(url)
        self.assertEqual((status, headers["Age"]), (200, None))
        self.server.kill()
        self.assertEqual(process.monitor("/readyz")[0], 503)
        self.assertEqual(process.monitor("/livez")[0], 200)
        # A feed in memory is served until its max-age ends; another one has to wait for the database.
        status, headers, kept = process.feed(url)
        self.assertEqual((status, kept), (200, body))
        self.assertLess(int(headers["Age"]), 60)
        status, headers, _ = process.feed(unread)
        self.assertEqual(status, 503)
        self.assertIsNotNone(headers["Retry-After"])
        wait_for(lambda: any("database cannot be used" in line for line in process.log), SYNC_SECONDS, "the log line")
        self.server.start()
        wait_for(lambda: process.monitor("/readyz")[0] == 200, SYNC_SECONDS, "the database")
        wait_for(lambda: any("can be used again" in line for line in process.log), SYNC_SECONDS, "the second log line")
        self.assertEqual(process.feed(url)[0], 200)
        self.assertEqual(process.stop(), OK)
        # The two workers have one line together.
        self.assertEqual(sum("database cannot be used" in line for line in process.log), 1)

    def test_the_limits_of_a_server_are_changed_by_its_origin(self):
        server = self.prepare_accounts()
        self.admin.run("host", "server", server.url, "--connections", "2", "--parts", "3")
        queue, = self.admin.json("host", "queue", "--server", server.url)
        self.assertEqual((queue["connections"], queue["accounts"]), (2, 2))
        self.assertIn("no account on this server", self.admin.run(
            "host", "server", "https://unknown.example.org", "--connections", "2", code=NOT_FOUND).err)
        self.use_role("owner")
        self.admin.run("host", "restored")
        self.use_role("remindav_worker")
        self.admin.run("--tenant", "ada", "sync")


if __name__ == "__main__":
    unittest.main()

"""The requests and messages for a server under load, one that requests a pause, and one that refuses single reminders."""

import re
import unittest

from fakedav import FakeDAV
from fakedav import Answer as Fake
from harness import AUTH, FAILURE, NETWORK, OK, PARTIAL, EndToEnd, simple
from nextcloud import Nextcloud
from proxy import Answer
from servers import PASSWORD, CountingProxy, Radicale

LOCKED = b"SQLSTATE[HY000]: General error: 5 database is locked"


class UnderLoad(EndToEnd):
    def setUp(self):
        super().setUp()
        self.server = self.borrow(Radicale)
        self.proxy = CountingProxy(self.server)
        self.addCleanup(self.proxy.stop)
        self.laptop = self.device("laptop")
        self.laptop.add_account(self.proxy.url)
        self.laptop.publish("tasks")
        self.laptop.sync()
        self.proxy.take()

    def fail_once(self, *methods, answer=None, times=1):
        """Lets a number of requests of each of these methods fail before they reach the server."""
        left = {method: times for method in methods}

        def before(request):
            if left.get(request.method, 0) == 0:
                return None
            left[request.method] -= 1
            return answer or Answer(503, LOCKED)
        self.proxy.before = before

    def methods(self):
        return [method for method, _, _ in self.proxy.take()]

    def test_one_503_to_each_kind_of_request_ends_no_sync(self):
        self.laptop.run("add", "First", "--list", "tasks", "--id", "first")
        self.laptop.sync()
        body = simple(1, prefix="other").replace(b"DUE:20270301T090000Z\r\n", b"")
        path = next(path for _, path, _ in self.proxy.take() if path.endswith(".ics")).rpartition("/")[0]
        self.assertEqual(self.server.request("PUT", f"{path}/other.ics", body, {"Content-Type": "text/calendar"})[0], 201)
        self.laptop.run("add", "Second", "--list", "tasks", "--id", "second")
        self.laptop.run("delete", self.laptop.id_of("first"), "--yes")
        self.fail_once("PROPFIND", "REPORT", "PUT", "DELETE")
        result = self.laptop.run("sync", code=OK)
        self.assertNotIn("503", result.err)
        asked = self.methods()
        self.assertEqual([asked.count(one) for one in ("PUT", "DELETE")], [2, 2], asked)
        self.assertEqual({item["uid"] for item in self.laptop.json("list", "--all")}, {"other-0", "second"})

    def test_a_server_in_maintenance_gets_one_request(self):
        self.proxy.before = lambda request: Answer(
            503, b'<d:error xmlns:d="DAV:" xmlns:s="http://sabredav.org/ns"><s:message>System is in maintenance mode.'
            b"</s:message></d:error>", [("Content-Type", "application/xml")])
        self.laptop.run("sync", code=NETWORK)
        self.assertEqual(len(self.proxy.take()), 1)

    def test_a_server_that_fails_on_every_new_item_gets_few_requests_and_every_uid_is_kept(self):
        self.laptop.run("import", "-", "--list", "tasks", stdin=simple(20))
        self.proxy.before = lambda request: Answer(500, LOCKED) if request.method == "PUT" else None
        before = {item["uid"] for item in self.laptop.json("list", "--all")}
        result = self.laptop.run("sync", code=PARTIAL)
        asked = self.methods()
        # Concurrent requests are tried four times, the others once; each item is checked once.
        self.assertLessEqual(asked.count("PUT"), 4 * 4 + 16, asked)
        self.assertLessEqual(asked.count("GET"), 20, asked)
        self.assertEqual({item["uid"] for item in self.laptop.json("list", "--all")}, before)
        self.assertEqual(len(result.err.strip().splitlines()), 1, "one sentence for one cause")
        self.assertNotRegex(result.out + result.err, "SQLSTATE|database is locked")
        self.proxy.behave()
        self.laptop.run("sync", code=OK)
        self.assertEqual({item["uid"] for item in self.laptop.json("list", "--all")}, before)

    def test_a_back_off_is_obeyed_and_now_ends_it(self):
        self.proxy.before = lambda request: Answer(503, b"", [("Retry-After", "3600")])
        self.laptop.run("sync", code=NETWORK)
        self.proxy.behave()
        self.assertEqual(len(self.proxy.take()), 1)
        result = self.laptop.run("sync", code=NETWORK)
        self.assertIn("'remindav sync --now'", result.err)
        self.assertEqual(self.proxy.take(), [])
        self.laptop.run("sync", "--now", code=OK)
        self.assertGreater(len(self.proxy.take()), 0)
        # The server works again: the back-off is over for all lists.
        self.laptop.run("sync", code=OK)
        self.assertGreater(len(self.proxy.take()), 0)

    def test_verify_requests_each_list_once_by_propfind(self):
        self.laptop.publish("second")
        self.laptop.sync()
        self.laptop.sync()
        self.proxy.take()
        self.laptop.run("sync", "--verify", code=OK)
        # The account, and each of the two lists; Radicale has no others.
        self.assertEqual(self.methods().count("PROPFIND"), 3)


class OneWriter(EndToEnd):
    """A Nextcloud with a database that accepts one write at a time, and refuses others at once."""

    def test_two_machines_send_at_once_and_nothing_is_lost_or_renamed(self):
        cloud = self.serve(Nextcloud())
        machines = [self.device("laptop"), self.device("desk")]
        machines[0].add_account(cloud.url, password=PASSWORD)
        machines[0].publish("tasks")
        machines[0].sync()
        machines[1].add_account(cloud.url, password=PASSWORD)
        for machine in machines:
            machine.sync()
            machine.run("import", "-", "--list", "tasks", stdin=simple(30, prefix=machine.folder.name))
        cloud.is_locking = True
        running = [machine.start("--quiet", "sync") for machine in machines]
        self.assertLessEqual({one.wait(120) for one in running}, {OK, PARTIAL})
        cloud.is_locking = False
        self.assertGreater(cloud.locked_out, 0)
        for machine in [*machines, *machines]:
            machine.sync()
        self.assert_same(*machines)
        wanted = {f"{machine.folder.name}-{number}" for machine in machines for number in range(30)}
        self.assertEqual({item["uid"] for item in machines[0].json("list", "--all")}, wanted)

    def test_a_wrong_password_at_the_host_is_reported_as_one(self):
        cloud = self.serve(Nextcloud())
        laptop = self.device("laptop")
        result = laptop.add_account(cloud.url, password="wrong horse battery", code=AUTH)
        self.assertIn("they are wrong, or it requires an app password", result.err)
        self.assertIn("--nextcloud", result.err)
        self.assertLessEqual(cloud.failed_logins, 2, "a wrong password is not tried everywhere")

    def test_a_changed_password_is_used_by_open_sessions(self):
        cloud = self.serve(Nextcloud())
        self.assertIn("--nextcloud", self.device("laptop").add_account(cloud.url, password=PASSWORD).err)


class Refused(EndToEnd):
    def setUp(self):
        super().setUp()
        self.cloud = self.serve(Nextcloud())
        self.laptop = self.device("laptop")
        self.laptop.add_account(self.cloud.url, password=PASSWORD)
        self.laptop.publish("tasks")
        self.laptop.sync()
        self.puts = []
        put = self.cloud.do_put

        def counted(path, headers, body):
            self.puts.append(re.search(rb"\nUID:(.*?)\r?\n", body)[1].decode())
            return put(path, headers, body)
        self.cloud.do_put = counted

    def todo(self, uid, *lines):
        return "\r\n".join(["BEGIN:VTODO", f"UID:{uid}", "DTSTAMP:20260101T000000Z", f"SUMMARY:{uid}", *lines,
                            "END:VTODO"])

    def bring(self, *todos):
        text = "\r\n".join(["BEGIN:VCALENDAR", "VERSION:2.0", "PRODID:-//x//EN", *todos, "END:VCALENDAR", ""])
        self.laptop.run("import", "-", "--list", "tasks", stdin=text)

    def test_each_refusal_has_its_reason_and_the_text_is_sent_again_after_a_change(self):
        wrong = ("DTSTART:20260202T000000Z", "DUE:20260101T000000Z")
        self.bring(*(self.todo(f"bad-{number}", *wrong) for number in range(5)),
                   self.todo("large", *["X-LARGE:" + "x" * 1_000_000] * 11), self.todo("good"))
        result = self.laptop.run("sync", code=PARTIAL)
        lines = result.err.strip().splitlines()
        self.assertEqual(len(lines), 2, result.err)
        self.assertIn("5 reminders left out", result.err)
        self.assertIn("Validation error in iCalendar: DUE must occur after DTSTART", result.err)
        self.assertIn("the reminder is larger than the server accepts (403)", result.err)
        self.assertEqual(sorted(set(self.puts)), sorted([f"bad-{number}" for number in range(5)] + ["good", "large"]))
        # Unchanged texts are not sent again, and this is no failure.
        self.puts.clear()
        result = self.laptop.run("sync", code=OK)
        self.assertEqual(self.puts, [])
        self.assertIn("6 reminders are not sent again", result.err)
        report = next(one for one in self.laptop.json("sync") if one["list"] == "tasks")
        self.assertEqual(len(report["leftOut"]), 6)
        self.assertTrue(all("DUE must occur" in one["reason"] or "10485760" in one["reason"] for one in report["leftOut"]))
        self.assertEqual({one["sent"] for one in report["leftOut"]}, {False})
        shown = self.laptop.run("show", self.laptop.id_of("bad-0")).out
        self.assertIn("DUE must occur after DTSTART", shown)
        self.assertIn("DUE must", self.laptop.json("show", self.laptop.id_of("bad-0"))["refusal"]["reason"])
        # The user can have all of them sent again; an edit sends one.
        self.laptop.run("sync", "--now", code=PARTIAL)
        self.assertEqual(len(self.puts), 6)
        self.puts.clear()
        self.laptop.run("edit", self.laptop.id_of("bad-1"), "--title", "Again")
        self.laptop.run("sync", code=PARTIAL)
        self.assertEqual(self.puts, ["bad-1"])


class Words(EndToEnd):
    def connected(self):
        server = self.serve(FakeDAV())
        server.add_list("todo", {"one": ["SUMMARY:One"]})
        laptop = self.device("laptop")
        laptop.add_account(server.url)
        laptop.sync()
        return server, laptop

    def test_a_list_without_permission_is_not_reported_as_deleted(self):
        server, laptop = self.connected()

        def distort(request, answer):
            if request.method != "PROPFIND" or b"todo" not in answer.body:
                return answer
            # The server has the list, and answers 403 for it, in the home and at its own address.
            body = re.sub(rb"(<D:response><D:href>[^<]*todo/</D:href>).*?</D:response>",
                          rb"\1<D:status>HTTP/1.1 403 Forbidden</D:status></D:response>", answer.body, flags=re.DOTALL)
            return Fake(answer.status, body, {key: value for key, value in answer.headers.items() if key != "Content-Length"})
        server.distort = distort
        result = laptop.run("sync", code=(FAILURE, PARTIAL))
        self.assertNotIn("no longer has the list", result.err)
        self.assertIn("the server does not allow this (403)", result.err)

    def test_an_account_that_cannot_be_added_leaves_no_store(self):
        laptop = self.device("laptop")
        for address in ("https://nowhere.invalid/", "https://user:secret@dav.example.org/"):
            laptop.run("account", "add", address, "--user", "u", "--password-stdin", stdin="x\n", code=None)
            self.assertFalse(laptop.store.exists(), address)

    def test_many_unchanged_lists_are_one_line(self):
        server, laptop = self.connected()
        for number in range(5):
            server.add_list(f"list{number}", {})
        laptop.sync()
        laptop.sync()
        self.assertEqual(laptop.run("sync").out.splitlines(), ["6 lists: nothing to do", "Everything is in sync."])

    def test_an_answer_that_is_no_http_is_reported_as_such(self):
        import socket
        import threading
        listener = socket.create_server(("127.0.0.1", 0))
        self.addCleanup(listener.close)

        def answer():
            while True:
                try:
                    connection = listener.accept()[0]
                except OSError:
                    return
                connection.recv(1 << 16)
                connection.sendall(b"<html>garbage</html>\r\n")
                connection.close()
        threading.Thread(target=answer, daemon=True).start()
        result = self.device("laptop").add_account(f"http://127.0.0.1:{listener.getsockname()[1]}/", code=None)
        self.assertNotIn("the request cannot be sent", result.err)
        self.assertIn("the server's answer is not valid HTTP", result.err)


if __name__ == "__main__":
    unittest.main()

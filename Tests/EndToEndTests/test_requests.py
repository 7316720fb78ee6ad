"""The number of requests of a sync. One request more costs every user a round trip, every quarter of an hour."""

import re
import unittest

from harness import EndToEnd, simple
from servers import CountingProxy, Radicale

COUNT = 200
# The listing of the account; the changes with their texts; the write.
IDLE, ONE_REMOTE, ONE_LOCAL = 1, 2, 2
# The listing, and one answer with everything.
FIRST_DOWNLOAD = 2


class Requests(EndToEnd):
    def setUp(self):
        super().setUp()
        self.server = self.borrow(Radicale)
        self.proxy = CountingProxy(self.server)
        self.addCleanup(self.proxy.stop)
        self.path = f"{self.server.home}tasks/"
        whole = simple(COUNT)
        self.assertEqual(self.server.request("PUT", self.path, whole, {"Content-Type": "text/calendar"})[0], 201)
        self.laptop = self.device("laptop")
        self.laptop.add_account(self.proxy.url)
        self.proxy.take()
        self.laptop.sync()
        self.first = self.proxy.take()

    def asked(self):
        """The requests of one sync."""
        report = self.laptop.sync()
        log = self.proxy.take()
        self.assertEqual(sum(entry["requests"] for entry in report), len(log), "`requests` counts wrong")
        return [method for method, _, _ in log]

    def edit_on_server(self, uid, title):
        names = self.server.request("PROPFIND", self.path, headers={"Depth": "1"})[2].decode()
        href = next(href for href in re.findall(r"<href>([^<]*\.ics)</href>", names) if f"{uid}.ics" in href)
        text = self.server.request("GET", href)[2].replace(b"SUMMARY:Item", f"SUMMARY:{title}".encode())
        self.assertEqual(self.server.request("PUT", href, text, {"Content-Type": "text/calendar"})[0], 204)

    def test_the_first_download(self):
        self.assertEqual(len(self.laptop.items()), COUNT)
        self.assertLessEqual(len(self.first), FIRST_DOWNLOAD, self.first)

    def test_nothing_to_do(self):
        self.assertEqual(self.asked(), ["PROPFIND"] * IDLE)

    def test_one_change_there(self):
        self.edit_on_server("item-7", "Changed there")
        asked = self.asked()
        self.assertLessEqual(len(asked), ONE_REMOTE, asked)
        self.assertEqual(self.laptop.by_uid("item-7")["title"], "Changed there 7")
        self.assertEqual(self.asked(), ["PROPFIND"] * IDLE, "a change that was taken over is asked for again")

    def test_one_change_here(self):
        # The first text that an account writes is read back once.
        self.laptop.run("edit", self.laptop.id_of("item-7"), "--title", "Changed first")
        asked = self.asked()
        self.assertEqual((asked.count("PUT"), asked.count("GET"), len(asked) <= ONE_LOCAL + 1), (1, 1, True), asked)
        self.asked()
        self.laptop.run("edit", self.laptop.id_of("item-8"), "--title", "Changed here")
        asked = self.asked()
        self.assertLessEqual(len(asked), ONE_LOCAL, asked)
        self.assertEqual(asked.count("PUT"), 1)
        # Our write has changed the server's state: one request detects this.
        self.assertNotIn("PUT", self.asked())
        self.assertEqual(self.asked(), ["PROPFIND"] * IDLE)


class States(EndToEnd):
    """The requested properties for the state of a list; Radicale computes each of them from the whole content."""

    def test_a_first_sync_requests_the_token_and_a_later_idle_one_the_tag(self):
        server = self.borrow(Radicale)
        path = f"{server.home}tasks/"
        self.assertEqual(server.request("PUT", path, simple(3), {"Content-Type": "text/calendar"})[0], 201)
        proxy = CountingProxy(server)
        self.addCleanup(proxy.stop)
        laptop = self.device("laptop")
        laptop.add_account(proxy.url)
        asked = []

        def before(request):
            names = re.findall(rb"<(?:\w+:)?(getctag|sync-token|calendar-query|sync-collection)\b", request.body)
            asked.append(tuple(name.decode() for name in names))

        proxy.before = before
        syncs = []
        for _ in range(3):
            asked.clear()
            laptop.sync()
            syncs.append(asked[:])
        self.assertEqual(len(laptop.items()), 3)
        self.assertEqual(syncs, [[("sync-token",), ("calendar-query",)], [("getctag", "sync-token")], [("getctag",)]])


if __name__ == "__main__":
    unittest.main()

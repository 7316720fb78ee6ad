"""A UID stays for life, and a reminder vanishes from no list because a server failed or has a trash."""

import re
import unittest

from harness import EndToEnd, ics
from nextcloud import HOME, Nextcloud
from proxy import Answer, CountingProxy
from scenarios.peer import Peer
from servers import Radicale

STAMP = ["DTSTAMP:20260101T000000Z"]
FAMILY = ics(["UID:parent", *STAMP, "SUMMARY:Move house"],
             ["UID:child", *STAMP, "SUMMARY:Pack books", "RELATED-TO:parent"])
LOCKED = Answer(500, b"SQLSTATE[HY000]: General error: 5 database is locked", [("Content-Type", "text/plain")])
# A sync with a deletion, a restoration or an edit may need the listing, the delta, the confirmation and the trash.
AROUND = 5


def failing(times, condition=lambda request: True, answer=LOCKED):
    """Answers a number of first PUTs instead of the server."""
    left = [times]

    def before(request):
        if request.method == "PUT" and left[0] and condition(request):
            left[0] -= 1
            return answer
        return None
    return before


class Scene(EndToEnd):
    make_server = Radicale

    def setUp(self):
        super().setUp()
        self.server = self.borrow(self.make_server)
        self.peer = Peer(self.server)
        self.path = self.peer.make_list("tasks", "Tasks")
        self.proxy = CountingProxy(self.server)
        self.addCleanup(self.proxy.stop)

    def ready(self, name):
        device = self.device(name)
        device.add_account(self.proxy.url)
        device.sync()
        return device

    def uids(self, device):
        return {uid for _, uid in device.items()}

    def share(self, *devices):
        for device in devices:
            device.sync_until_quiet()


class Failures(Scene):
    def test_two_failures_of_one_put_change_no_uid(self):
        laptop = self.ready("laptop")
        laptop.run("import", self.write("family.ics", FAMILY), "--list", "Tasks")
        self.proxy.before = failing(2, lambda request: b"UID:parent" in request.body)
        laptop.run("sync", code=None)
        self.proxy.behave()
        self.share(laptop)
        self.assertEqual(self.uids(laptop), {"parent", "child"})
        held = self.peer.held(self.path)
        self.assertEqual(set(held), {"parent", "child"})
        self.assertEqual(held["child"]["RELATED-TO"], "parent")
        again = laptop.json("import", self.write("family.ics", FAMILY), "--list", "Tasks")
        self.assertEqual((again["added"], again["unchanged"]), (0, 2))

    def test_a_server_that_fails_on_every_put_for_a_while_gets_all_of_them_with_their_uids(self):
        laptop = self.ready("laptop")
        uids = {laptop.json("add", f"Thing {number}", "--literal", "--list", "Tasks")["uid"] for number in range(8)}
        self.proxy.before = failing(-1)
        laptop.run("sync", code=None)
        laptop.run("sync", code=None)
        self.assertEqual(self.uids(laptop), uids)
        self.proxy.behave()
        self.share(laptop)
        self.assertEqual((self.uids(laptop), set(self.peer.held(self.path))), (uids, uids))

    def test_two_devices_that_add_with_one_id_have_one_reminder_although_the_server_fails(self):
        devices = [self.ready("laptop"), self.ready("desk")]
        line = ("add", "Check the backup", "--literal", "--id", "backup-2026-11", "--list", "Tasks")
        for device in devices:
            device.run(*line)
        self.proxy.before = failing(2)
        for device in devices:
            device.run("sync", code=None)
        self.proxy.behave()
        self.share(*devices, *devices)
        self.assertEqual(set(self.peer.held(self.path)), {"backup-2026-11"})
        for device in devices:
            self.assertEqual(self.uids(device), {"backup-2026-11"})
            self.assertFalse(device.json(*line)["added"])

    def test_a_copy_in_another_list_stays_there_for_every_answer_of_the_server(self):
        other = self.peer.make_list("other", "Other")
        self.peer.put(self.path, "one", "SUMMARY:In the first list")
        laptop = self.ready("laptop")
        copies = []
        for status in (500, 502, 504, 412):
            uid = f"copy-{status}"
            copies.append(uid)
            self.peer.put(self.path, uid, f"SUMMARY:First {status}")
            laptop.sync()
            text = ics([f"UID:{uid}", *STAMP, f"SUMMARY:Copy {status}", "LOCATION:here"])
            laptop.run("import", self.write("copy.ics", text), "--copy", "--list", "Other")
            self.proxy.before = failing(1, answer=Answer(status))
            laptop.run("sync", code=None)
            self.proxy.behave()
            self.share(laptop)
            self.assertEqual(self.peer.held(other)[uid]["SUMMARY"], f"Copy {status}")
            self.assertEqual(self.peer.held(self.path)[uid]["SUMMARY"], f"First {status}")
            self.assertNotIn(b"LOCATION", self.peer.held(self.path)[uid].data)
        self.assertEqual(set(self.peer.held(other)), set(copies))
        self.assertEqual(laptop.json("trash"), [])

    def test_an_existing_item_that_a_delta_reports_as_removed_stays(self):
        for number in range(5):
            self.peer.put(self.path, f"i{number}")
        laptop = self.ready("laptop")
        one = self.peer.get(self.path + "i2.ics")
        self.peer.delete_at(self.path, "i2.ics")
        self.peer.put_text(self.path, one.data, "i2.ics")

        def after(request, answer):
            if request.method == "REPORT" and b"sync-collection" in request.body:
                answer.body = re.sub(
                    rb"<response>\s*<href>([^<]*i2\.ics)</href>.*?</response>",
                    rb"<response><href>\1</href><status>HTTP/1.1 404 Not Found</status></response>", answer.body,
                    flags=re.DOTALL)
                answer.without("Content-Length")
            return answer

        self.proxy.after = after
        self.assertEqual(laptop.sync()[0]["deletedLocally"], 0)
        self.assertIn("i2", self.uids(laptop))
        self.proxy.behave()
        self.assertEqual(sum(entry["repaired"] for entry in laptop.sync("--verify")), 0)


class Trash(Scene):
    make_server = Nextcloud

    def family(self, device):
        device.run("import", self.write("family.ics", FAMILY), "--list", "Tasks")
        device.sync()

    def parent_of(self, device, uid):
        shown = device.json("show", device.id_of(uid))
        return [one["uid"] for one in shown["parents"] if one["id"] is not None]

    def test_an_undone_deletion_comes_back_with_its_uid_and_its_subtasks(self):
        laptop, desk = self.ready("laptop"), self.ready("desk")
        self.family(laptop)
        self.share(desk)
        laptop.run("delete", laptop.id_of("parent"), "--yes")
        laptop.sync()
        laptop.run("undo", "--last")
        report = laptop.sync()
        self.assertEqual([entry["newUIDs"] for entry in report if entry["list"] == "Tasks"], [0])
        self.share(laptop, desk)
        self.assertEqual(set(self.peer.held(self.path)), {"parent", "child"})
        for device in (laptop, desk):
            self.assertEqual(self.uids(device), {"parent", "child"})
            self.assertEqual(self.parent_of(device, "child"), ["parent"])

    def test_twenty_undone_deletions_take_two_requests_each(self):
        laptop = self.ready("laptop")
        for number in range(20):
            self.peer.put(self.path, f"i{number}", f"SUMMARY:Item {number}")
        self.share(laptop)
        before = laptop.items()
        laptop.run("delete", *[laptop.id_of(f"i{number}") for number in range(20)], "--yes")
        laptop.sync("--allow-mass-delete")
        laptop.run("undo", "--last")
        self.proxy.take()
        laptop.sync()
        self.assertLessEqual(len(self.proxy.take()), 2 * 20 + AROUND)
        self.assertEqual((self.uids(laptop), len(self.peer.held(self.path))), ({uid for _, uid in before}, 20))

    def test_a_reminder_edited_here_and_deleted_there_keeps_its_uid_and_the_edit(self):
        laptop, desk = self.ready("laptop"), self.ready("desk")
        self.family(laptop)
        self.share(desk)
        self.peer.delete(self.path, "parent")
        laptop.run("edit", laptop.id_of("parent"), "--notes", "Written here")
        laptop.sync()
        self.share(laptop, desk)
        held = self.peer.held(self.path)
        self.assertEqual((set(held), held["parent"]["DESCRIPTION"]), ({"parent", "child"}, "Written here"))
        self.assertEqual(desk.by_uid("parent")["notes"], "Written here")

    def test_a_uid_that_the_trash_does_not_release_is_replaced_and_reported(self):
        laptop, desk = self.ready("laptop"), self.ready("desk")
        line = ("add", "Check the backup", "--literal", "--id", "backup", "--list", "Tasks")
        laptop.run(*line)
        laptop.run("import", self.write("part.ics", ics(["UID:child", *STAMP, "SUMMARY:Disk", "RELATED-TO:backup"])),
                   "--list", "Tasks")
        laptop.sync()
        self.share(desk)
        self.server.restores = False
        laptop.run("delete", laptop.id_of("backup"), "--yes")
        laptop.sync()
        laptop.run("undo", "--last")
        told = laptop.run("sync")
        self.assertIn("1 reminder got a new UID", told.err)
        self.assertNotIn("SQLSTATE", told.err)
        self.share(laptop, desk)
        held = self.peer.held(self.path)
        new = next(iter(set(held) - {"child"}))
        self.assertEqual(held["child"]["RELATED-TO"], new)
        for device in (laptop, desk):
            self.assertEqual(self.parent_of(device, "child"), [new])
            self.assertFalse(device.json(*line)["added"])

    def test_a_locked_database_changes_no_uid(self):
        laptop = self.ready("laptop")
        uids = {laptop.json("add", f"Thing {number}", "--literal", "--list", "Tasks")["uid"] for number in range(5)}
        self.server.locked_puts = 12
        for _ in range(4):
            laptop.run("sync", code=None)
        self.share(laptop)
        self.assertEqual((self.uids(laptop), set(self.peer.held(self.path))), (uids, uids))

    def test_an_item_deleted_and_restored_between_two_syncs_stays(self):
        laptop, desk = self.ready("laptop"), self.ready("desk")
        self.family(laptop)
        self.share(desk)
        laptop.run("delete", laptop.id_of("parent"), "--yes")
        laptop.sync()
        self.restore("parent")
        for device in (laptop, desk):
            device.sync()
            self.assertEqual(self.uids(device), {"parent", "child"})
            self.assertEqual(sum(entry["repaired"] for entry in device.sync("--verify")), 0)

    def restore(self, uid):
        """Restores an object as the web interface does."""
        number = self.server.calendars["tasks"].trash[uid].number
        host = f"http://127.0.0.1:{self.server.port}"
        status, *_ = self.server.request(
            "MOVE", f"{HOME}trashbin/objects/{number}.ics", b"", {"Destination": f"{host}{HOME}trashbin/restore/{number}.ics"})
        self.assertEqual(status, 201)

    def test_an_item_moved_away_and_back_between_two_syncs_stays(self):
        other = self.peer.make_list("other", "Other")
        laptop, desk = self.ready("laptop"), self.ready("desk")
        self.family(laptop)
        self.share(desk)
        for name in ("Other", "Tasks"):
            laptop.run("edit", laptop.id_of("parent"), "--list", name)
            laptop.sync()
        desk.sync()
        self.assertEqual([entry["list"] for entry in desk.json("list", "--all") if entry["uid"] == "parent"], ["Tasks"])
        self.assertEqual((self.peer.held(other), set(self.peer.held(self.path))), ({}, {"parent", "child"}))

    def test_deletions_there_are_confirmed_by_one_request(self):
        for number in range(6):
            self.peer.put(self.path, f"i{number}")
        laptop = self.ready("laptop")
        for number in range(4):
            self.peer.delete_at(self.path, f"i{number}.ics")
        self.proxy.take()
        self.assertEqual(sum(entry["deletedLocally"] for entry in laptop.sync()), 4)
        self.assertEqual([method for method, *_ in self.proxy.take()], ["PROPFIND", "REPORT", "REPORT"])
        self.peer.put(self.path, "new")
        laptop.sync()
        self.assertEqual([method for method, *_ in self.proxy.take()], ["PROPFIND", "REPORT"])


if __name__ == "__main__":
    unittest.main()

"""Lists that are created, renamed, recoloured, deleted, lost, ignored and locked, on real servers and on one with
adjustable faults."""

import re
import unittest
from xml.sax.saxutils import escape

from fakedav import HOME, OTHER_HOME, Answer, FakeDAV
from harness import FAILURE, NOT_FOUND, OK, PARTIAL, SAFETY, USAGE, EndToEnd, changes
from servers import Radicale, Xandikos
from story import WRITES, Scene

NAMES = 'xmlns:D="DAV:" xmlns:A="http://apple.com/ns/ical/"'


def names(device):
    return [entry["name"] for entry in device.json("lists")]


def view(device, name):
    return next(entry for entry in device.json("lists") if entry["name"] == name)


class OnRealServers(Scene):
    """Behaviour that is the same on every server."""

    def setUp(self):
        super().setUp()
        self.laptop.add_account(self.account_address())
        self.laptop.publish("Office", "--color", "#112233")
        self.laptop.run("add", "Staples", "--list", "Office")
        self.laptop.sync()
        self.desk.add_account(self.account_address())
        self.desk.sync()

    def account_address(self):
        return self.proxy.url + getattr(self.server, "path", "/")[1:]

    def address(self):
        """The list's path, which this test finds itself."""
        listing = self.server.request(
            "PROPFIND", self.server.home, f"<D:propfind {NAMES}><D:prop><D:displayname/></D:prop></D:propfind>".encode(),
            {"Depth": "1", "Content-Type": "application/xml"})[2].decode()
        for part in re.split(r"<(?:\w+:)?response>", listing)[1:]:
            if re.search(r"[>\[](Office|Bureau (&|&amp;) more)[<\]]", part):
                return re.search(r"href>([^<]*)<", part)[1]
        raise AssertionError(listing)

    def test_a_new_name_and_a_new_colour_reach_the_other_machine_and_cost_one_write_each(self):
        self.proxy.take()
        self.laptop.run("lists", "rename", "Office", "Bureau & more")
        self.laptop.run("lists", "recolor", "Bureau & more", "#AABBCC")
        self.assertEqual([entry[0] for entry in self.proxy.take() if entry[0] in WRITES], ["PROPPATCH", "PROPPATCH"])
        self.desk.sync()
        self.assertEqual(view(self.desk, "Bureau & more")["color"], "#AABBCC")
        self.assertNotIn("Office", names(self.desk))
        # The returned values are known: nothing more is reported or sent.
        self.laptop.sync()
        for device in (self.laptop, self.desk):
            self.assertEqual(changes(device.sync()), 0)
            self.assertEqual(view(device, "Bureau & more")["open"], 1)

    def test_a_name_given_on_one_machine_and_a_colour_on_the_other_are_both_kept(self):
        self.laptop.run("lists", "rename", "Office", "Bureau & more")
        self.desk.run("lists", "recolor", "Office", "#AABBCC")
        for device in (self.desk, self.laptop):
            device.sync()
            self.assertEqual(view(device, "Bureau & more")["color"], "#AABBCC")

    def test_a_name_set_by_another_client_arrives_with_the_next_sync_and_only_then(self):
        body = f"<D:propertyupdate {NAMES}><D:set><D:prop><D:displayname>{escape('Bureau & more')}</D:displayname></D:prop></D:set></D:propertyupdate>"
        status = self.server.request("PROPPATCH", self.address(), body.encode(), {"Content-Type": "application/xml"})[0]
        self.assertEqual(status, 207)
        self.assertIn("Office", names(self.laptop))
        self.laptop.sync()
        self.assertIn("Bureau & more", names(self.laptop))
        self.laptop.run("lists", "rename", "Bureau & more", "Mine")
        self.laptop.sync()
        self.assertIn("Mine", names(self.laptop))

    def test_no_colour(self):
        before = view(self.laptop, "Office")["color"]
        result = self.laptop.run("lists", "recolor", "Office", "none", code=(OK, FAILURE))
        if result.code == FAILURE:
            self.assert_complaint(result, FAILURE, "refuses this change", "another")
            self.assertEqual(view(self.laptop, "Office")["color"], before)
        else:
            self.assertIsNone(view(self.laptop, "Office")["color"])
            self.desk.sync()
            # SOGo reports that the list is deleted, and keeps it.
            left = before if "still shows" in result.err else None
            self.assertEqual(view(self.desk, "Office")["color"], left)
            self.laptop.sync()
            self.assertIsNone(view(self.laptop, "Office")["color"])

    def test_a_deleted_list_is_gone_there_and_kept_by_the_other_machine_until_it_decides(self):
        self.laptop.run("lists", "delete", "Office", "--yes")
        self.assertNotIn("Office", names(self.laptop))
        self.laptop.sync()
        self.assertNotIn("Office", names(self.laptop))
        result = self.desk.run("sync", code=PARTIAL)
        self.assertIn("server no longer has the list", result.err)
        lost = view(self.desk, "Office")
        self.assertEqual((lost["state"], lost["open"]), ("detached", 1))
        shown = self.desk.run("lists")
        self.assertIn("no longer on the server", shown.out)
        self.assertIn("lists keep Office", shown.err)
        self.desk.run("add", "Glue", "--list", "Office")
        self.desk.run("lists", "add", "Office", "--account", self.desk.account)
        self.desk.sync()
        self.laptop.sync()
        self.assertEqual(view(self.laptop, "Office")["open"], 2)
        self.assert_same(self.laptop, self.desk)

    def test_a_list_that_was_lost_is_kept_here_and_another_is_deleted_here(self):
        said = self.laptop.publish("Garden")
        self.assertIn(f"Created the list Garden on {self.laptop.account}", said.err + said.out)
        self.desk.sync()
        for name in ("Office", "Garden"):
            self.laptop.run("lists", "delete", name, "--yes")
        self.desk.run("sync", code=PARTIAL)
        self.desk.run("lists", "keep", "Office")
        self.assertEqual(view(self.desk, "Office")["state"], "local")
        self.desk.run("lists", "delete", "Garden", "--yes")
        self.assertEqual(changes(self.desk.sync()), 0)
        self.assertEqual(view(self.desk, "Office")["open"], 1)
        self.assertNotIn("Garden", names(self.desk))

    def test_a_reminder_of_another_client_since_the_last_sync_is_not_deleted_without_consent(self):
        self.desk.run("add", "Not seen yet", "--list", "Office")
        self.desk.sync()
        result = self.laptop.run("lists", "delete", "Office", "--yes", code=None)
        self.assert_complaint(result, SAFETY, "remindav sync")
        self.assertEqual(len(self.resources()), 2)
        self.laptop.sync()
        self.laptop.run("lists", "delete", "Office", "--yes")
        self.assertEqual(self.resources(), {})

    def test_an_ignored_list_stays_on_the_server_and_is_added_again_on_request(self):
        self.laptop.run("lists", "delete", "Office", "--only-here", "--yes")
        self.laptop.sync()
        self.assertNotIn("Office", names(self.laptop))
        self.assertRegex(self.laptop.run("lists").err, r"lists add --account=\S+ Office' and then 'remindav sync' download it")
        self.assertEqual(changes(self.desk.sync()), 0)
        self.assertEqual(view(self.desk, "Office")["state"], "synced")
        self.laptop.publish("Office")
        self.laptop.sync()
        self.assert_same(self.laptop, self.desk)
        self.assertNotIn("lists add Office", self.laptop.run("lists").err)


class OnRadicale(OnRealServers, EndToEnd):
    make_server = Radicale


class OnXandikos(OnRealServers, EndToEnd):
    make_server = Xandikos


class Lists(EndToEnd):
    """Faults of a server with lists, on a server with adjustable faults."""

    def setUp(self):
        super().setUp()
        self.server = self.serve(FakeDAV())
        self.office = self.server.add_list("Office", {
            f"uid-{n}": ["DTSTAMP:20260101T000000Z", f"SUMMARY:Title {n}"] for n in range(3)})
        self.laptop = self.device("laptop")
        self.laptop.add_account(self.server.url)
        self.laptop.sync()
        self.server.take()

    def test_a_name_that_the_server_refuses_is_not_changed_here(self):
        self.office.read_only = True
        for words in (["rename", "Office", "Bureau"], ["recolor", "Office", "#000000"]):
            result = self.laptop.run("lists", *words, code=None)
            self.assert_complaint(result, FAILURE, "refuses this change", "nothing was changed")
        self.assertEqual((view(self.laptop, "Office")["color"], self.office.name), ("#3366CC", "Office"))

    def test_a_name_that_is_lost_on_the_way_back_arrives_with_the_next_sync(self):
        self.server.distort = lambda request, answer: answer.cut(0.1) if request.method == "PROPPATCH" else answer
        self.assertNotEqual(self.laptop.run("lists", "rename", "Office", "Bureau", code=None).code, OK)
        self.assertIn("Office", names(self.laptop))
        self.server.behave()
        self.laptop.sync()
        self.assertIn("Bureau", names(self.laptop))

    def test_a_slow_server_does_not_revert_a_name(self):
        def late(request):
            if request.method == "PROPPATCH":
                return self.server.multistatus([
                    f"<D:response><D:href>{HOME}Office</D:href><D:propstat><D:prop><D:displayname/></D:prop>"
                    "<D:status>HTTP/1.1 200 OK</D:status></D:propstat></D:response>"])
            return None

        self.server.intercept = late
        said = self.laptop.run("lists", "rename", "Office", "Bureau")
        self.assertIn("still shows 'Office'", said.err)
        self.laptop.sync()
        self.assertEqual(names(self.laptop), ["Bureau"])
        self.office.name = "Bureau"
        self.laptop.sync()
        self.assertEqual(names(self.laptop), ["Bureau"])
        self.office.name = "Somebody else's"
        self.laptop.sync()
        self.assertEqual(names(self.laptop), ["Somebody else's"])

    def test_a_name_altered_by_the_server_is_adopted(self):
        self.server.distort = lambda request, answer: (
            setattr(self.office, "name", "BUREAU") or answer if request.method == "PROPPATCH" else answer)
        self.laptop.run("lists", "rename", "Office", "Bureau")
        self.assertEqual(names(self.laptop), ["BUREAU"])

    def test_a_slow_deletion_of_a_list_does_not_restore_it(self):
        self.server.intercept = lambda request: Answer(204) if request.method == "DELETE" else None
        self.laptop.run("lists", "delete", "Office", "--yes")
        self.laptop.sync()
        self.assertEqual(names(self.laptop), [])

    def test_a_deletion_that_the_server_refuses_deletes_nothing_and_has_a_remedy(self):
        self.server.intercept = lambda request: Answer(403) if request.method == "DELETE" else None
        before = self.laptop.items()
        self.assert_complaint(
            self.laptop.run("lists", "delete", "Office", "--yes", code=None), FAILURE, "--only-here")
        self.assertEqual(self.laptop.items(), before)
        self.laptop.run("lists", "delete", "Office", "--only-here", "--yes")
        self.assertEqual(len(self.office.items), 3)

    def test_unsent_changes_are_named_before_the_deletion_of_a_list(self):
        self.laptop.run("edit", self.laptop.id_of("uid-1"), "--title", "Only here")
        self.laptop.run("delete", self.laptop.id_of("uid-2"), "--yes")
        result = self.laptop.run("lists", "delete", "Office", code=USAGE)
        self.assertIn("'Only here', 1 deletion", result.err)
        self.assertEqual(len(self.office.items), 3)
        self.assertEqual(self.server.writes(), [])

    def test_a_new_list_with_an_old_name_is_another_list_until_they_are_joined(self):
        del self.server.collections["Office"]
        new = self.server.add_list("again", {"uid-new": ["DTSTAMP:20260101T000000Z", "SUMMARY:New"]})
        new.name = "Office"
        self.laptop.run("sync", code=PARTIAL)
        self.assertEqual(len(new.items), 1)
        twin = f"Office ({self.laptop.account})"
        self.assertEqual((view(self.laptop, "Office")["state"], view(self.laptop, twin)["state"]), ("detached", "synced"))
        self.laptop.run("lists", "add", "Office", "--account", self.laptop.account)
        self.assertEqual(names(self.laptop), ["Office"])
        self.laptop.sync()
        self.assertEqual((view(self.laptop, "Office")["open"], len(new.items)), (4, 4))

    def test_a_local_list_is_paired_with_the_list_of_the_same_name_in_a_new_account(self):
        phone = self.device("phone")
        phone.run("add", "From here")
        phone.run("lists", "rename", "Reminders", "Office")
        phone.add_account(self.server.url)
        phone.sync()
        twin = f"Office ({phone.account})"
        self.assertEqual(sorted(names(phone)), ["Office", twin])
        self.assertEqual(view(phone, "Office")["state"], "local")
        phone.run("edit", phone.id_of("uid-0"), "--title", "Not sent yet")
        result = phone.run("lists", "add", "Office", "--account", phone.account, code=None)
        self.assert_complaint(result, USAGE, "already has a list with this name")
        self.assertIn("Run 'remindav sync' first and repeat the command", result.err)
        phone.sync()
        feed = phone.json("feed", "create", "--list", twin)
        said = phone.run("lists", "add", "Office", "--account", phone.account)
        self.assertIn(f"Connected the list Office on {phone.account}", said.err + said.out)
        self.assertEqual(names(phone), ["Office"])
        self.assertEqual([(one["id"], one["list"]) for one in phone.json("feed", "list")], [(feed["id"], "Office")])
        phone.sync()
        self.assertEqual((view(phone, "Office")["open"], len(self.office.items)), (4, 4))
        self.assertIn("Not sent yet", [item["title"] for item in phone.json("list")])

    def test_an_object_that_is_no_reminder_stays_on_the_server_and_is_reported_once(self):
        event = b"BEGIN:VCALENDAR\r\nBEGIN:VEVENT\r\nUID:e\r\nEND:VEVENT\r\nEND:VCALENDAR\r\n"
        self.office.put("event.ics", event)
        self.office.put("page.ics", b"<html>Gone</html>\r\n")
        self.office.put("nameless.ics", event.replace(b"UID:e\r\n", b"").replace(b"VEVENT", b"VTODO"))
        self.office.put("second.ics", next(data for _, data in self.office.items.values() if b"uid-0" in data))
        report = self.laptop.json("sync", "--dry-run")[0]["unreadable"]
        self.assertEqual(
            sorted((item["href"].rsplit("/", 1)[1], item["reason"]) for item in report),
            [("nameless.ics", "it has no UID"), ("page.ics", "it contains no readable calendar data"),
             ("second.ics", "another item of the list has the same UID")])
        result = self.laptop.run("sync")
        self.assertIn("Office: 3 files on the server cannot be used and stay unchanged: ", result.err)
        self.assertIn("second.ics", result.err)
        self.assertNotIn("event.ics", result.err)
        self.assertNotIn("cannot be used", self.laptop.run("sync").err)
        self.assertEqual(self.server.writes(), [])

    def test_two_homes_are_one_account_and_two_lists_of_one_name_are_distinguished(self):
        self.server.homes = [HOME, OTHER_HOME]
        self.server.add_list("group", {"uid-g": ["DTSTAMP:20260101T000000Z", "SUMMARY:Group"]}).home = OTHER_HOME
        self.server.collections["group"].name = "Office"
        desk = self.device("desk")
        desk.add_account(self.server.url)
        desk.sync()
        second = f"Office ({desk.account})"
        self.assertEqual(sorted(names(desk)), ["Office", second])
        self.assertEqual({view(desk, "Office")["open"], view(desk, second)["open"]}, {1, 3})
        other = next(name for name in ("Office", second) if view(desk, name)["open"] == 1)
        desk.run("lists", "rename", other, "Club")
        self.assertEqual((self.server.collections["group"].name, self.office.name), ("Club", "Office"))
        desk.run("lists", "delete", "Club", "--yes")
        self.assertNotIn("group", self.server.collections)

    def test_a_shared_list_is_in_another_home_and_this_is_reported_before_its_deletion(self):
        self.server.add_list("shared", {"uid-s": ["DTSTAMP:20260101T000000Z", "SUMMARY:Shared"]}).home = OTHER_HOME
        desk = self.device("desk")
        desk.add_account(f"{self.server.url.rstrip('/')}{OTHER_HOME}shared/")
        desk.sync()
        self.assertEqual(view(desk, "shared")["open"], 1)
        desk.run("lists", "rename", "shared", "Ours")
        self.assertEqual(self.server.collections["shared"].name, "Ours")
        self.assertIn("may belong to another user", desk.run("lists", "delete", "Ours", code=USAGE).err)
        desk.run("lists", "delete", "Ours", "--only-here", "--yes")
        desk.sync()
        self.assertEqual(names(desk), ["Office"])

    def test_two_accounts_with_lists_of_one_name(self):
        other = self.serve(FakeDAV())
        other.add_list("Office", {"uid-o": ["DTSTAMP:20260101T000000Z", "SUMMARY:Other"]})
        self.laptop.run("account", "add", other.url, "--user", "user", "--password-stdin", "--name", "home",
                        stdin="correct horse\n")
        self.laptop.sync()
        self.assertEqual(sorted(names(self.laptop)), ["Office", "Office (home)"])
        self.laptop.run("lists", "rename", "Office (home)", "Garden")
        self.assertEqual((other.collections["Office"].name, self.office.name), ("Garden", "Office"))
        self.assert_complaint(
            self.laptop.run("lists", "rename", "Garden", "office", code=None), USAGE, "already a list")

    def test_names_that_differ_in_case_are_distinguished_in_one_sentence(self):
        self.server.add_list("OFFICE")
        self.laptop.sync()
        self.assertEqual(sorted(names(self.laptop)), ["OFFICE", "Office"])
        result = self.laptop.run("list", "--list", "office", code=None)
        self.assert_complaint(result, USAGE, "several lists have this name")
        self.assertIn("'Office', 'OFFICE'", result.err)
        self.laptop.run("add", "x", "--list", "OFFICE")
        self.assertEqual(view(self.laptop, "OFFICE")["open"], 1)

    def test_a_list_that_becomes_read_only_keeps_its_unsent_changes_and_has_a_remedy(self):
        server, laptop = self.server, self.laptop
        laptop.run("lists", "add", "Mine")
        laptop.run("edit", laptop.id_of("uid-0"), "--title", "Changed here")
        laptop.run("add", "New here", "--list", "Office")
        laptop.run("delete", laptop.id_of("uid-1"), "--yes")
        self.office.read_only = True
        for _ in range(2):
            result = laptop.run("sync", code=PARTIAL)
            self.assertRegex(result.err, r"Office: 3 reminders left out: .* This list is now read-only")
            self.assertIn("lists discard", result.err)
        self.assertEqual(server.writes(), [])
        self.assertTrue(view(laptop, "Office")["readOnly"])
        dry = laptop.run("sync", "--dry-run", code=PARTIAL)
        self.assertIn("lists discard", dry.err)

        for words in (["add", "x", "--list", "Office"], ["edit", laptop.id_of("uid-0"), "--title", "x"],
                      ["done", laptop.id_of("uid-0")], ["undone", laptop.id_of("uid-0")],
                      ["snooze", laptop.id_of("uid-0"), "5m"], ["delete", laptop.id_of("uid-0"), "--yes"],
                      ["edit", laptop.id_of("uid-2"), "--list", "Mine"]):
            self.assert_complaint(laptop.run(*words, code=None), FAILURE, "this list is read-only", "another list")

        moved = laptop.json("edit", laptop.id_of("uid-0"), "--list", "Mine")
        self.assertEqual((moved["title"], moved["list"]), ("Changed here", "Mine"))
        laptop.run("lists", "discard", "Office", "--yes")
        laptop.sync()
        titles = sorted(item["title"] for item in laptop.json("list", "--list", "Office"))
        self.assertEqual(titles, ["Title 0", "Title 1", "Title 2"])
        self.assertEqual(server.writes(), [])

    def test_a_list_that_is_writable_again_gets_the_unsent_changes(self):
        self.laptop.run("add", "New here", "--list", "Office")
        self.office.read_only = True
        self.laptop.run("sync", code=PARTIAL)
        self.office.read_only = False
        self.laptop.sync()
        self.assertEqual(len(self.office.items), 4)

    def test_a_lost_list_does_not_keep_an_edit_in_another_from_being_sent(self):
        self.server.add_list("Garden")
        self.laptop.sync()
        del self.server.collections["Garden"]
        self.laptop.run("sync", code=PARTIAL)
        self.laptop.run("edit", self.laptop.id_of("uid-0"), "--title", "Edited here")
        self.office.remove(next(name for name, item in self.office.items.items() if b"uid-0" in item[1]))
        self.laptop.run("sync", code=PARTIAL)
        self.assertTrue(any(b"Edited here" in item[1] for item in self.office.items.values()))

    def test_a_reminder_moved_to_another_account_stays_in_the_old_one_until_it_has_arrived(self):
        other = self.serve(FakeDAV())
        shop = other.add_list("Shop")
        self.laptop.run("account", "add", other.url, "--user", "user", "--password-stdin", "--name", "shop",
                        stdin="correct horse\n")
        self.laptop.sync()
        self.laptop.run("edit", self.laptop.id_of("uid-0"), "--list", "Shop")
        other.intercept = lambda request: Answer(500)
        self.assertNotEqual(self.laptop.run("sync", "--dry-run", code=None).code, OK)
        self.assertNotEqual(self.laptop.run("sync", code=None).code, OK)
        self.assertEqual((len(self.office.items), len(shop.items)), (3, 0))
        other.behave()
        self.laptop.sync()
        self.assertEqual((len(self.office.items), len(shop.items)), (2, 1))

    def test_an_unknown_list_and_a_list_that_is_no_longer_there(self):
        for words in (["rename", "Nowhere", "x"], ["recolor", "Nowhere", "none"], ["delete", "Nowhere", "--yes"],
                      ["keep", "Nowhere"], ["discard", "Nowhere", "--yes"]):
            self.assert_complaint(self.laptop.run("lists", *words, code=None), NOT_FOUND, "no such list")
        del self.server.collections["Office"]
        self.assert_complaint(
            self.laptop.run("lists", "rename", "Office", "x", code=None), PARTIAL, "server no longer has the list")
        self.laptop.run("lists", "delete", "Office", "--yes")
        self.assertEqual(names(self.laptop), [])


if __name__ == "__main__":
    unittest.main()

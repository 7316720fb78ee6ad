"""The main story, which runs against every available real server.

Two machines import, share, edit, complete, snooze, relabel and delete; a third one starts with an empty store. Then idle
syncs must send nothing.
"""

import re

from harness import SAMPLE, changes, ics
from servers import CountingProxy

WRITES = {"PUT", "DELETE", "MKCALENDAR", "MKCOL", "PROPPATCH", "POST", "MOVE", "COPY", "PATCH"}

PLANTS = "3F0B6C1A-1111-4C55-9D0E-0C5B5A6B0001"
PASSPORT = "nextcloud-tasks-1730800000001"
INVOICE = "9d1e0f66-2c43-4a35-8d6f-6f7b0a4c0007"
BOILER = "20261015T120000Z-1234-1000-1-0@workstation.example"
LETTER = "6f2cbd0c6a4a4f6ea9e6c3f1c2a90010@laptop"
DENTIST = "5820461973024681357"
TYRES = "planner-0023"
GATE = "planner-0025"


class Scene:
    """A mixin for test cases with a real server and two machines; `make_server` creates the server."""

    make_server = None

    def setUp(self):
        super().setUp()
        self.server = self.borrow(self.make_server)
        self.proxy = CountingProxy(self.server)
        self.addCleanup(self.proxy.stop)
        self.laptop = self.device("laptop")
        self.desk = self.device("desk")

    def share(self):
        """The sample is on the laptop, on the server and on the desk, in a list called Reminders."""
        self.laptop.run("import", SAMPLE, "--list", "Reminders")
        self.laptop.add_account(self.proxy.url)
        self.laptop.publish("Reminders")
        self.laptop.sync()
        self.desk.add_account(self.proxy.url)
        self.desk.sync()
        self.assert_same(self.laptop, self.desk)

    def settle(self):
        for _ in range(2):
            self.laptop.sync()
            self.desk.sync()
        self.laptop.sync_until_quiet()
        self.desk.sync_until_quiet()
        self.assert_same(self.laptop, self.desk)

    def resources(self):
        """The objects on the server, read by this test: UID to text."""
        found = {}
        body = (
            b'<C:calendar-query xmlns:D="DAV:" xmlns:C="urn:ietf:params:xml:ns:caldav"><D:prop><C:calendar-data/></D:prop>'
            b'<C:filter><C:comp-filter name="VCALENDAR"><C:comp-filter name="VTODO"/></C:comp-filter></C:filter>'
            b"</C:calendar-query>"
        )
        listing = self.server.request("PROPFIND", self.server.home, b"", {"Depth": "1"})[2].decode()
        hrefs = set(re.findall(r"href>([^<]*)</", listing))
        for href in sorted(hrefs):
            if not href.startswith(self.server.home) or href == self.server.home:
                continue
            status, _, answer = self.server.request(
                "REPORT", href, body, {"Depth": "1", "Content-Type": "application/xml"})
            if status != 207:
                continue
            for text in re.findall(r"BEGIN:VCALENDAR.*?END:VCALENDAR", answer.decode(), re.DOTALL):
                unfolded = re.sub(r"\r?\n[ \t]", "", text.replace("&#13;", "\r"))
                for uid in set(re.findall(r"^UID:(.*?)\r?$", unfolded.split("BEGIN:VALARM")[0], re.MULTILINE)):
                    self.assertNotIn(uid, found, "the server holds a reminder twice")
                    found[uid] = unfolded
        return found


class Story(Scene):
    """The tests that every server has to pass."""

    def test_everything_arrives_on_the_other_machine_and_the_server_holds_it_once(self):
        self.share()
        self.assertEqual(len(self.desk.items()), 25)
        self.assertEqual(set(self.resources()), {uid for _, uid in self.laptop.items()})

    def test_edits_of_different_fields_on_both_machines_are_all_kept(self):
        self.share()
        laptop, desk = self.laptop, self.desk
        laptop.run("edit", laptop.id_of(BOILER), "--title", "Service the boiler and the radiators")
        desk.run("edit", desk.id_of(BOILER), "--due", "2035-03-22 all day")
        desk.run("edit", desk.id_of(PASSPORT), "--notes", "Bring two photographs")
        laptop.run("edit", laptop.id_of(PASSPORT), "--priority", "high")
        laptop.run("done", laptop.id_of(LETTER))
        desk.run("snooze", desk.id_of(DENTIST), "1h")
        laptop.run("edit", laptop.id_of(TYRES), "--label", "Car", "--label", "Winter")
        desk.run("delete", desk.id_of(GATE), "--yes")
        added = laptop.json("add", "Buy stamps", "--due", "2035-12-01", "--label", "Shopping", "--list", "Reminders")
        self.settle()

        for device in (laptop, desk):
            boiler, passport = device.by_uid(BOILER), device.by_uid(PASSPORT)
            self.assertEqual(boiler["title"], "Service the boiler and the radiators")
            self.assertEqual(boiler["due"], "2035-03-22")
            self.assertEqual((passport["notes"], passport["priority"]), ("Bring two photographs", "high"))
            self.assertEqual(device.by_uid(LETTER)["status"], "completed")
            self.assertIsNotNone(device.by_uid(DENTIST)["snoozedUntil"])
            self.assertEqual(sorted(device.by_uid(TYRES)["labels"]), ["Car", "Winter"])
            self.assertEqual(device.by_uid(added["uid"])["due"], "2035-12-01")
            self.assertNotIn(GATE, {uid for _, uid in device.items()})
        self.assertNotIn(GATE, self.resources())

    def test_subtasks_arrive_with_their_parent_and_those_of_another_program_are_nested_here(self):
        self.share()
        laptop, desk = self.laptop, self.desk
        child = laptop.json("add", "Buy soil", "--due", "none", "--parent", laptop.id_of(LETTER))
        laptop.sync()
        self.assertIn(f"RELATED-TO;RELTYPE=PARENT:{LETTER}", self.resources()[child["uid"]])
        # Nextcloud Tasks writes the relation without RELTYPE.
        foreign = ics(["UID:foreign-subtask", "DTSTAMP:20260101T000000Z", "SUMMARY:Buy pots", f"RELATED-TO:{LETTER}"])
        listing = self.server.request("PROPFIND", self.server.home, b"", {"Depth": "1"})[2].decode()
        hrefs = {href for href in re.findall(r"href>([^<]*)</", listing) if href.startswith(self.server.home)}
        sizes = {href: self.server.request("PROPFIND", href, b"", {"Depth": "1"})[2].count(b".ics")
                 for href in hrefs - {self.server.home}}
        folder = max(sizes, key=sizes.get)
        status, *_ = self.server.request("PUT", f"{folder}foreign-subtask.ics", foreign, {"Content-Type": "text/calendar"})
        self.assertIn(status, (201, 204))
        self.settle()
        for device in (laptop, desk):
            parent = device.by_uid(LETTER)
            uids = {item["uid"] for item in device.json("list", "--all") if item["parentId"] == parent["id"]}
            self.assertEqual(uids, {child["uid"], "foreign-subtask"})
            self.assertEqual(len(parent["childIds"]), 2)
        desk.run("done", desk.id_of(LETTER), "--subtasks")
        self.settle()
        self.assertEqual(laptop.by_uid("foreign-subtask")["status"], "completed")
        self.assertIn(f"RELATED-TO:{LETTER}", self.resources()["foreign-subtask"])

    def test_unknown_properties_survive_an_edit_and_two_syncs(self):
        self.share()
        self.desk.run("edit", self.desk.id_of(TYRES), "--title", "Winter tyres, all four")
        self.settle()
        exported = self.laptop.run("export").out
        unfolded = re.sub(r"\r\n[ \t]", "", exported)
        block = next(part for part in unfolded.split("BEGIN:VTODO") if f"UID:{TYRES}" in part)
        # Both servers take the quotes away where none are needed, which is their right.
        self.assertRegex(block, r'X-EXAMPLE-CARET;X-SAYS="?he said \^\'yes\^\' \^\^ then\^nleft"?:x')
        self.assertIn('X-EXAMPLE-NOTE;X-KIND="a;b:c,d":kept as it is', block)
        self.assertRegex(block, r'ATTACH;(FMTTYPE=application/pdf;FILENAME="offer, signed.pdf"|'
                                r'FILENAME="offer, signed.pdf";FMTTYPE=application/pdf):https://example.org/files/offer.pdf')

    def test_a_conflict_in_one_field_is_decided_once_and_the_losing_value_is_shown(self):
        self.share()
        self.laptop.run("edit", self.laptop.id_of(INVOICE), "--title", "Invoice as the laptop says")
        self.desk.run("edit", self.desk.id_of(INVOICE), "--title", "Invoice as the desk says")
        self.settle()
        title = self.laptop.by_uid(INVOICE)["title"]
        titles = {"Invoice as the laptop says", "Invoice as the desk says"}
        self.assertIn(title, titles)
        loser = (titles - {title}).pop()
        shown = self.laptop.run("conflicts", "--json").out + self.desk.run("conflicts", "--json").out
        self.assertIn(loser, shown)

    def test_an_edit_wins_over_a_deletion(self):
        self.share()
        self.laptop.run("delete", self.laptop.id_of(PLANTS), "--yes")
        self.desk.run("edit", self.desk.id_of(PLANTS), "--notes", "These are somebody's words")
        self.settle()
        self.assertEqual(self.laptop.by_uid(PLANTS)["notes"], "These are somebody's words")

    def test_a_move_here_and_an_edit_there_are_one_reminder(self):
        self.share()
        self.laptop.publish("Errands")
        self.settle()
        self.laptop.run("edit", self.laptop.id_of(PLANTS), "--list", "Errands")
        self.desk.run("edit", self.desk.id_of(PLANTS), "--title", "Water all plants")
        self.settle()
        self.resources()
        for device in (self.laptop, self.desk):
            found = [item for item in device.json("list", "--all") if item["uid"] == PLANTS]
            self.assertEqual([(item["list"], item["title"]) for item in found], [("Errands", "Water all plants")])

    def test_two_machines_that_add_with_one_id_have_one_reminder(self):
        self.share()
        line = ("add", "Check the backup", "--literal", "--id", "backup-2026-12", "--due", "2035-03-01 09:00",
                "--list", "Reminders")
        for device in (self.laptop, self.desk):
            self.assertEqual(device.json(*line)["uid"], "backup-2026-12")
        self.settle()
        self.assertIn("backup-2026-12", self.resources())
        self.assert_same(self.laptop, self.desk)
        for device in (self.laptop, self.desk):
            self.assertEqual([one["title"] for one in device.json("list", "--all") if one["uid"] == "backup-2026-12"],
                             ["Check the backup"])
            self.assertFalse(device.json(*line)["added"])
            self.assertEqual(changes(device.sync()), 0)

    def test_a_third_machine_starts_with_an_empty_store_and_idle_syncs_send_nothing(self):
        self.share()
        self.laptop.run("edit", self.laptop.id_of(BOILER), "--title", "Boiler")
        self.desk.run("done", self.desk.id_of(LETTER))
        self.settle()
        third = self.device("third")
        third.add_account(self.proxy.url)
        third.sync()
        self.assert_same(self.laptop, self.desk, third)
        for device in (self.laptop, self.desk, third):
            device.sync_until_quiet()
        for turn in range(3):
            for device in (self.laptop, self.desk, third):
                self.proxy.take()
                report = device.sync()
                asked = self.proxy.take()
                self.assertEqual([entry for entry in asked if entry[0] in WRITES], [])
                self.assertEqual(changes(report), 0)
                self.assertLessEqual(len(asked), 2 * len(report), f"turn {turn}: an idle list cost {asked}")
        self.assert_same(self.laptop, self.desk, third)

    def test_a_dry_run_reports_the_changes_and_sends_nothing(self):
        self.share()
        self.laptop.run("edit", self.laptop.id_of(BOILER), "--title", "Boiler")
        before = self.resources()
        self.proxy.take()
        report = self.laptop.sync("--dry-run")
        self.assertEqual(changes(report), 1)
        self.assertEqual([entry for entry in self.proxy.take() if entry[0] in WRITES], [])
        self.assertEqual(self.resources(), before)
        self.assertEqual(changes(self.laptop.sync()), 1)

    def test_a_list_made_on_one_machine_appears_on_the_other(self):
        self.share()
        self.desk.publish("Groceries & more", "--color", "#33AA55")
        self.desk.run("add", "Bread", "--list", "Groceries & more")
        self.desk.sync()
        self.laptop.sync()
        self.assertIn("Groceries & more", [one["list"] for one in self.laptop.json("list", "--all")])
        self.assert_same(self.laptop, self.desk)

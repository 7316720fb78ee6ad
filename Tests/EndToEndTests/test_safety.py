"""Mass deletions need consent, and a failing server causes no deletions."""

import unittest

from fakedav import HOME, Answer, FakeDAV
from harness import NETWORK, OK, PARTIAL, SAFETY, EndToEnd

TROUBLE = (PARTIAL, NETWORK)


def todos(count):
    return {f"uid-{n}": ["DTSTAMP:20260101T000000Z", f"SUMMARY:Title {n}"] for n in range(count)}


class Safety(EndToEnd):
    def setUp(self):
        super().setUp()
        self.server = self.serve(FakeDAV())
        self.tasks = self.server.add_list("todo", todos(40))
        self.laptop = self.device("laptop")
        self.laptop.add_account(self.server.url)
        self.laptop.sync()
        self.before = self.laptop.items()
        self.assertEqual(len(self.before), 40)
        self.server.take()

    def remove(self, count):
        for number in range(count):
            self.tasks.remove(f"uid-{number}.ics")

    def stopped(self, *words):
        result = self.laptop.run("sync", code=None)
        self.assert_complaint(result, SAFETY, "--allow-mass-delete", *words)
        self.assertEqual(self.laptop.items(), self.before)
        self.assertEqual(self.server.writes(), [])

    def nothing_deleted(self, codes=TROUBLE):
        result = self.laptop.run("sync", code=None)
        self.assertIn(result.code, codes, repr(result))
        self.assertEqual(self.laptop.items(), self.before)
        self.assertEqual([request for request in self.server.writes() if request.method == "DELETE"], [])

    def test_a_suddenly_empty_list_stops_the_sync_until_the_user_consents(self):
        self.remove(40)
        self.stopped("no longer has 40 reminders", "restore the reminders on the server")
        self.laptop.sync("--allow-mass-delete")
        self.assertEqual(self.laptop.items(), {})

    def test_the_log_reports_held_deletions_once_and_so_does_status(self):
        self.remove(40)
        for _ in range(3):
            self.stopped()
        held = [run for run in self.laptop.json("log") if run["error"] == "deletionsHeld"]
        self.assertEqual(len(held), 1)
        self.assertIn("nothing changed, not finished (deletions held)", self.laptop.run("log", code=OK).out)
        self.assertIn("incomplete (deletions held)", self.laptop.run("status", code=OK).out)

    def test_deletions_of_half_a_list_stop_too(self):
        self.remove(20)
        self.stopped()
        self.laptop.sync("--allow-mass-delete")
        self.assertEqual(len(self.laptop.items()), 20)

    def test_eleven_of_forty_is_the_first_number_that_stops(self):
        self.remove(10)
        self.laptop.sync()
        self.assertEqual(len(self.laptop.items()), 30)

    def test_eleven_of_forty_stops(self):
        self.remove(11)
        self.stopped()

    def test_many_deletions_out_of_very_many_are_allowed(self):
        large = self.server.add_list("large", {f"large-{n}": [f"SUMMARY:L {n}"] for n in range(100)})
        self.laptop.sync()
        for number in range(25):
            large.remove(f"large-{number}.ics")
        self.laptop.sync()
        self.assertEqual(len(self.laptop.items()), 40 + 75)

    def test_deleting_many_here_stops_before_the_server_is_touched(self):
        ids = [str(entry["id"]) for entry in self.laptop.json("list", "--all")][:20]
        self.laptop.run("delete", *ids, "--yes")
        self.before = self.laptop.items()
        self.stopped("20 deletions were not sent", "trash restore")
        self.assertEqual(len(self.tasks.items), 40)
        self.laptop.sync("--allow-mass-delete")
        self.assertEqual(len(self.tasks.items), 20)

    def test_a_stopped_list_does_not_stop_the_others(self):
        self.server.add_list("other", {"other-1": ["SUMMARY:Other"]})
        self.laptop.sync()
        self.before = self.laptop.items()
        self.remove(40)
        self.server.collections["other"].put(
            "other-1.ics", self.server.collections["other"].items["other-1.ics"][1].replace(b"Other", b"Newer"))
        self.laptop.run("sync", code=SAFETY)
        self.assertEqual(self.laptop.by_uid("other-1")["title"], "Newer")
        self.assertEqual(len(self.laptop.items()), 41)

    def test_a_dry_run_reports_the_stop_and_changes_nothing(self):
        self.remove(40)
        self.laptop.run("sync", "--dry-run", code=(OK, SAFETY))
        self.assertEqual(self.laptop.items(), self.before)

    def test_a_list_that_vanished_stays_here(self):
        del self.server.collections["todo"]
        self.nothing_deleted((PARTIAL, SAFETY))

    def test_a_home_without_any_list_deletes_nothing(self):
        self.server.distort = lambda request, answer: (
            self.server.multistatus([]) if request.path == HOME and request.method == "PROPFIND" else answer)
        self.nothing_deleted((OK, PARTIAL, NETWORK, SAFETY))

    def test_an_empty_multistatus_in_the_place_of_a_listing_deletes_nothing(self):
        self.server.realm += 1
        self.server.distort = lambda request, answer: (
            self.server.multistatus([], f"<D:sync-token>{self.server.token(self.tasks)}</D:sync-token>")
            if request.method == "REPORT" and answer.status == 207 else answer)
        self.nothing_deleted((*TROUBLE, SAFETY))

    def test_a_failing_server_deletes_nothing(self):
        for status in (500, 502, 503, 504, 507):
            with self.subTest(status):
                self.server.intercept = lambda request: Answer(status, b"<h1>Sorry</h1>", {"Content-Type": "text/html"})
                self.nothing_deleted()
        self.server.behave()
        self.laptop.sync()
        self.assertEqual(self.laptop.items(), self.before)

    def test_answers_of_not_found_and_forbidden_for_everything_delete_nothing(self):
        for status in (403, 404, 410):
            with self.subTest(status):
                self.server.intercept = lambda request: Answer(status)
                result = self.laptop.run("sync", code=None)
                self.assertNotEqual(result.code, OK)
                self.assertEqual(self.laptop.items(), self.before)

    def test_members_reported_as_missing_by_a_multiget_only_are_kept(self):
        self.server.realm += 1
        for name in list(self.tasks.items):
            self.tasks.put(name, self.tasks.items[name][1].replace(b"Title", b"Changed"))

        def distort(request, answer):
            if b"calendar-multiget" in request.body:
                return Answer(207, answer.body.replace(b"200 OK", b"500 Internal Server Error"), answer.headers)
            return answer

        self.server.distort = distort
        self.laptop.run("sync", code=None)
        self.assertEqual(len(self.laptop.items()), 40)

    def test_an_invalid_token_costs_a_listing_and_nothing_else(self):
        self.server.realm += 1
        self.remove(2)
        self.laptop.sync()
        self.assertEqual(len(self.laptop.items()), 38)
        self.assertEqual(self.server.writes(), [])

    def test_a_write_that_arrived_although_its_answer_did_not_is_no_conflict(self):
        self.laptop.run("edit", self.laptop.id_of("uid-7"), "--title", "Once")
        self.server.distort = lambda request, answer: Answer(500) if request.method == "PUT" else answer
        self.laptop.run("sync", code=None)
        self.server.behave()
        self.laptop.sync()
        self.assertEqual(self.laptop.by_uid("uid-7")["title"], "Once")
        self.assertEqual(len(self.tasks.items), 40)
        self.assertEqual(self.laptop.json("conflicts"), [])
        self.laptop.sync_until_quiet(1)

    def test_an_edit_between_our_listing_and_our_write_is_not_overwritten(self):
        self.laptop.run("edit", self.laptop.id_of("uid-9"), "--title", "Ours")

        def somebody_else(request):
            if request.method == "PUT" and "uid-9" in request.path and somebody_else.once:
                somebody_else.once = False
                text = self.tasks.items["uid-9.ics"][1].replace(b"END:VTODO", b"DESCRIPTION:Theirs\r\nEND:VTODO")
                self.tasks.put("uid-9.ics", text)

        somebody_else.once = True
        self.server.intercept = somebody_else
        self.laptop.run("sync", code=None)
        self.server.behave()
        self.laptop.sync_until_quiet()
        entry = self.laptop.by_uid("uid-9")
        self.assertEqual((entry["title"], entry["notes"]), ("Ours", "Theirs"))
        self.assertIn(b"DESCRIPTION:Theirs", self.tasks.items["uid-9.ics"][1])
        self.assertIn(b"SUMMARY:Ours", self.tasks.items["uid-9.ics"][1])


if __name__ == "__main__":
    unittest.main()

"""The server in memory that stands in for Nextcloud answers as Nextcloud 32.0.1 was measured to answer."""

import base64
import re
import unittest

from nextcloud import HOME, MAXIMUM_SIZE, PRINCIPAL, Nextcloud
from scenarios import texts
from scenarios.peer import SPACES, XML, Peer

KIND = {"Content-Type": "text/calendar; charset=utf-8"}


class Transcript(unittest.TestCase):
    def setUp(self):
        self.cloud = Nextcloud().start()
        self.addCleanup(self.cloud.stop)
        self.peer = Peer(self.cloud)
        self.path = self.peer.make_list("tasks", "Tasks")

    def ask(self, method, path, body=b"", **headers):
        headers = {name.replace("_", "-"): value for name, value in headers.items()}
        status, answered, payload = self.cloud.request(method, path, body.encode() if isinstance(body, str) else body, headers)
        return status, answered, payload.decode()

    def put(self, name, data, **headers):
        return self.ask("PUT", self.path + name, data, **headers)

    def report(self, kind, inner):
        return self.ask("REPORT", self.path, f"<{kind} {SPACES}>{inner}</{kind}>", Depth="1")

    def changes(self, token, more=""):
        inner = f"<D:sync-token>{token}</D:sync-token><D:sync-level>1</D:sync-level>{more}<D:prop><D:getetag/></D:prop>"
        return self.report("D:sync-collection", inner)

    # -- collections -------------------------------------------------------------------------------------------------

    def test_a_calendar_is_made_once_and_its_address_stays_taken_after_it_was_deleted(self):
        self.assertEqual(self.ask("MKCALENDAR", self.path)[0], 405)
        self.assertEqual(self.ask("DELETE", self.path)[0], 204)
        self.assertEqual(self.ask("PROPFIND", self.path, Depth="0")[0], 404)
        status, _, body = self.ask("MKCALENDAR", self.path)
        self.assertEqual(status, 405)
        self.assertIn("already exists", body)

    def test_the_home_holds_more_than_calendars(self):
        _, _, body = self.ask("PROPFIND", HOME, Depth="1")
        for name in ("inbox/", "outbox/", "trashbin/", "holidays/", "personal/"):
            self.assertIn(f"<d:href>{HOME}{name}</d:href>", body)
        self.assertEqual(set(self.peer.lists()), {self.path, f"{HOME}personal/"})

    def test_a_change_of_properties_is_answered_without_the_last_slash(self):
        body = f"<D:propertyupdate {SPACES}><D:set><D:prop><A:calendar-color>#112233</A:calendar-color></D:prop></D:set>" \
               "</D:propertyupdate>"
        status, _, answer = self.ask("PROPPATCH", self.path, body)
        self.assertEqual(status, 207)
        self.assertIn(f"<d:href>{self.path[:-1]}</d:href>", answer)
        self.assertEqual(self.peer.lists()[self.path][1], "#112233")

    def test_missing_properties_are_left_out_with_prefer_minimal(self):
        body = f"<D:propfind {SPACES}><D:prop><D:displayname/><D:quota-used-bytes/></D:prop></D:propfind>"
        self.assertIn("404 Not Found", self.ask("PROPFIND", self.path, body, Depth="0")[2])
        self.assertNotIn("404 Not Found", self.ask("PROPFIND", self.path, body, Depth="0", Prefer="return=minimal")[2])

    def test_the_old_entry_point_leads_to_the_same_principal(self):
        body = f"<D:propfind {SPACES}><D:prop><D:current-user-principal/></D:prop></D:propfind>"
        self.assertIn(PRINCIPAL, self.ask("PROPFIND", "/remote.php/caldav/", body, Depth="0")[2])
        self.assertEqual(self.ask("PROPFIND", "/.well-known/caldav", body, Depth="0")[0], 404)
        self.assertEqual(self.ask("GET", "/index.php/apps/tasks/")[1]["Content-Type"], "text/html; charset=UTF-8")

    # -- objects -----------------------------------------------------------------------------------------------------

    def test_every_byte_is_kept_and_the_conditions_hold(self):
        data = texts.todo("one", "SUMMARY:Bread", "X-ODD;X-P=1:kept").replace(b"\r\n", b"\n")
        status, headers, _ = self.put("one.ics", data, If_None_Match="*")
        self.assertEqual(status, 201)
        self.assertEqual(self.peer.get(self.path + "one.ics").data, data)
        self.assertEqual(self.put("one.ics", data, If_None_Match="*")[0], 412)
        status, stale, body = self.put("one.ics", data, If_Match='"other"')
        self.assertEqual((status, stale["ETag"]), (412, headers["ETag"]))
        self.assertIn("<s:header>If-Match</s:header>", body)
        status, fresh, _ = self.put("one.ics", data, If_Match=headers["ETag"])
        self.assertEqual(status, 204)
        self.assertNotEqual(fresh["ETag"], headers["ETag"])

    def test_a_body_that_had_to_be_changed_gets_no_entity_tag(self):
        status, headers, _ = self.put("one.ics", re.sub(rb"UID:.*\r\n", b"", texts.todo("one")))
        self.assertEqual(status, 201)
        self.assertNotIn("ETag", headers)

    def test_the_refusals_and_their_errors(self):
        self.put("one.ics", texts.todo("one"))
        for data, status, words in (
            (texts.todo("one"), 400, "uid already exists"),
            (texts.todo("two", "DTSTART:20260202T000000Z", "DUE:20260101T000000Z"), 415, "DUE must occur after DTSTART"),
            (b"Hello", 415, "iCalendar"),
            (texts.calendar(texts.component("three", kind="VEVENT")), 403, "supported-calendar-component"),
            (texts.todo("four", "DESCRIPTION:" + "x" * MAXIMUM_SIZE), 403, "exceeds 10485760 bytes"),
        ):
            answer = self.put("other.ics", data)
            self.assertEqual(answer[0], status)
            self.assertIn(words, answer[2])

    def test_the_trash_keeps_the_uid(self):
        self.put("one.ics", texts.todo("one"))
        self.assertEqual(self.ask("DELETE", self.path + "one.ics")[0], 204)
        for name in ("one.ics", "other.ics"):
            self.assertEqual(self.put(name, texts.todo("one"), If_None_Match="*")[0], 500)

    def trash(self):
        inner = ('<D:prop><C:calendar-data/><N:calendar-uri xmlns:N="http://nextcloud.com/ns"/></D:prop><C:filter>'
                 '<C:comp-filter name="VCALENDAR"><C:comp-filter name="VTODO"/></C:comp-filter></C:filter>')
        return self.ask("REPORT", HOME + "trashbin/objects", f"<C:calendar-query {SPACES}>{inner}</C:calendar-query>", Depth="1")

    def test_the_trash_lists_deleted_objects_and_restores_them(self):
        data = texts.todo("one")
        etag = self.put("one.ics", data)[1]["ETag"]
        self.ask("DELETE", self.path + "one.ics")
        status, _, body = self.trash()
        self.assertEqual(status, 207)
        self.assertIn("<nc:calendar-uri>tasks</nc:calendar-uri>", body)
        self.assertIn("UID:one", body)
        self.assertEqual(self.ask("PROPFIND", HOME + "trashbin/objects", Depth="1")[0], 501)
        href = re.search("<d:href>([^<]*)</d:href>", body)[1]
        target = self.cloud.url + HOME[1:] + "trashbin/restore/" + href.rsplit("/", 1)[1]
        self.assertEqual(self.ask("MOVE", href, Destination=target)[0], 201)
        one = self.peer.get(self.path + "one.ics")
        self.assertEqual((one.data, one.etag == etag), (data, False))
        self.assertEqual(self.ask("MOVE", href, Destination=target)[0], 404)
        self.assertNotIn("UID:one", self.trash()[2])

    def test_a_restore_to_an_address_in_use_is_refused_and_a_purge_releases_the_uid(self):
        self.put("one.ics", texts.todo("one"))
        self.ask("DELETE", self.path + "one.ics")
        self.put("one.ics", texts.todo("two"))
        href = re.search("<d:href>([^<]*)</d:href>", self.trash()[2])[1]
        target = self.cloud.url + HOME[1:] + "trashbin/restore/" + href.rsplit("/", 1)[1]
        self.assertEqual(self.ask("MOVE", href, Destination=target)[0], 403)
        self.assertEqual(self.ask("DELETE", href)[0], 204)
        self.assertEqual(self.put("other.ics", texts.todo("one"))[0], 201)

    def test_the_error_texts_of_its_database(self):
        self.put("one.ics", texts.todo("one"))
        self.ask("DELETE", self.path + "one.ics")
        self.assertIn("UNIQUE constraint failed: oc_calendarobjects.calendarid, oc_calendarobjects.calendartype, "
                      "oc_calendarobjects.uid", self.put("two.ics", texts.todo("one"))[2])
        self.cloud.locked_puts = 1
        status, _, body = self.put("two.ics", texts.todo("two"))
        self.assertEqual((status, "SQLSTATE[HY000]: General error: 5 database is locked" in body), (500, True))
        self.assertEqual(self.put("two.ics", texts.todo("two"))[0], 201)

    def test_a_delta_names_the_highest_operation_of_each_address(self):
        self.put("one.ics", texts.todo("one"))
        self.put("two.ics", texts.todo("two"))
        token = self.peer.token(self.path)
        self.peer.move(self.path + "one.ics", self.peer.make_list("other", "Other") + "one.ics")
        self.peer.move(f"{HOME}other/one.ics", self.path + "one.ics")
        self.put("two.ics", texts.todo("two", "SUMMARY:Changed"))
        self.put("three.ics", texts.todo("three"))
        body = self.changes(token)[2]
        self.assertRegex(body, "one.ics</d:href><d:status>HTTP/1.1 404 Not Found</d:status></d:response>")
        for name in ("two", "three"):
            self.assertRegex(body, name + ".ics</d:href><d:propstat>")

    def test_a_move_to_another_list_and_back(self):
        other = self.peer.make_list("other", "Other")
        etag = self.put("one.ics", texts.todo("one"))[1]["ETag"]
        status, headers, _ = self.ask("MOVE", self.path + "one.ics", Destination=self.cloud.url + other[1:] + "one.ics")
        self.assertEqual((status, headers["ETag"]), (201, etag))
        self.assertEqual(self.ask("MOVE", other + "one.ics", Destination=self.path + "one.ics")[0], 201)
        self.assertEqual(self.ask("MOVE", self.path + "one.ics", Destination=self.path + "two.ics")[0], 403)

    def test_addresses_come_back_escaped_in_another_way(self):
        self.put("a%20b%25%C3%BC%40+.ics", texts.todo("one"))
        body = self.ask("PROPFIND", self.path, Depth="1")[2]
        self.assertIn("a%20b%25%c3%bc@%2b.ics", body)

    # -- reports -----------------------------------------------------------------------------------------------------

    def test_tokens(self):
        self.put("one.ics", texts.todo("one"))
        first = re.search("<d:sync-token>(.*?)</d:sync-token>", self.changes("")[2])[1]
        self.ask("DELETE", self.path + "one.ics")
        self.put("two.ics", texts.todo("two"))
        body = self.changes(first)[2]
        self.assertRegex(body, "one.ics</d:href><d:status>HTTP/1.1 404 Not Found</d:status></d:response>")
        self.assertRegex(body, "two.ics</d:href><d:propstat>")
        status, _, body = self.changes("bogus")
        self.assertEqual(status, 403)
        self.assertIn("valid-sync-token", body)
        status, _, body = self.changes("http://sabre.io/ns/sync/999999")
        self.assertEqual((status, "response>" in body), (207, False))
        self.assertEqual(re.search("<d:sync-token>(.*?)</d:sync-token>", body)[1], self.peer.token(self.path))
        status, _, body = self.changes("", "<D:limit><D:nresults>1</D:nresults></D:limit>")
        self.assertEqual(status, 507)
        self.assertIn("number-of-matches-within-limits", body)

    def test_a_missing_member_is_left_out_of_a_multiget(self):
        self.put("one.ics", texts.todo("one"))
        body = self.report("C:calendar-multiget", "<D:prop><D:getetag/></D:prop>" + "".join(
            f"<D:href>{self.path}{name}</D:href>" for name in ("one.ics", "none.ics")))[2]
        self.assertEqual(body.count("<d:response>"), 1)
        self.assertNotIn("none.ics", body)

    # -- signing in --------------------------------------------------------------------------------------------------

    def test_a_password_or_the_cookies_of_a_session(self):
        status, headers, body = self.answer({})
        self.assertEqual((status, headers["WWW-Authenticate"]), (401, 'Basic realm="Nextcloud", charset="UTF-8"'))
        self.assertIn("<s:message>", body)
        _, headers, _ = self.ask("PROPFIND", HOME, Depth="0")
        cookies = "; ".join(one.split(";")[0] for one in headers["Set-Cookie"])
        self.assertEqual(len(headers["Set-Cookie"]), 3)
        self.assertEqual(self.answer({"cookie": cookies})[0], 207)
        self.assertEqual(self.answer({"cookie": cookies.replace("nc_session_id=", "nc_session_id=0")})[0], 401)

    def answer(self, headers):
        found = self.cloud.answer("PROPFIND", HOME, {"depth": "0", **headers}, b"")
        return found.status, found.headers, found.body.decode()

    def test_a_wrong_password_at_the_pages_is_refused_without_a_challenge(self):
        wrong = {"authorization": "Basic " + base64.b64encode(b"user:wrong").decode()}
        found = self.cloud.answer("PROPFIND", "/", wrong, b"")
        self.assertEqual((found.status, found.body, "WWW-Authenticate" in found.headers), (401, b'{"message":""}', False))
        self.assertEqual(self.ask("PROPFIND", "/")[0], 405)

    def test_too_many_wrong_passwords_lock_every_client_out(self):
        self.cloud.is_throttling = True
        wrong = {"authorization": "Basic " + base64.b64encode(b"user:wrong").decode(), "depth": "0"}
        seen = [self.cloud.answer("PROPFIND", HOME, wrong, b"").status for _ in range(11)]
        self.assertEqual(seen, [401] * 10 + [429])
        status, headers, _ = self.ask("PROPFIND", HOME, Depth="0")
        self.assertEqual((status, "Retry-After" in headers), (429, False))

    def test_requests_that_overlap_meet_a_locked_database(self):
        self.cloud.is_locking = True
        with self.cloud.lock:
            self.cloud.under_way = 1
        for method, status in (("PUT", 500), ("REPORT", 503), ("PUT", 500), ("PUT", 503)):
            answer = self.cloud.answer_beside_others(method, self.path + "one.ics", {}, b"")
            self.assertEqual(answer.status, status)
            self.assertIn(b"SQLSTATE[HY000]: General error: 5 database is locked", answer.body)
            self.assertNotIn("Retry-After", answer.headers)

    def test_maintenance_of_the_pages_has_a_time(self):
        self.cloud.in_maintenance = True
        self.assertEqual(self.ask("GET", "/index.php/login")[1]["Retry-After"], "120")

    def test_maintenance_has_no_date_and_is_reported(self):
        self.cloud.in_maintenance = True
        status, headers, body = self.ask("PROPFIND", HOME, Depth="0")
        self.assertEqual(status, 503)
        self.assertNotIn("Retry-After", headers)
        self.assertIn("System is in maintenance mode.", body)
        self.assertEqual(XML["Content-Type"], headers["Content-Type"])


if __name__ == "__main__":
    unittest.main()

"""For every invalid input: one sentence with the error and a remedy, the documented exit code, and an unchanged store."""

import hashlib
import os
import resource
import signal
import socket
import sqlite3
import ssl
import subprocess
import threading
import unittest
from pathlib import Path

import corpus
from fakedav import HOME, Answer, FakeDAV
from harness import AUTH, FAILURE, LOCKED, NETWORK, OK, SAFETY, EndToEnd, simple
from servers import Radicale, free_port

PAGE = b"<!DOCTYPE html>\n<html><head><title>Welcome</title></head><body><p>Hello</p></body></html>\n"


def html(status=200):
    return Answer(status, PAGE, {"Content-Type": "text/html; charset=utf-8"})


# In the manual: "the server could not be reached, broke off, or does not speak CalDAV".
STRANGE = (FAILURE, NETWORK)


class BadFiles(EndToEnd):
    def setUp(self):
        super().setUp()
        self.laptop = self.device("laptop")
        self.laptop.run("import", "-", stdin=corpus.calendar(range(20)))
        self.before = self.laptop.items()

    def refused(self, path, *words):
        result = self.laptop.run("import", path, code=None)
        self.assert_complaint(result, FAILURE, *words)
        self.assertEqual(self.laptop.items(), self.before)

    def test_a_file_that_is_no_icalendar_at_all(self):
        self.refused(self.write("letter.txt", "Dear all,\nplease find attached what you asked for.\n"), "icalendar|\\.ics")

    def test_a_picture(self):
        self.refused(self.write("cat.ics", b"\x89PNG\r\n\x1a\n" + bytes(range(256)) * 200), "icalendar|\\.ics")

    def test_an_empty_file(self):
        self.refused(self.write("empty.ics", b""), "empty|icalendar|\\.ics")

    def test_half_a_file(self):
        whole = corpus.calendar(range(100, 140))
        self.refused(self.write("half.ics", whole[: len(whole) // 2]), "end|half|cut|incomplete|broken off")

    def test_a_line_of_ten_megabytes(self):
        line = b"SUMMARY:" + b"x" * 10_000_000
        data = simple(3).replace(b"SUMMARY:Item 1", line)
        self.refused(self.write("line.ics", data), "line")

    def test_a_folded_line_of_ten_megabytes(self):
        line = b"SUMMARY:" + b"\r\n ".join([b"x" * 70] * 150_000)
        self.refused(self.write("folded.ics", simple(3).replace(b"SUMMARY:Item 1", line)), "line")

    def test_a_file_that_is_not_there(self):
        result = self.laptop.run("import", self.folder / "nowhere.ics", code=None)
        self.assertNotEqual(result.code, OK)
        self.assert_complaint(result, result.code, "nowhere\\.ics")

    def test_a_file_nested_too_deep(self):
        data = b"BEGIN:VCALENDAR\r\n" + b"BEGIN:X-BOX\r\n" * 5000 + b"END:X-BOX\r\n" * 5000 + b"END:VCALENDAR\r\n"
        result = self.laptop.run("import", self.write("deep.ics", data), code=None)
        self.assertIn(result.code, range(10), repr(result))
        self.assertEqual(self.laptop.items(), self.before)


class BadServers(EndToEnd):
    def setUp(self):
        super().setUp()
        self.laptop = self.device("laptop")

    def connected(self):
        """A machine in sync with a server; each test then adds a fault to the server."""
        server = self.serve(FakeDAV())
        server.add_list("todo", {f"uid-{n}": ["DTSTAMP:20260101T000000Z", f"SUMMARY:Title {n}"] for n in range(30)})
        self.laptop.add_account(server.url)
        self.laptop.sync()
        self.assertEqual(len(self.laptop.items()), 30)
        self.laptop.run("edit", self.laptop.id_of("uid-1"), "--title", "Edited here")
        server.collections["todo"].put("uid-2.ics", server.collections["todo"].items["uid-2.ics"][1].replace(b"Title", b"New"))
        self.before = self.laptop.items()
        return server

    def fails(self, server, code, *words):
        self.assert_complaint(self.laptop.run("sync", code=None), code, *words)
        self.assertEqual(self.laptop.items(), self.before)
        server.behave()
        self.laptop.sync()
        self.assertEqual(self.laptop.by_uid("uid-1")["title"], "Edited here")
        self.assertEqual(self.laptop.by_uid("uid-2")["title"], "New 2")
        self.assertIn(b"Edited here", server.collections["todo"].items["uid-1.ics"][1])
        self.assertEqual(len(self.laptop.items()), 30)

    # -- when the account is added ---------------------------------------------------------------------------------

    def not_added(self, url, code, *words, password="correct horse"):
        result = self.laptop.add_account(url, password=password, code=None)
        self.assert_complaint(result, code, *words)
        self.assertEqual(self.laptop.json("account", "list"), [])

    def test_a_wrong_password(self):
        self.not_added(self.borrow(Radicale).url, AUTH, "password", password="wrong")

    def test_a_sync_without_an_account_names_the_missing_account(self):
        """Reminders of a local list are not sent, although the user may expect it from a sync."""
        self.laptop.run("import", "-", stdin=simple(3))
        self.laptop.add_account(self.serve(FakeDAV()).url)
        result = self.laptop.run("sync")
        self.assert_complaint(result, OK, "no list to sync", "lists add")
        self.assertEqual(self.laptop.run("sync", "--json").json, [])
        self.assertEqual(self.laptop.run("-q", "sync").err, "")

    def test_a_certificate_without_a_trusted_issuer(self):
        """The connection ends before a byte of the request, and so of the password, is sent."""
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        context.load_cert_chain(Path(__file__).parent / "certificates" / "self-signed.pem")
        heard = []

        def serve():
            while True:
                try:
                    connection, _ = listener.accept()
                except OSError:
                    return
                try:
                    with context.wrap_socket(connection, server_side=True) as secure:
                        heard.append(secure.recv(65536))
                except (OSError, ssl.SSLError):
                    connection.close()

        listener = socket.create_server(("127.0.0.1", 0))
        self.addCleanup(listener.close)
        threading.Thread(target=serve, daemon=True).start()
        url = f"https://127.0.0.1:{listener.getsockname()[1]}/"
        self.not_added(url, NETWORK, "certificate|secure")
        self.assertEqual([data for data in heard if data], [])

    def test_an_address_that_is_a_web_page(self):
        server = self.serve(FakeDAV())
        server.intercept = lambda request: html(200 if request.method in ("GET", "HEAD") else 405)
        self.not_added(server.url + "welcome.html", STRANGE, "caldav|calendar|address")

    def test_an_address_that_answers_every_request_with_a_web_page(self):
        server = self.serve(FakeDAV())
        server.intercept = lambda request: html()
        self.not_added(server.url, STRANGE, "caldav|calendar|address")

    def test_a_server_that_is_down_when_the_account_is_added(self):
        self.not_added(f"http://127.0.0.1:{free_port()}/", NETWORK, "reach|connect|answer|running")

    # -- later -----------------------------------------------------------------------------------------------------

    def test_a_password_that_was_changed_on_the_server(self):
        server = self.connected()
        server.intercept = lambda request: Answer(401, b"", {"WWW-Authenticate": 'Basic realm="fake"'})
        self.fails(server, AUTH, "password")

    def test_a_server_that_is_down(self):
        server = self.borrow(Radicale)
        self.laptop.run("import", "-", "--list", "Reminders", stdin=simple(10))
        self.laptop.add_account(server.url)
        self.laptop.publish("Reminders")
        self.laptop.sync()
        before = self.laptop.items()
        server.halt()
        self.assert_complaint(self.laptop.run("sync", code=None), NETWORK, "reach|connect|answer|running")
        self.assertEqual(self.laptop.items(), before)
        server.start()
        self.laptop.sync()
        self.assertEqual(self.laptop.items(), before)

    def test_a_web_page_with_status_200_in_the_place_of_an_answer(self):
        server = self.connected()
        server.intercept = lambda request: html()
        self.fails(server, STRANGE)

    def test_a_web_page_in_the_place_of_a_listing_only(self):
        server = self.connected()
        server.intercept = lambda request: html() if request.method == "REPORT" else None
        self.fails(server, STRANGE)

    def test_a_redirect_to_another_host_is_not_followed_and_no_password_goes_there(self):
        server = self.connected()
        other = self.serve(FakeDAV())
        elsewhere = other.url.replace("127.0.0.1", "localhost")
        server.intercept = lambda request: Answer(302, b"", {"Location": elsewhere + request.path.lstrip("/")})
        self.fails(server, (*STRANGE, SAFETY), "redirect|another|elsewhere|other")
        self.assertEqual([request.headers.get("authorization") for request in other.take()], [])

    def test_a_body_that_stops_in_the_middle(self):
        server = self.connected()
        server.distort = lambda request, answer: answer.cut(0.5) if request.method in ("REPORT", "PROPFIND") else answer
        self.fails(server, NETWORK)

    def test_a_listing_that_stops_in_the_middle(self):
        server = self.connected()
        server.realm += 1       # the old token is invalid, so the whole list is requested
        server.distort = lambda request, answer: answer.cut(0.7) if request.method == "REPORT" and answer.status == 207 else answer
        self.fails(server, NETWORK)

    def test_xml_with_complete_bytes_and_broken_syntax(self):
        server = self.connected()

        def distort(request, answer):
            if request.method == "REPORT":
                answer.body = answer.body[: len(answer.body) // 2]
            return answer

        server.distort = distort
        self.fails(server, STRANGE)

    def test_an_entity_bomb_and_an_external_entity_are_refused_without_being_read(self):
        canary = self.write("canary", "canary-in-a-file")
        for declaration in (
            '<!ENTITY a "aaaaaaaaaaaaaaaaaaaa"><!ENTITY b "&a;&a;&a;&a;&a;&a;&a;&a;"><!ENTITY x "&b;&b;&b;&b;&b;">',
            f'<!ENTITY x SYSTEM "file://{canary}">',
        ):
            with self.subTest(declaration[:12]):
                server = FakeDAV().start()
                try:
                    server.intercept = lambda request: Answer(207, (
                        f'<?xml version="1.0"?><!DOCTYPE r [{declaration}]><D:multistatus xmlns:D="DAV:"><D:response>'
                        "<D:href>&x;</D:href></D:response></D:multistatus>").encode(), {"Content-Type": "application/xml"})
                    result = self.laptop.add_account(server.url, code=None)
                    self.assertNotEqual(result.code, OK)
                    self.assertNotIn("canary-in-a-file", result.out + result.err)
                finally:
                    server.stop()

    def test_listings_that_name_resources_of_another_host_are_not_followed(self):
        server = self.connected()
        other = self.serve(FakeDAV())

        def distort(request, answer):
            answer.body = answer.body.replace(f"<D:href>{HOME}".encode(), f"<D:href>{other.url}x/".encode())
            return answer

        server.distort = distort
        self.laptop.run("sync", code=None)
        self.assertEqual(other.take(), [])
        self.assertEqual(self.laptop.items(), self.before)


class BadStores(EndToEnd):
    def setUp(self):
        super().setUp()
        self.laptop = self.device("laptop")
        self.laptop.run("import", "-", stdin=corpus.calendar(range(20)))
        self.before = self.laptop.items()

    def settle_files(self):
        """Writes everything into the database file, so that its bytes are the whole store."""
        connection = sqlite3.connect(self.laptop.database())
        connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
        connection.close()
        return self.laptop.database()

    def test_a_store_that_is_locked(self):
        connection = sqlite3.connect(self.laptop.database(), isolation_level=None)
        try:
            connection.execute("BEGIN IMMEDIATE")
            result = self.laptop.run("add", "Not now", code=None, timeout=60)
            self.assert_complaint(result, LOCKED, "another|busy|lock|use")
            self.assertEqual(len(self.laptop.json("list", "--all")), 20, "reading does not wait for a writer")
        finally:
            connection.execute("ROLLBACK")
            connection.close()
        self.assertEqual(self.laptop.items(), self.before)
        self.laptop.run("add", "Now")

    def test_a_store_of_a_newer_version(self):
        path = self.settle_files()
        connection = sqlite3.connect(path)
        version = connection.execute("PRAGMA user_version").fetchone()[0]
        self.assertGreater(version, 0)
        connection.execute("PRAGMA user_version = 999")
        connection.commit()
        connection.close()
        for command in (["list"], ["add", "x"], ["import", "-"]):
            result = self.laptop.run(*command, stdin=simple(1), code=None)
            self.assert_complaint(result, FAILURE, "newer")
        connection = sqlite3.connect(path)
        self.assertEqual(connection.execute("PRAGMA user_version").fetchone()[0], 999)
        connection.execute(f"PRAGMA user_version = {version}")
        connection.commit()
        connection.close()
        self.assertEqual(self.laptop.items(), self.before)

    def corrupted(self, path):
        digest = hashlib.sha256(path.read_bytes()).hexdigest()
        for command in (["list"], ["add", "x"], ["import", "-"]):
            result = self.laptop.run(*command, stdin=simple(1), code=None)
            self.assert_complaint(result, FAILURE, "damaged|corrupt|not a|broken")
        self.assertEqual(hashlib.sha256(path.read_bytes()).hexdigest(), digest, "a damaged store was written to")

    def test_a_store_that_is_no_database_any_more(self):
        path = self.settle_files()
        path.write_bytes(b"This is not what it was." * 2000)
        self.corrupted(path)

    def test_a_store_with_a_page_overwritten(self):
        path = self.settle_files()
        data = bytearray(path.read_bytes())
        data[100:4096] = b"\xa5" * 3996
        path.write_bytes(data)
        self.corrupted(path)

    def test_a_full_disk(self):
        mount = self.folder / "small"
        mount.mkdir()
        done = subprocess.run(["mount", "-t", "tmpfs", "-o", "size=1m,mode=0700", "tmpfs", str(mount)], capture_output=True)
        if done.returncode == 0:
            self.addCleanup(subprocess.run, ["umount", "-l", str(mount)], check=True)
            self.full({"REMINDAV_STORE": str(mount / "store")}, None)
        else:
            # Without permission to mount: a limit on the file size has nearly the same effect.
            self.full({"REMINDAV_STORE": str(self.folder / "limited")}, limit_files)

    def full(self, environment, before_start):
        laptop = self.laptop
        laptop.environment.update(environment)
        laptop.run("import", "-", stdin=simple(5), preexec_fn=before_start)
        before = laptop.items()
        path = self.write("large.ics", corpus.calendar(range(5000)))
        result = laptop.run("import", path, code=None, preexec_fn=before_start)
        self.assert_complaint(result, FAILURE, "full|space|room|written|write")
        self.assertEqual(laptop.items(), before)
        laptop.run("add", "There is room for this", preexec_fn=before_start)


def limit_files():
    signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
    resource.setrlimit(resource.RLIMIT_FSIZE, (1 << 20, 1 << 20))


if __name__ == "__main__":
    unittest.main()

"""The password is sent only to its own server. test_signin.Redirects tests discovery; these tests redirect each kind of
request of a sync, and each kind of reference in an answer.
"""

import base64
import re
import unittest

from fakedav import HOME, Answer
from harness import OK
from security import CANARY, LIST, Attacked, hrefs
from signin import CERTIFICATES, SecureDAV, Trap

STATUSES = (301, 302, 303, 307, 308)
SECRET = base64.b64encode(f"user:{CANARY}".encode()).decode()
REFERENCE = re.compile(rb"<D:href>/dav")


def elsewhere(port, own):
    """Addresses outside the server, by name; `own` is the port of the server."""
    return {
        "another port": f"http://127.0.0.1:{port}",
        "another name": f"http://localhost:{port}",
        "a name below": f"http://dav.localhost:{port}",
        "another address": f"http://127.0.0.2:{port}",
        "no scheme": f"//127.0.0.1:{port}",
        "the server as user": f"http://127.0.0.1:{own}@127.0.0.1:{port}",
        "capitals": f"HTTP://LOCALHOST:{port}",
        "a dot after the name": f"http://localhost.:{port}",
        "IPv6": f"http://[::ffff:127.0.0.1]:{port}",
        "one number": f"http://2130706433:{port}",
        "https": f"https://127.0.0.1:{port}",
        "a white space before": f" http://localhost:{port}",
    }


class Redirects(Attacked):
    def setUp(self):
        super().setUp()
        self.server = self.connect()
        self.trap = self.serve(Trap())
        self.own = self.server.listener.server_address[1]
        self.places = elsewhere(self.trap.port, self.own)

    def assert_kept(self, result):
        self.assert_sentence(result)
        # The listener gets no request, so the password was not sent there.
        self.assertEqual(self.trap.requests, [])

    def test_each_request_of_a_sync_led_elsewhere(self):
        """5 statuses and 12 addresses for each of four requests; the statuses rotate, and each address is used twice."""
        identifiers = {entry["uid"]: str(entry["id"]) for entry in self.laptop.json("list", "--all")}
        tasks = self.server.collections["todo"]
        turn = 0
        for method in ("PROPFIND", "REPORT", "PUT", "DELETE"):
            for name, place in self.places.items():
                status = STATUSES[turn % len(STATUSES)]
                turn += 1
                with self.subTest(method, place=name, status=status):
                    self.laptop.run("edit", identifiers["uid-1"], "--title", f"Here {turn}")
                    tasks.put("uid-2.ics", re.sub(rb"SUMMARY:\w+ \d+", b"SUMMARY:There %d" % turn, tasks.items["uid-2.ics"][1]))
                    if method == "DELETE" and "uid-3" in identifiers:
                        self.laptop.run("delete", identifiers.pop("uid-3"), "--yes")
                    led = []

                    def lead(request):
                        if request.method != method:
                            return None
                        led.append(request)
                        return Answer(status, b"", {"Location": place + request.path})

                    self.server.intercept = lead
                    result = self.laptop.run("sync", code=None)
                    self.assertTrue(led, "nothing was led anywhere")
                    self.assertNotEqual(result.code, OK, repr(result))
                    self.assert_kept(result)
                    if method == "DELETE":
                        self.assertIn("uid-3.ics", tasks.items)
        self.server.behave()
        self.laptop.sync_until_quiet()
        self.assertIn(b"Here %d\r" % turn, tasks.items["uid-1.ics"][1])
        self.assertEqual(self.laptop.by_uid("uid-2")["title"], f"There {turn}")

    def test_references_in_the_answers_of_a_sync(self):
        """Every href of every answer names another address, in each of its forms."""
        for name, place in self.places.items():
            for what in (LIST, HOME):
                with self.subTest(name, what=what):
                    def distort(request, answer):
                        if request.path == what:
                            answer.body = REFERENCE.sub(b"<D:href>" + place.encode() + b"/dav", answer.body)
                        return answer

                    self.server.realm += 1
                    self.server.distort = distort
                    before = self.laptop.items()
                    self.assert_kept(self.laptop.run("sync", code=None))
                    self.assertEqual(self.laptop.items(), before)
                    self.server.behave()
                    self.laptop.run("sync", code=None)

    def test_the_location_in_the_answer_to_a_write(self):
        """Location and Content-Location of an answer to PUT are not followed, and cause no later requests."""
        for name, place in self.places.items():
            with self.subTest(name):
                self.server.distort = lambda request, answer: Answer(201, b"", {
                    "Location": f"{place}{LIST}x.ics", "Content-Location": f"{place}{LIST}x.ics",
                    "Link": f"<{place}/>; rel=canonical", "Refresh": f"0; url={place}/", "Alt-Svc": f'h2="{place[-15:]}"',
                }) if request.method == "PUT" else answer
                self.laptop.run("add", f"New {name}")
                self.assert_kept(self.laptop.run("sync", code=None))
                self.server.behave()
                self.assert_kept(self.laptop.run("sync", code=None))

    def test_the_destination_of_a_move_is_on_the_same_server(self):
        """The program builds Destination from an address of the server; it must not name another host."""
        self.server.add_list("other", {"o-1": ["SUMMARY:Other"]})
        self.laptop.sync()
        identifier = self.laptop.id_of("uid-5")
        self.server.distort = lambda request, answer: hrefs(
            lambda name: self.places["another port"].encode() + LIST.encode() + name)(self.server, request, answer)
        self.laptop.run("edit", identifier, "--list", "other", code=None)
        self.assert_kept(self.laptop.run("sync", code=None))
        for request in self.server.requests:
            destination = request.headers.get("destination", self.server.url)
            self.assertTrue(destination.startswith((self.server.url, "/")), destination)

    def test_every_request_has_the_password_and_a_whole_body_or_neither(self):
        """A redirect at the same server keeps method and body: an empty PROPFIND would request everything."""
        for status in STATUSES:
            with self.subTest(status):
                def lead(request):
                    if request.path == HOME:
                        return Answer(status, b"", {"Location": HOME + "?again"})
                    return None

                self.server.intercept = lead
                self.server.take()
                self.assert_kept(self.laptop.run("sync", code=None))
                for request in self.server.take():
                    self.assertEqual(request.headers["authorization"], f"Basic {SECRET}")
                    if request.method in ("PROPFIND", "REPORT"):
                        self.assertIn(b"<", request.body, request)


class Downgrades(Attacked):
    """With TLS, no redirect and no reference causes a request without TLS to the same server."""

    def test_no_answer_causes_a_request_without_tls(self):
        server = SecureDAV("server", password=CANARY)
        self.serve(server)
        server.add_list("todo", {"uid-1": ["SUMMARY:One"]})
        trap = self.serve(Trap())
        self.add(server.url, code=OK, arguments=("--ca-file", CERTIFICATES / "authority.pem"))
        self.laptop.sync()
        identifier = self.laptop.id_of("uid-1")
        for index, method in enumerate(("PROPFIND", "REPORT", "PUT")):
            for host in ("127.0.0.1", "localhost"):
                with self.subTest(method, host=host):
                    self.laptop.run("edit", identifier, "--title", f"New {method} {host}")
                    tasks = server.collections["todo"]
                    tasks.put("uid-2.ics", tasks.items["uid-1.ics"][1].replace(b"uid-1", b"uid-2"))
                    server.intercept = lambda request: Answer(STATUSES[index], b"", {
                        "Location": f"http://{host}:{trap.port}{request.path}"}) if request.method == method else None
                    self.assertNotEqual(self.laptop.run("sync", code=None).code, OK)
                    self.assertEqual(trap.requests, [])
        server.behave()
        server.distort = lambda request, answer: Answer(answer.status, REFERENCE.sub(
            f"<D:href>http://127.0.0.1:{trap.port}/dav".encode(), answer.body), answer.headers)
        self.assert_sentence(self.laptop.run("sync", code=None))
        self.assertEqual(trap.requests, [])


if __name__ == "__main__":
    unittest.main()

"""A feed that is published by a web server with TLS, with the configurations of docs/manual.md."""

import http.client
import re
import subprocess
import unittest

import icalendar
from harness import SAMPLE, EndToEnd, wait_for
from servers import free_port
from webservers import ALL, HOST, PREFIX, Nginx

SITE = f"https://{HOST}{PREFIX}"


class Published(EndToEnd):
    def setUp(self):
        super().setUp()
        self.laptop = self.device("laptop")
        self.laptop.run("import", SAMPLE, "--list", "Reminders")
        self.port = free_port()

    def serve_feeds(self, *options):
        log = open(self.folder / "serve.log", "ab")
        self.addCleanup(log.close)
        process = self.laptop.start("serve", "--port", str(self.port), *options, stdin=subprocess.DEVNULL, stdout=log,
                                    stderr=log)
        self.addCleanup(process.wait)
        self.addCleanup(process.terminate)
        wait_for(lambda: b"Serving feeds" in (self.folder / "serve.log").read_bytes(), what="the feed server")

    def front(self, kind, **options):
        server = kind(self.folder, self.port, **options)
        server.start()
        self.addCleanup(server.stop)
        return server

    def ask_directly(self, path, host):
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=30)
        try:
            connection.request("GET", path, headers={"Host": host})
            answer = connection.getresponse()
            return answer.status, answer.read().decode()
        finally:
            connection.close()

    def test_the_configurations_of_the_manual_publish_a_feed(self):
        """The printed address works unchanged."""
        address = self.laptop.run("feed", "create", "--feed-address", SITE)
        self.serve_feeds("--feed-address", SITE)
        url = address.out.strip()
        self.assertRegex(url, rf"^{SITE}/feed/[0-9a-f]{{32}}\.ics$")
        path = url.removeprefix(f"https://{HOST}")
        for line in ("webcal://" + url.removeprefix("https://"), "Google", "Outlook", "Apple"):
            self.assertIn(line, address.err)
        for kind in ALL:
            with self.subTest(kind.language):
                server = self.front(kind)
                status, tag, body = server.ask(path)
                self.assertEqual(status, 200, body)
                self.assertGreater(len(icalendar.Calendar.from_ical(body).walk("VEVENT")), 3)
                status, again, nothing = server.ask(path, {"If-None-Match": tag})
                self.assertEqual((status, again, nothing), (304, tag, b""))
                wrong = path.replace("/feed/", "/feed/0")[:-5] + ".ics"
                self.assertEqual(server.ask(wrong)[0], 404)
                token = re.search("[0-9a-f]{32}", path)[0]
                self.assertNotIn(token, server.access_log(), "the access log has the address, which is all that it takes")
                server.stop()
        self.assertNotIn(token, (self.folder / "serve.log").read_text())

    def test_the_path_may_be_kept_or_removed(self):
        config = self.laptop.home / ".config" / "remindav"
        config.mkdir(parents=True)
        (config / "config").write_text(f"feed-address = {SITE}/\n")
        url = self.laptop.json("feed", "create")["url"]
        self.serve_feeds()
        for kind in ALL:
            for strips in (True, False):
                with self.subTest(kind.language, strips=strips):
                    folder = self.folder / f"strips-{strips}-{kind.language}"
                    folder.mkdir(mode=0o755)
                    server = kind(folder, self.port, strips=strips)
                    server.start()
                    self.addCleanup(server.stop)
                    status, _, body = server.ask(url.removeprefix(f"https://{HOST}"))
                    self.assertEqual(status, 200, body)
                    server.stop()

    def test_other_host_names_get_an_error_that_names_the_setting(self):
        path = self.laptop.json("feed", "create", "--feed-address", SITE)["url"].removeprefix(SITE)
        self.serve_feeds("--feed-address", SITE)
        for host in (HOST, HOST.upper(), f"{HOST}:443", f"{HOST}:8443", f"127.0.0.1:{self.port}", f"localhost:{self.port}"):
            self.assertEqual(self.ask_directly(path, host)[0], 200, host)
            self.assertEqual(self.ask_directly(PREFIX + path, host)[0], 200, host)
        for host in ("evil.example", f"{HOST}.evil.example", f"x.{HOST}", "localhost:1"):
            status, text = self.ask_directly(path, host)
            self.assertEqual(status, 421, host)
            self.assertIn("feed-address", text)
            self.assertNotIn("evil", text)
        server = self.front(Nginx)
        status, _, body = server.ask(PREFIX + path, host="evil.example")
        self.assertEqual(status, 421)
        self.assertIn(b"feed-address", body)

    def test_without_the_setting_only_names_of_this_machine_are_answered(self):
        made = self.laptop.run("feed", "create")
        self.assertIn("feed-address", made.err)
        self.serve_feeds()
        path = made.out.strip().removeprefix("http://127.0.0.1:8737")
        self.assertEqual(self.ask_directly(path, f"127.0.0.1:{self.port}")[0], 200)
        self.assertEqual(self.ask_directly(path, HOST)[0], 421)


if __name__ == "__main__":
    unittest.main()

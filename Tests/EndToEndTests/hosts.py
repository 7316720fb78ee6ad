"""The base of the tests of hosts: a PostgreSQL server, an administrator, and the processes of `host run`."""

import re
import signal
import subprocess
import sys
import threading
import urllib.error
import urllib.request
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from harness import OK, EndToEnd
from postgres import Server

CANARY = {"ada": "canary of ada", "ben": "canary of ben"}
STOP_SECONDS = 40


class HostTest(EndToEnd):
    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        cls.server = Server()
        cls.addClassCleanup(cls.server.stop)

    def setUp(self):
        super().setUp()
        self.admin = self.device("admin")
        # The tests share a database; a key of an earlier test would be under another key of the host.
        self.sql("DELETE FROM tenant_key")
        self.use_role("owner")

    def use_role(self, role):
        self.admin.run("config", "set", "host", f"host={self.server.folder} dbname=postgres user={role}")

    def prepare(self):
        self.admin.run("host", "init")
        self.use_role("remindav_worker")
        for name in CANARY:
            if name in [tenant["name"] for tenant in self.admin.json("host", "tenant", "list")]:
                self.admin.run("host", "tenant", "remove", name, "--yes")
        self.admin.run("host", "tenant", "add", "ada", "--zone", "Europe/Berlin")
        self.admin.run("host", "tenant", "add", "ben")

    def sql(self, script):
        return self.server.psql(script, "-At").stdout

    def prepare_key(self):
        self.prepare()
        self.key = self.admin.folder / "host.key"
        self.key.unlink(missing_ok=True)
        self.admin.run("host", "key", "new", self.key)
        self.admin.run("config", "set", "host-key", self.key)

    def allow(self, server, networks="127.0.0.0/8"):
        self.admin.run("config", "set", "host-allow", networks)
        self.admin.run("config", "set", "host-ports", server.port)

    def add_account(self, server, *options, tenant="ada", password=None, code=OK):
        return self.admin.run("--tenant", tenant, "account", "add", server.url, "--user", server.user, "--password-stdin",
                              *options, stdin=(password or server.password) + "\n", code=code)

    def run_host(self, *options, environment=None):
        """Starts a process of the host, with its monitoring on a free port."""
        process = HostProcess(self.admin, *options, environment=environment)
        self.addCleanup(process.kill)
        return process


class HostProcess:
    """A running `host run`; its log is read all the time, because a full pipe would stop it."""

    def __init__(self, device, *options, environment=None):
        self.process = device.start(
            "host", "run", "--port", "0", "--monitoring-port", "0", *options, environment=environment,
            stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True,
        )
        self.log = []
        self.started = threading.Event()
        self.reader = threading.Thread(target=self.read, daemon=True)
        self.reader.start()

    def read(self):
        for line in self.process.stderr:
            self.log.append(line.rstrip("\n"))
            if "/metrics" in line:
                self.started.set()
        self.started.set()

    def port(self, word):
        assert self.started.wait(30), self.log
        line, = [line for line in self.log if word in line]
        return re.search(r"127\.0\.0\.1:(\d+)", line)[1]

    def feed(self, url, **headers):
        """Requests a feed by its public address; returns the status, the headers and the body."""
        return self.get(self.port("Serving feeds"), "/feed/" + url.split("/feed/")[1], headers)

    def monitor(self, path):
        return self.get(self.port("metrics"), path, {})

    @staticmethod
    def get(port, path, headers):
        request = urllib.request.Request(f"http://127.0.0.1:{port}{path}", headers=headers)
        try:
            with urllib.request.urlopen(request, timeout=30) as answer:
                return answer.status, answer.headers, answer.read().decode()
        except urllib.error.HTTPError as error:
            with error:
                return error.code, error.headers, error.read().decode()

    def metric(self, name):
        """The sum of the values of a metric."""
        _, _, text = self.monitor("/metrics")
        return sum(float(value) for value in re.findall(rf"^remindav_{name}(?:{{[^}}]*}})? (\S+)$", text, re.M))

    def stop(self):
        """Stops the process as systemd does; returns its exit status."""
        self.process.send_signal(signal.SIGTERM)
        status = self.process.wait(STOP_SECONDS)
        self.reader.join(10)
        return status

    def kill(self):
        if self.process.poll() is None:
            self.process.kill()
            self.process.wait()
        self.reader.join(10)
        self.process.stderr.close()

"""The real servers and the foreign programs that the end-to-end tests talk to.

As a program:

    servers.py install                     makes the virtual environment; prints its python
    servers.py run radicale|xandikos FILE  starts a server in the foreground, writes its address to FILE when
                                           it answers, and ends it (and its data) when it is told to end

Everything listens on 127.0.0.1, on a port that was free, and is ended by process id.
"""

import base64
import http.client
import os
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import threading
import time
from pathlib import Path

from loopback import Handler, Listener

PACKAGES = ["radicale", "xandikos", "vdirsyncer", "todoman", "icalendar", "python-dateutil>=2.9"]
HOME = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "remindav-tests"
VENV = HOME / "venv"
USER = "user"
PASSWORD = "correct horse"


def system_python():
    """A python3 that can make virtual environments: Debian's own first, so that a version manager does not matter."""
    for candidate in ["/usr/bin/python3", shutil.which("python3"), sys.executable]:
        if candidate and os.path.exists(candidate):
            probe = subprocess.run([candidate, "-c", "import ensurepip, venv"], capture_output=True)
            if probe.returncode == 0:
                return candidate
    raise SystemExit("No python3 with the module venv was found. Install the Debian package python3-venv.")


def install():
    """Makes the environment once, and again when the list of packages changed. Returns its python."""
    python = VENV / "bin" / "python"
    mark = VENV / "installed"
    wanted = " ".join(PACKAGES)
    if not (python.exists() and mark.exists() and mark.read_text() == wanted):
        HOME.mkdir(parents=True, exist_ok=True)
        shutil.rmtree(VENV, ignore_errors=True)
        subprocess.run([system_python(), "-m", "venv", str(VENV)], check=True, stdout=sys.stderr)
        subprocess.run([str(python), "-m", "pip", "install", "--quiet", *PACKAGES], check=True, stdout=sys.stderr)
        mark.write_text(wanted)
    return python


def tool(name):
    """The path of a program in the environment."""
    return str(VENV / "bin" / name)


def free_port():
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


class Server:
    """A real server with its own empty data, from `start` to `stop`."""

    name = ""

    def __init__(self):
        self.folder = Path(tempfile.mkdtemp(prefix=f"remindav-{self.name}-"))
        self.port = free_port()
        self.user = USER
        self.password = PASSWORD
        self.process = None

    @property
    def url(self):
        return f"http://127.0.0.1:{self.port}/"

    def command(self):
        raise NotImplementedError

    def start(self):
        log = open(self.folder / "log", "ab")
        self.process = subprocess.Popen(
            self.command(), stdin=subprocess.DEVNULL, stdout=log, stderr=log, cwd=self.folder,
            env={**os.environ, "HOME": str(self.folder), "XDG_DATA_HOME": str(self.folder / "xdg")},
        )
        log.close()
        deadline = time.monotonic() + 60
        while True:
            try:
                if self.request("OPTIONS", "/")[0] < 500:
                    return self
            except OSError:
                pass
            if self.process.poll() is not None or time.monotonic() > deadline:
                tail = (self.folder / "log").read_text(errors="replace")[-2000:]
                self.stop()
                raise RuntimeError(f"{self.name} did not answer:\n{tail}")
            time.sleep(0.1)

    def stop(self):
        self.halt()
        shutil.rmtree(self.folder, ignore_errors=True)

    def halt(self):
        """Ends the process and keeps the data; `start` brings it back on the same port."""
        process, self.process = self.process, None
        if process is None:
            return
        process.terminate()
        try:
            process.wait(10)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()

    def request(self, method, path, body=b"", headers=None):
        """One request of our own, with the account's password. Returns status, headers and body."""
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=60)
        secret = base64.b64encode(f"{self.user}:{self.password}".encode()).decode()
        try:
            connection.request(method, path, body, {"Authorization": f"Basic {secret}", **(headers or {})})
            answer = connection.getresponse()
            return answer.status, dict(answer.getheaders()), answer.read()
        finally:
            connection.close()

    def __enter__(self):
        return self.start()

    def __exit__(self, *_):
        self.stop()


class Radicale(Server):
    name = "radicale"
    home = f"/{USER}/"

    def command(self):
        (self.folder / "users").write_text(f"{self.user}:{self.password}\n")
        (self.folder / "config").write_text(
            f"[server]\nhosts = 127.0.0.1:{self.port}\nmax_connections = 40\n"
            f"[auth]\ntype = htpasswd\nhtpasswd_filename = {self.folder}/users\nhtpasswd_encryption = plain\ndelay = 0\n"
            f"[storage]\nfilesystem_folder = {self.folder}/data\n"
            "[web]\ntype = none\n[logging]\nlevel = warning\n"
        )
        return [tool("radicale"), "--config", str(self.folder / "config")]


class Xandikos(Server):
    """Checks no password over plain http; the tests of passwords use Radicale."""

    name = "xandikos"
    home = f"/{USER}/calendars/"

    def command(self):
        return [
            tool("xandikos"), "serve", "-d", str(self.folder / "data"), "--state-dir", str(self.folder / "state"),
            "--current-user-principal", f"/{USER}/", "--autocreate", "--no-detect-systemd",
            "-l", "127.0.0.1", "-p", str(self.port),
        ]


SERVERS = {server.name: server for server in (Radicale, Xandikos)}


class CountingProxy:
    """Stands before a server, hands everything through, and remembers method, path and status of each request.

    Keeps the client's connection alive whatever the server does, and sends without delay, so that it adds little to
    what is measured.
    """

    def __init__(self, server):
        self.port = server.port
        self.log = []
        self.lock = threading.Lock()
        proxy = self

        class ProxyHandler(Handler):
            def handle_any(self):
                body = self.body()
                upstream = http.client.HTTPConnection("127.0.0.1", proxy.port, timeout=120)
                try:
                    upstream.putrequest(self.command, self.path, skip_host=True, skip_accept_encoding=True)
                    for name, value in self.headers.items():
                        if name.lower() not in ("connection", "transfer-encoding"):
                            upstream.putheader(name, value)
                    upstream.putheader("Connection", "close")
                    upstream.endheaders(body)
                    answer = upstream.getresponse()
                    payload = answer.read()
                except OSError:
                    self.close_connection = True
                    return
                finally:
                    upstream.close()
                with proxy.lock:
                    proxy.log.append((self.command, self.path, answer.status))
                dropped = ("connection", "keep-alive", "transfer-encoding", "content-length")
                headers = [(name, value) for name, value in answer.getheaders() if name.lower() not in dropped]
                self.send_head(answer.status, answer.reason, headers, len(payload))
                if self.command != "HEAD":
                    self.wfile.write(payload)

        self.listener = Listener(ProxyHandler)

    @property
    def url(self):
        return f"http://127.0.0.1:{self.listener.server_address[1]}/"

    def take(self):
        """What was asked since the last call."""
        with self.lock:
            log, self.log = self.log, []
            return log

    def stop(self):
        self.listener.stop()


def run_in_foreground(name, ready):
    server = SERVERS[name]()
    for number in (signal.SIGTERM, signal.SIGINT, signal.SIGHUP):
        signal.signal(number, lambda *_: sys.exit(0))
    try:
        server.start()
        partial = Path(str(ready) + ".partial")
        partial.write_text(server.url + "\n")
        partial.rename(ready)
        server.process.wait()
    finally:
        server.stop()


def main(arguments):
    if arguments == ["install"]:
        print(install())
    elif len(arguments) == 3 and arguments[0] == "run" and arguments[1] in SERVERS:
        run_in_foreground(arguments[1], Path(arguments[2]))
    else:
        raise SystemExit(__doc__)


if __name__ == "__main__":
    main(sys.argv[1:])

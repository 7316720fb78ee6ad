"""The common part of all real servers: an empty folder, separate processes, and one account.

Everything listens on 127.0.0.1, on a free port, and is ended by process id.
"""

import atexit
import base64
import concurrent.futures
import http.client
import os
import pwd
import shutil
import signal
import socket
import subprocess
import tempfile
import time
from pathlib import Path

# The data are needed only during a test, so they are in memory if it has space.
MEMORY = Path("/dev/shm")
WANTED_BYTES = 2 << 30
USER = "user"
PASSWORD = "correct horse"
START_SECONDS = 60


def free_port():
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


def data_folder(name):
    has_room = MEMORY.is_dir() and os.access(MEMORY, os.W_OK) and shutil.disk_usage(MEMORY).free > WANTED_BYTES
    return Path(tempfile.mkdtemp(prefix=f"remindav-{name}-", dir=MEMORY if has_room else None))


def version_of(package):
    """The version of a Debian package according to dpkg."""
    answer = subprocess.run(["dpkg-query", "-W", "-f", "${Version}", package], capture_output=True, text=True)
    return answer.stdout.strip() or "none"


def require_root(name):
    if os.geteuid() != 0:
        raise SystemExit(f"{name} drops to users of its own, for which root is needed. Run this as root.")


# The started servers end with the tests, also after an error.
RUNNING = set()


@atexit.register
def stop_all():
    for server in list(RUNNING):
        server.stop()


class Server:
    """A real server with its own empty data, from `start` to `stop`."""

    name = ""
    title = ""
    path = "/"                  # the path for `account add`, after the host
    home = ""                   # the path of the lists, with a slash at its end
    others_read = False         # whether processes of other users have to reach the folder
    end_seconds = 10            # the time limit for the end of a process
    idle = ()                   # for a class with `empty`: started servers with an empty home, for the next test

    def __init__(self):
        self.folder = data_folder(self.name)
        if self.others_read:
            self.folder.chmod(0o755)
        self.port = free_port()
        self.user = USER
        self.password = PASSWORD
        self.processes = []

    # -- the parts of each server ---------------------------------------------------------------------------------------

    def command(self):
        """The command line of the server; `prepare` starts the programs that it needs."""
        raise NotImplementedError

    def prepare(self):
        """Creates the data of a first start, and starts the programs that the server needs."""

    def furnish(self):
        """Creates the data that need a running server."""

    def environment(self):
        return {**os.environ, "HOME": str(self.folder), "XDG_DATA_HOME": str(self.folder / "xdg")}

    run_as = None               # the user of the server, if it refuses to run as root

    def is_up(self):
        return self.request("OPTIONS", self.path)[0] < 500

    def version(self):
        return "none"

    # -- life --------------------------------------------------------------------------------------------------------

    @property
    def url(self):
        return f"http://127.0.0.1:{self.port}/"

    @property
    def process(self):
        return self.processes[-1] if self.processes else None

    def launch(self, command, log="log", user=None, environment=None):
        """Starts a process that ends with this server."""
        with open(self.folder / log, "ab") as output:
            process = subprocess.Popen(
                command, stdin=subprocess.DEVNULL, stdout=output, stderr=output, cwd=self.folder,
                env=environment or self.environment(),
                start_new_session=True,     # Apache ends its whole process group, so it needs its own one
                **as_user(user),
            )
        self.processes.append(process)
        return process

    def start(self):
        RUNNING.add(self)
        try:
            self.prepare()
            self.launch(self.command(), user=self.run_as)
            self.wait_until(self.is_up)
            self.furnish()
        except BaseException:
            self.stop()
            raise
        return self

    def wait_until(self, condition, seconds=START_SECONDS):
        deadline = time.monotonic() + seconds
        while True:
            try:
                if condition():
                    return
            except (OSError, http.client.HTTPException):
                pass
            if any(process.poll() is not None for process in self.processes) or time.monotonic() > deadline:
                raise RuntimeError(f"{self.name} did not answer:\n{self.tail()}")
            time.sleep(0.05)

    def tail(self):
        log = self.folder / "log"
        return log.read_text(errors="replace")[-2000:] if log.exists() else ""

    @classmethod
    def borrow(cls):
        """A started server with an empty home; `give_back` ends its use."""
        if cls.idle:
            return cls.idle.pop()
        server = cls().start()
        server.first_process = server.process
        return server

    def give_back(self):
        """Keeps the server for the next test if it can be emptied, and ends it otherwise."""
        intact = self.process is not None and self.process is self.first_process and self.process.poll() is None
        if isinstance(self.idle, list) and intact:
            self.empty()
            self.idle.append(self)
        else:
            self.stop()

    def stop(self):
        RUNNING.discard(self)
        self.halt()
        shutil.rmtree(self.folder, ignore_errors=True)

    def halt(self):
        """Ends the processes, the last one first, and keeps the data; `start` starts them again on the same port."""
        while self.processes:
            end(self.processes.pop(), self.end_seconds)

    # -- for the scenarios ------------------------------------------------------------------------------------

    def fill(self, peer, path, texts):
        """Adds many to-dos to a list, UID to text, in the fastest way for this server."""
        with concurrent.futures.ThreadPoolExecutor(4) as pool:
            list(pool.map(lambda entry: peer.put_text(path, entry[1], entry[0] + ".ics"), texts.items()))

    # -- requests of our own -----------------------------------------------------------------------------------------

    def request(self, method, path, body=b"", headers=None, user=None, port=None):
        """One request with the account's password, or another user's. Returns status, headers and body."""
        connection = http.client.HTTPConnection("127.0.0.1", port or self.port, timeout=300)
        secret = base64.b64encode(f"{user or self.user}:{self.password}".encode()).decode()
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


def as_user(name):
    """The arguments of Popen and run for a process that must not run as root."""
    if name is None or os.geteuid() != 0:
        return {}
    entry = pwd.getpwnam(name)
    return {"user": entry.pw_uid, "group": entry.pw_gid, "extra_groups": []}


def give(path, name):
    """Changes the owner of a file or folder, with its content."""
    entry = pwd.getpwnam(name)
    for one in [path, *path.rglob("*")]:
        os.chown(one, entry.pw_uid, entry.pw_gid)


def children(pid):
    """The descendants of a process, children first."""
    found = []
    try:
        for task in Path(f"/proc/{pid}/task").iterdir():
            found += [int(word) for word in (task / "children").read_text().split()]
    except OSError:
        pass
    return found + [deeper for child in found for deeper in children(child)]


def end(process, seconds):
    """Ends a process and its children."""
    below = children(process.pid)
    process.terminate()
    try:
        process.wait(seconds)
    except subprocess.TimeoutExpired:
        process.kill()
        process.wait()
    for pid in below:
        try:
            os.kill(pid, signal.SIGKILL)
        except OSError:
            pass

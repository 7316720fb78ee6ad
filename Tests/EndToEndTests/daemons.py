"""Shared parts of the tests of `remindav daemon`: a user with a separate desktop, and the daemon on it.

REMINDAV_DAEMON_FULL runs long tests in full; REMINDAV_SEED selects the random order of events.
"""

import os
import signal
import subprocess
import time
from pathlib import Path

from desktop import Desktop
from harness import EndToEnd, ics, wait_for

FULL = bool(os.environ.get("REMINDAV_DAEMON_FULL"))
SEED = int(os.environ.get("REMINDAV_SEED", "20261122"))


def utc(seconds):
    return time.strftime("%Y%m%dT%H%M%SZ", time.gmtime(seconds))


def todo(uid, due, *lines, title=None):
    return [f"UID:{uid}", f"SUMMARY:{title or uid}", f"DUE:{utc(due)}", *lines]


def seconds_of_processor(process):
    fields = Path(f"/proc/{process.pid}/stat").read_text().rpartition(")")[2].split()
    return sum(map(int, fields[11:13])) / os.sysconf("SC_CLK_TCK")


class Daemon(EndToEnd):
    with_service = True

    def setUp(self):
        super().setUp()
        self.person, self.desktop = self.desk("person")
        self.running = []
        self.addCleanup(lambda: [self.end(daemon, signal.SIGKILL) for daemon in list(self.running)])

    def desk(self, name):
        """A device with a private desktop."""
        device = self.device(name)
        desktop = Desktop(device.folder)
        desktop.start()
        self.addCleanup(desktop.stop)
        device.environment.update(desktop.environment)
        device.environment["XDG_RUNTIME_DIR"] = ""
        if self.with_service:
            desktop.start_service()
        return device, desktop

    def settings(self, *lines, device=None):
        path = (device or self.person).home / ".config" / "remindav" / "config"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text("\n".join(lines) + "\n")
        return path

    def keep(self, *todos):
        self.person.run("import", "-", stdin=ics(*todos))

    def start(self, device=None, seconds=15, **options):
        device = device or self.person
        log = (device.folder / "daemon.log").open("ab")
        before = self.log(device).count("Alarms are delivered")
        daemon = device.start("daemon", stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=log, **options)
        log.close()
        self.running.append(daemon)
        wait_for(lambda: self.log(device).count("Alarms are delivered") > before or daemon.poll() is not None, seconds,
                 "the daemon")
        self.assertIsNone(daemon.poll(), self.log(device))
        return daemon

    def log(self, device=None):
        path = (device or self.person).folder / "daemon.log"
        return path.read_text() if path.exists() else ""

    def end(self, daemon, number=signal.SIGTERM):
        if daemon.poll() is None:
            daemon.send_signal(number)
        code = daemon.wait(10)
        self.running.remove(daemon)
        return code

    def wait_for_notifications(self, count, seconds=15):
        wait_for(lambda: len(self.desktop.notifications()) >= count, seconds, f"{count} notifications; log: {self.log()}")
        return self.desktop.notifications()

    def text(self, uid):
        """The to-do in the form of an export, without folds."""
        out = self.person.run("export").out.replace("\r\n", "\n").replace("\n ", "")
        return next(block for block in out.split("BEGIN:VTODO") if f"UID:{uid}\n" in block)

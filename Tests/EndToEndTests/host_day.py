"""A day of a host: docs/try.sh --host runs it with the built program.

Three users of one PostgreSQL server have accounts on a Radicale server, and two workers sync them. A worker and
PostgreSQL are killed in between. At the end, all users and the server have the same reminders.
"""

import json
import subprocess
import sys
import tempfile
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
sys.path[:0] = [str(ROOT / "Tests"), str(ROOT / "Tests" / "EndToEndTests")]

from harness import Device, wait_for  # noqa: E402
from hosts import HostProcess  # noqa: E402
from postgres import Server  # noqa: E402
from servers import Radicale  # noqa: E402

USERS = ("ada", "ben", "cleo")
# An edit is sent after five seconds, or a minute after the last sync of the account.
SYNC_SECONDS = 90
# The leases of a killed worker end after two minutes.
TAKEOVER_SECONDS = 150


def step(text):
    print(f"\n{text}", flush=True)


def say(text):
    print(f"  {text}", flush=True)


class Day:
    def __init__(self, folder):
        self.admin = Device(folder, "host")
        self.database = Server(fsync="on")
        self.radicale = Radicale()
        self.processes = []

    def close(self):
        for process in self.processes:
            process.kill()
        self.radicale.stop()
        self.database.stop()

    def run(self, *words, stdin=""):
        print("  host$ remindav " + " ".join(map(str, words)), flush=True)
        return self.admin.run(*words, stdin=stdin)

    def use_role(self, role):
        self.admin.run("config", "set", "host", self.database.place.replace("user=owner", f"user={role}"))

    def start_process(self, *roles):
        process = HostProcess(self.admin, "--roles", ",".join(roles))
        self.processes.append(process)
        wait_for(lambda: process.monitor("/readyz")[0] == 200, 30, "the start of a process")
        return process

    def reminders(self, user):
        """The reminders of a user, without the numbers of the store."""
        found = self.admin.json("--tenant", user, "list", "--all")
        return {item["uid"]: (item["title"], item["due"], item["status"], item["notes"]) for item in found}

    def wait_until_equal(self, condition=lambda reminders: True, seconds=SYNC_SECONDS):
        def are_equal():
            stores = [self.reminders(user) for user in USERS]
            return all(store == stores[0] for store in stores) and condition(stores[0])

        started = time.monotonic()
        while not are_equal():
            self.make_due()
            if time.monotonic() - started > seconds:
                raise SystemExit("The users still have different reminders. This is a bug of Remindav; please report it.")
            time.sleep(2)
        say(f"All three have the same {len(self.reminders('ada'))} reminders, after {time.monotonic() - started:.0f} seconds.")

    def play(self):
        step("3. Starting PostgreSQL and Radicale, on this machine only")
        self.radicale.start()
        self.radicale.request("MKCALENDAR", f"{self.radicale.home}shared/")
        self.use_role("owner")
        self.run("host", "init")
        self.use_role("remindav_worker")
        self.run("host", "check")

        step("4. Three users with one shared list")
        key = self.admin.folder / "host.key"
        self.admin.run("host", "key", "new", key)
        self.admin.run("config", "set", "host-key", key)
        self.admin.run("config", "set", "host-allow", "127.0.0.0/8")
        self.admin.run("config", "set", "host-ports", self.radicale.port)
        for user in USERS:
            self.run("host", "tenant", "add", user, "--zone", "Europe/Berlin")
            self.run("--tenant", user, "account", "add", self.radicale.url, "--user", self.radicale.user, "--password-stdin",
                     stdin=self.radicale.password + "\n")
            # An interval of five minutes is the shortest of a host.
            self.admin.run("--tenant", user, "account", "set", "--sync-interval", "5m")
        name, = [entry["name"] for entry in self.admin.json("--tenant", "ada", "lists") if entry["account"]]

        step("5. Two workers and a server of feeds")
        workers = [self.start_process("sync") for _ in range(2)]
        web = self.start_process("web")
        self.run("--tenant", "ada", "import", ROOT / "docs" / "sample.ics", "--list", name)
        expected = self.reminders("ada")
        self.make_due()
        self.wait_until_equal(lambda found: set(expected) <= set(found))

        step("6. Each user edits, and a worker is killed")
        uids = sorted(expected)
        self.run("--tenant", "ben", "add", "Buy stamps", "--due", "2035-12-01", "--list", name)
        self.run("--tenant", "cleo", "add", "Call the plumber", "--due", "2035-12-02", "--list", name)
        self.run("--tenant", "ada", "edit", self.number("ada", uids[0]), "--priority", "high")
        self.make_due()
        workers[0].kill()
        say("killed a worker")
        self.wait_until_equal(lambda found: {"Buy stamps", "Call the plumber"} <= {entry[0] for entry in found.values()},
                              TAKEOVER_SECONDS)

        step("7. PostgreSQL is killed, and starts again")
        self.run("--tenant", "ben", "done", self.number("ben", title="Call the plumber"))
        self.make_due()
        time.sleep(0.5)
        self.database.kill()
        say("killed PostgreSQL")
        self.database.start()
        say("started PostgreSQL")
        self.wait_until_equal(lambda found: any(entry[0] == "Call the plumber" and entry[2] == "completed" for entry in found.values()),
                              TAKEOVER_SECONDS)
        self.run("host", "queue")

        step("8. A feed for a calendar program")
        url = self.admin.json("--tenant", "cleo", "feed", "create")["url"]
        status, headers, body = web.feed(url)
        events = body.count("BEGIN:VEVENT")
        say(f"A calendar program receives {events} events (status {status}).")
        unchanged = web.feed(url, **{"If-None-Match": headers["ETag"]})[0]
        say(f"The next request, without a change, gets status {unchanged}.")
        if (status, unchanged) != (200, 304) or events == 0:
            raise SystemExit("The feed is wrong. This is a bug of Remindav; please report it.")

        step("9. Stopping the processes, and comparing with the server")
        for process in [workers[1], web]:
            if process.stop() != 0:
                raise SystemExit(f"A process did not stop cleanly: {process.log}")
        device = Device(self.admin.folder, "phone")
        device.run("account", "add", self.radicale.url, "--user", self.radicale.user, "--password-stdin",
                   stdin=self.radicale.password + "\n")
        device.run("sync")
        files = {}
        for store, words in [*((user, ("--tenant", user)) for user in USERS), ("server", ())]:
            source = device if store == "server" else self.admin
            files[store] = self.admin.folder / f"{store}.json"
            entries = [entry for entry in source.json(*words, "list", "--all") if entry["list"] == name]
            files[store].write_text(json.dumps(entries))
        stores = Path(__file__).with_name("stores.py")
        arguments = [f"{store}={path}" for store, path in files.items()]
        if subprocess.run([sys.executable, stores, "compare", *arguments]).returncode != 0:
            raise SystemExit("They differ. This is a bug of Remindav; please report it.")

    def number(self, user, uid=None, title=None):
        return next(item["id"] for item in self.admin.json("--tenant", user, "list", "--all")
                    if item["uid"] == uid or item["title"] == title)

    def make_due(self):
        """Lets all accounts be due now, instead of after five minutes."""
        self.database.psql("UPDATE work SET next_at = moment(), started = 0 WHERE stop_reason IS NULL; UPDATE server SET wanted_at = moment()")


def main():
    with tempfile.TemporaryDirectory(prefix="remindav-host-") as folder:
        day = Day(folder)
        try:
            day.play()
        finally:
            day.close()


if __name__ == "__main__":
    main()

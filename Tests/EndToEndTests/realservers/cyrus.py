"""The CalDAV module of Cyrus IMAP from Debian: libical rewrites every body and drops unknown content.

Passwords are in a private sasldb. Measured with cyrus-caldav 3.6.1-4+deb12u5 and libical 3.0.16 of Debian 12.
"""

import imaplib
import subprocess

from realservers.base import USER, Server, free_port, give, require_root, version_of

PROGRAMS = "/usr/lib/cyrus/bin"
OWNER = "cyrus"
IMAP_CONFIGURATION = """
configdirectory: {folder}/lib
proc_path: {folder}/run/proc
mboxname_lockpath: {folder}/run/lock
defaultpartition: default
partition-default: {folder}/spool
sievedir: {folder}/sieve
lmtpsocket: {folder}/run/lmtp
idlesocket: {folder}/run/idle
notifysocket: {folder}/run/notify
servername: localhost
admins: admin
allowplaintext: yes
allowanonymouslogin: no
sasl_pwcheck_method: auxprop
sasl_auxprop_plugin: sasldb
sasl_sasldb_path: {folder}/sasldb2
sasl_mech_list: PLAIN
virtdomains: off
altnamespace: no
unixhierarchysep: no
httpmodules: caldav
syslog_prefix: remindav-tests
"""
MASTER_CONFIGURATION = """
START {{
  recover cmd="{programs}/ctl_cyrusdb -C {folder}/imapd.conf -r"
}}
SERVICES {{
  imap cmd="imapd -C {folder}/imapd.conf" listen="127.0.0.1:{imap}" proto="tcp4" prefork=0 maxchild=5
  http cmd="httpd -C {folder}/imapd.conf -U 1000" listen="127.0.0.1:{port}" proto="tcp4" prefork=2 maxchild=20
}}
EVENTS {{
  checkpoint cmd="{programs}/ctl_cyrusdb -C {folder}/imapd.conf -c" period=30
}}
"""


class Cyrus(Server):
    name = "cyrus"
    title = "Cyrus"
    path = "/dav/"
    home = f"/dav/calendars/user/{USER}/"
    others_read = True

    def __init__(self):
        require_root("Cyrus")
        super().__init__()
        self.imap = free_port()

    def prepare(self):
        folder = self.folder
        (folder / "imapd.conf").write_text(IMAP_CONFIGURATION.format(folder=folder))
        (folder / "cyrus.conf").write_text(
            MASTER_CONFIGURATION.format(programs=PROGRAMS, folder=folder, imap=self.imap, port=self.port))
        self.is_fresh = not (folder / "lib").exists()
        if self.is_fresh:
            for name in "db socket proc lock log msg ptclient quota user".split():
                (folder / "lib" / name).mkdir(parents=True)
            for name in "run/proc run/lock spool sieve".split():
                (folder / name).mkdir(parents=True)
            for user in (self.user, "admin"):
                subprocess.run(
                    ["/usr/sbin/saslpasswd2", "-p", "-c", "-f", str(folder / "sasldb2"), "-u", "localhost", user],
                    input=self.password.encode(), check=True, capture_output=True)
        give(folder, OWNER)

    def command(self):
        return [
            f"{PROGRAMS}/master", "-C", str(self.folder / "imapd.conf"), "-M", str(self.folder / "cyrus.conf"),
            "-p", str(self.folder / "run" / "master.pid"),
        ]

    def is_up(self):
        # Any answer is accepted: without a mailbox it is 500.
        return self.request("OPTIONS", self.path)[0] > 0

    def as_administrator(self, command, *words):
        """One command over IMAP by the administrator."""
        connection = imaplib.IMAP4("127.0.0.1", self.imap)
        connection.authenticate("PLAIN", lambda _: f"\0admin\0{self.password}".encode())
        status, answer = getattr(connection, command)(*words)
        connection.logout()
        if status != "OK":
            raise RuntimeError(f"Cyrus refused {command}: {answer}")
        return answer

    def furnish(self):
        """Creates the user's mailbox; the first request creates the calendar home."""
        if self.is_fresh:
            self.as_administrator("create", f"user.{self.user}")
        self.wait_until(lambda: self.request("PROPFIND", self.home, b"", {"Depth": "0"})[0] == 207)

    def read_only_list(self, peer, name, text):
        path = peer.make_list("shown", name)
        peer.put_text(path, text, "one.ics")
        mailbox = f"user.{self.user}.#calendars.shown"
        self.as_administrator("setacl", mailbox, self.user, "lrs")
        return path, lambda: self.as_administrator("setacl", mailbox, self.user, "lrswipkxtecdan789")

    def version(self):
        return version_of("cyrus-caldav")

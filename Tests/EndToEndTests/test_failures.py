"""Each failure that a user can cause, in one table: its cause, the printed sentence, the exit status.

A sentence has the error, its place and a remedy, in one line. {url}, {id} and {time} are placeholders for values of each run.
"""

import re
import socket
import subprocess
import threading
import unittest

import corpus
from fakedav import HOME, NAMESPACES, XML, Answer, FakeDAV
from harness import AUTH, FAILURE, LOCKED, NETWORK, NOT_FOUND, PARTIAL, SAFETY, USAGE, EndToEnd, simple, wait_for
from servers import free_port
from signin import CERTIFICATES, SecureDAV, TokenDAV

CANARY = "canary-7f3a correct horse"
AUTHORITY = ("--ca-file", CERTIFICATES / "authority.pem")
PLACEHOLDERS = {"url": r"https?://[^ ]+?", "id": r"\d+", "time": r"[^']+"}
ROWS = []


def row(name, status, sentence):
    """The decorated function causes the failure: it gets the test and returns the output of the binary."""
    def note(function):
        ROWS.append((name, status, sentence, function))
        return function
    return note


def rows(*table):
    """The same for rows with generated functions: name, function, status, sentence."""
    for name, function, status, sentence in table:
        row(name, status, sentence)(function)


# -- causes of failures ---------------------------------------------------------------------------------------------


def adds(server, *options):
    """Adds an account; `server` creates the server."""
    return lambda test: test.add(test.serve(server()).url, *options)


def answering(answer):
    """A server with one answer to all requests."""
    def make():
        server = FakeDAV(password=CANARY)
        server.intercept = lambda request: answer
        return server
    return make


def adds_at(address):
    return lambda test: test.add(address)


def syncs(answer, *methods, edits=1):
    """Syncs this number of edits; the server gives the answer to requests of these methods, or to all."""
    def run(test):
        server = test.connected(edits)
        server.intercept = lambda request: answer if not methods or request.method in methods else None
        return test.laptop.run("sync", code=None)
    return run


def named(precondition, status, inside=""):
    """An answer with the condition of its refusal (RFC 4918 section 16)."""
    body = f"<D:error {NAMESPACES}><{precondition}>{inside}</{precondition}></D:error>"
    return Answer(status, body.encode(), {"Content-Type": XML})


def page(status):
    return Answer(status, b"<!DOCTYPE html><html><p>Hello</p></html>", {"Content-Type": "text/html"})


class Misnamed(FakeDAV):
    @property
    def url(self):
        return super().url.replace("http:", "https:")


class MisnamedSecure(SecureDAV):
    @property
    def url(self):
        return super().url.replace("https:", "http:")


# -- signing in -----------------------------------------------------------------------------------------------------

BUSY = "remindav: 127.0.0.1: {url}: the server is busy or in maintenance (503)"
LATER = "Nothing is lost. Try again later, or tell the administrator."
BASIC = {"WWW-Authenticate": 'Basic realm="x"'}
REJECTED = "the server does not accept the user name or the password (401)"
TWO_FACTORS = ("Two-factor authentication requires an app password; on Nextcloud, 'remindav account add --nextcloud URL' "
               "creates one.")
CHECK = f"Check both. {TWO_FACTORS} 'remindav account password' changes the password of an account."
NOT_ADDED = f"No account was added. Check both and repeat the command. {TWO_FACTORS}"

rows(
    ("a wrong password, of a new account", adds(lambda: FakeDAV(password="another")), AUTH,
     f"remindav: {{url}}: {REJECTED}: they are wrong, or it requires an app password. {NOT_ADDED}"),
    ("a password that was changed on the server", syncs(Answer(401, b"", BASIC)), AUTH,
     f"remindav: 127.0.0.1: {{url}}: {REJECTED}: they are wrong, or it requires an app password. "
     + CHECK),
    ("an app password is needed", adds(answering(Answer(401, b"password login forbidden", BASIC))), AUTH,
     f"remindav: {{url}}: {REJECTED}: it requires an app password. No account was added. "
     "Create one in the settings of the server, or, on Nextcloud, with 'remindav account add --nextcloud URL'."),
    ("no challenge", adds(answering(Answer(401))), AUTH,
     f"remindav: {{url}}: {REJECTED}: they are wrong, or it requires an app password. {NOT_ADDED}"),
    ("a thousand schemes that we do not have",
     adds(answering(Answer(401, b"", {"WWW-Authenticate": ", ".join(f"Way{n}" for n in range(1000))}))), AUTH,
     f"remindav: {{url}}: {REJECTED}: it requires the sign-in method way0, way1, way2, way3, way4 and others, "
     "which remindav does not support. Ask the administrator for Basic or Digest, or use a --token-command."),
    ("a scheme that we do not have", adds(answering(Answer(401, b"", {"WWW-Authenticate": "Negotiate"}))), AUTH,
     f"remindav: {{url}}: {REJECTED}: it requires the sign-in method negotiate, which remindav does not support. "
     "Ask the administrator for Basic or Digest, or use a --token-command."),
)


@row("a token that has expired", AUTH,
     f"remindav: 127.0.0.1: {{url}}: {REJECTED}: the token is wrong or has expired. Run the token command by hand: it "
     "must print a valid token.")
def _(test):
    server = test.serve(TokenDAV("canary-token"))
    server.add_list("todo")
    test.laptop.run("account", "add", server.url, "--user", "user", "--token-command", "echo canary-token")
    server.bearer = "another"
    return test.laptop.run("sync", code=None)


# -- the way there --------------------------------------------------------------------------------------------------

CONNECTION = "Check the address and the connection, then try again."
RENEW = "Ask the administrator to renew it. Nothing was sent."
VOUCH = "If it is your own server, check it and trust it with 'remindav account trust'."

rows(
    ("a certificate that has expired", adds(lambda: SecureDAV("expired"), *AUTHORITY), NETWORK,
     f"remindav: {{url}}: the server's certificate has expired. {RENEW}"),
    ("a certificate that is not yet valid", adds(lambda: SecureDAV("early"), *AUTHORITY), NETWORK,
     "remindav: {url}: the server's certificate is not valid yet. Set the clock of this computer if it is wrong. "
     "Nothing was sent."),
    ("a certificate for another host", adds(lambda: SecureDAV("elsewhere"), *AUTHORITY), NETWORK,
     "remindav: {url}: the server's certificate is for another host. Use the address that the certificate names; "
     "'remindav account trust' shows it."),
    ("an unknown authority", adds(lambda: SecureDAV("server")), NETWORK,
     f"remindav: {{url}}: no trusted authority signed the server's certificate. {VOUCH}"),
    ("a self-signed certificate", adds(lambda: SecureDAV("self-signed")), NETWORK,
     f"remindav: {{url}}: no trusted authority signed the server's certificate. {VOUCH}"),
    ("https:// at a server of http://", adds(Misnamed), NETWORK,
     "remindav: {url}: the service at this port does not speak TLS. Check the address and its port, and whether the "
     "server uses https://. Nothing was sent."),
    ("http:// at a server of https://", adds(lambda: MisnamedSecure("server")), NETWORK,
     "remindav: {url}: the connection ended before the answer was complete. Nothing is lost. Try again later, and "
     "check whether https:// or http:// is correct."),
    ("http:// on the open network", adds_at("http://192.0.2.1/"), SAFETY,
     "remindav: {url}: the password would be sent unencrypted. Use an address that begins with https://, or "
     "--allow-insecure yes in a network that you trust."),
    ("an unknown host name", adds_at("https://nowhere.invalid/"), NETWORK,
     f"remindav: {{url}}: the server's name cannot be found. {CONNECTION}"),
    ("an e-mail address of an unknown domain", adds_at("ada@nowhere.invalid"), NETWORK,
     f"remindav: {{url}}: the server's name cannot be found. {CONNECTION}"),
    ("nothing listens there", lambda test: test.add(f"http://127.0.0.1:{free_port()}/"), NETWORK,
     f"remindav: {{url}}: the server cannot be reached. {CONNECTION}"),
    ("a redirect to another host", adds(answering(Answer(302, b"", {"Location": "https://other.example/"}))), SAFETY,
     "remindav: https://other.example: the server redirects to another host; the password was not sent to it. If that "
     "host is correct, use its address instead."),
)


@row("a server that was there and is gone", NETWORK,
     f"remindav: 127.0.0.1: {{url}}: the server cannot be reached. {CONNECTION}")
def _(test):
    server = test.connected()
    server.stop()
    server.stop = lambda: None
    return test.laptop.run("sync", code=None)


@row("a server that sends nothing", NETWORK,
     "remindav: {url}: the server takes too long to answer: there was no connection after 15 seconds. Nothing is "
     "lost. Try again later.")
def _(test):
    # It accepts the connection and never answers the TLS handshake.
    listener = socket.create_server(("127.0.0.1", 0))
    test.addCleanup(listener.close)
    return test.add(f"https://127.0.0.1:{listener.getsockname()[1]}/")


@row("a server that reads the request and sends nothing", NETWORK,
     "remindav: {url}: the server takes too long to answer: no data for 30 seconds. Nothing is lost. Try again later.")
def _(test):
    listener = socket.create_server(("127.0.0.1", 0))
    test.addCleanup(listener.close)
    return test.add(f"http://127.0.0.1:{listener.getsockname()[1]}/")


# -- answers of the server ------------------------------------------------------------------------------------------

NO_CALDAV = "Check the address. The settings page or the manual of the server contains its CalDAV address."
TRY_AGAIN = "Nothing was changed locally. Try again, or tell the administrator."

rows(
    ("a web page, of a new account", adds(answering(page(200))), FAILURE,
     f"remindav: {{url}}: no CalDAV server answers at this address. {NO_CALDAV}"),
    ("a web page in the place of CalDAV", syncs(page(200)), FAILURE,
     f"remindav: 127.0.0.1: {{url}}: no CalDAV server answers at this address: the answer is a web page. {NO_CALDAV}"),
    ("nothing at the address", syncs(Answer(404)), FAILURE,
     "remindav: 127.0.0.1: {url}: there is nothing at this address on the server (404). Nothing was deleted locally. "
     "Check the address, and whether the server still has this user."),
    ("not allowed", syncs(Answer(403)), FAILURE,
     "remindav: 127.0.0.1: {url}: the server does not allow this (403). Ask the owner of the list, or use another one."),
    ("a refused request", syncs(Answer(400)), FAILURE,
     "remindav: 127.0.0.1: {url}: the server refuses the request (400). Check the address, and whether it begins with "
     "https://. The manual of the server contains it."),
    ("an answer that is broken", syncs(Answer(207, b"<a")), NETWORK,
     "remindav: 127.0.0.1: {url}: the server's answer cannot be used: the answer cannot be read: line 1: it is not "
     f"well-formed XML. {TRY_AGAIN}"),
    ("an answer that breaks off", syncs(Answer(207, b"x" * 100).cut(0.5)), NETWORK,
     "remindav: 127.0.0.1: {url}: the connection ended before the answer was complete. Nothing is lost. Try again "
     "later, and check whether https:// or http:// is correct."),
    ("a server that fails", syncs(Answer(500)), NETWORK,
     f"remindav: 127.0.0.1: {{url}}: the server reports an internal error (500). {LATER}"),
    ("maintenance", syncs(Answer(503)), NETWORK, f"{BUSY}. {LATER}"),
    ("maintenance of known length", syncs(Answer(503, b"", {"Retry-After": "3600"})), NETWORK,
     f"{BUSY}, and requests a pause of 60 minutes. {LATER}"),
    ("a limit on requests, in seconds", syncs(Answer(429, b"", {"Retry-After": "90"})), NETWORK,
     f"remindav: 127.0.0.1: {{url}}: the server received more requests than it allows (429), and requests a "
     f"pause of 90 seconds. {LATER}"),
    ("a limit on requests, until a date", syncs(Answer(429, b"", {
        "Date": "Thu, 01 Jan 2026 10:00:00 GMT", "Retry-After": "Thu, 01 Jan 2026 13:00:00 GMT"})), NETWORK,
     f"remindav: 127.0.0.1: {{url}}: the server received more requests than it allows (429), and requests a "
     f"pause of 3 hours. {LATER}"),
    ("a limit on requests without a time", syncs(Answer(429)), NETWORK,
     f"remindav: 127.0.0.1: {{url}}: the server received more requests than it allows (429). {LATER}"),
)


@row("a server that has requested a pause", NETWORK,
     "remindav: 127.0.0.1: The server requested a pause until {time}. No request was sent. Sync again "
     "after that time, or use 'remindav sync --now'.")
def _(test):
    server = test.connected()
    server.intercept = lambda request: Answer(503, b"", {"Retry-After": "3600"})
    test.laptop.run("sync", code=NETWORK)
    server.behave()
    return test.laptop.run("sync", code=None)


# -- one reminder ---------------------------------------------------------------------------------------------------

ONE = "remindav: todo: 1 reminder left out: 'Buy milk 1' ({id}). {url}: "
STAYS = ("It stays on this computer. It is sent again after an edit with 'remindav edit', after a week, or with "
         "'remindav sync --now'.")
ROOM = "Nothing is lost. Free some space on the server; the next sync then sends the rest."
SHORTEN = "It stays on this computer. Shorten it with 'remindav edit'; the next sync then sends it."

rows(
    ("a reminder that is refused (400)", syncs(Answer(400), "PUT"), PARTIAL,
     f"{ONE}the server does not accept this reminder (400). {STAYS}"),
    ("a reminder that is refused (415)", syncs(Answer(415), "PUT"), PARTIAL,
     f"{ONE}the server does not accept this reminder (415). {STAYS}"),
    ("a reminder that is refused with a reason", syncs(named("C:valid-calendar-data", 403), "PUT"), PARTIAL,
     f"{ONE}the server does not accept this reminder (403): valid-calendar-data. {STAYS}"),
    ("a reminder that may not be written", syncs(Answer(403), "PUT"), PARTIAL,
     f"{ONE}the server does not allow this (403). Ask the owner of the list, or use another one."),
    ("five reminders that are refused", syncs(Answer(400), "PUT", edits=5), PARTIAL,
     "remindav: todo: 5 reminders left out: 'Buy milk 1' ({id}), 'Buy milk 2' ({id}), 'Buy milk 3' ({id}) and 2 more. {url}: "
     f"the server does not accept this reminder (400). {STAYS}"),
    ("a reminder that is too large", syncs(Answer(413), "PUT"), PARTIAL,
     f"{ONE}the reminder is larger than the server accepts (413). {SHORTEN}"),
    ("over quota (507)", syncs(Answer(507), "PUT"), PARTIAL,
     f"{ONE}the account has no storage space left on the server (507). {ROOM}"),
    ("over quota (403 and a name)", syncs(named("D:quota-not-exceeded", 403), "PUT"), PARTIAL,
     f"{ONE}the account has no storage space left on the server (403): quota-not-exceeded. {ROOM}"),
    ("two reminders of one UID", syncs(
        named("C:no-uid-conflict", 409, f"<D:href>{HOME}other/x.ics</D:href>"), "PUT"), PARTIAL,
     f"{ONE}the server already has another reminder with the same UID (409): {HOME}other/x.ics. It stays on this "
     "computer. Delete one of the two, locally or on the server, and run 'remindav sync' again."),
    ("a server that fails at one reminder", syncs(Answer(500), "PUT"), PARTIAL,
     f"{ONE}the server reports an internal error (500). {LATER}"),
)

# -- lists ----------------------------------------------------------------------------------------------------------


@row("no such list", NOT_FOUND,
     "remindav: There is no such list ('nope'). 'remindav lists' shows the names; 'remindav lists add NAME' creates a list.")
def _(test):
    return test.laptop.run("add", "Buy milk", "--list", "nope", code=None)


@row("a list that the server has lost", PARTIAL,
     "remindav: todo: The server no longer has the list ('todo'). Its reminders stay on this computer until "
     "you decide. 'remindav lists' shows the options.")
def _(test):
    del test.connected().collections["todo"]
    return test.laptop.run("sync", code=None)


@row("a change of a list that is read-only", FAILURE,
     "remindav: This list is read-only ('todo'). Choose another list; 'remindav lists' shows the writable "
     "lists.")
def _(test):
    test.connected(0).collections["todo"].read_only = True
    test.laptop.run("sync")
    return test.laptop.run("add", "Buy milk", "--list", "todo", code=None)


@row("a list that has become read-only with an unsent edit", PARTIAL,
     "remindav: todo: 1 reminder left out: 'Buy milk 1' ({id}). This list is now read-only and has unsent "
     "changes ('todo'). Move each with 'remindav edit ID --list NAME', or discard all with "
     "'remindav lists discard NAME'.")
def _(test):
    test.connected().collections["todo"].read_only = True
    return test.laptop.run("sync", code=None)


# -- this machine ---------------------------------------------------------------------------------------------------


@row("another sync is running", LOCKED,
     "remindav: Another sync of this store is running. Wait for its end, then try again.")
def _(test):
    server = test.connected()
    asked, answered = threading.Event(), threading.Event()
    test.addCleanup(answered.set)

    def wait(request):
        asked.set()
        answered.wait(60)

    server.intercept = wait
    other = test.laptop.start("sync", stdout=subprocess.DEVNULL)
    test.addCleanup(other.wait)
    test.addCleanup(answered.set)
    wait_for(asked.is_set, what="the first sync")
    return test.laptop.run("sync", code=None)


@row("no account", NOT_FOUND,
     "remindav: There is no account yet. Add one with 'remindav account add URL --user NAME'.")
def _(test):
    return test.laptop.run("sync", code=None)


def on_a_disk(test, size):
    """Creates a store with a few reminders on a separate disk. Returns the disk."""
    mount = test.folder / "disk"
    mount.mkdir()
    options = f"size={size},mode=0700"
    if subprocess.run(["mount", "-t", "tmpfs", "-o", options, "tmpfs", mount], capture_output=True).returncode:
        test.skipTest("mounts are not permitted on this machine")
    test.addCleanup(subprocess.run, ["umount", "-l", mount], check=True)
    test.laptop.environment["REMINDAV_STORE"] = str(mount / "store")
    test.laptop.run("import", "-", stdin=simple(5))
    return mount


@row("no room for the store", FAILURE,
     "remindav: The disk is full; the store was not changed. Free some space and try again.")
def _(test):
    on_a_disk(test, "1m")
    path = test.write("large.ics", corpus.calendar(range(5000)))
    return test.laptop.run("import", path, code=None)


@row("a store that may not be written", FAILURE,
     "remindav: The store cannot be written. Check the folder and its permissions, or choose another one with --store.")
def _(test):
    mount = on_a_disk(test, "8m")
    subprocess.run(["mount", "-o", "remount,ro", mount], check=True)
    return test.laptop.run("add", "Buy milk", code=None)


class Failures(EndToEnd):
    def setUp(self):
        super().setUp()
        self.laptop = self.device("laptop")

    def add(self, address, *options):
        return self.laptop.run("account", "add", address, *(() if "@" in address else ("--user", "user")), *options,
                               "--password-stdin", stdin=CANARY + "\n", code=None)

    def connected(self, edits=1):
        """A machine in sync with a server, except for a number of local edits. Each test then changes the server."""
        server = self.serve(FakeDAV(password=CANARY))
        server.add_list("todo", {f"uid-{number}": [f"SUMMARY:Title {number}", "DESCRIPTION:canary in a note"]
                                 for number in range(1, 7)})
        self.add(server.url)
        self.laptop.sync()
        for number in range(1, edits + 1):
            self.laptop.run("edit", self.laptop.id_of(f"uid-{number}"), "--title", f"Buy milk {number}")
        return server

    def try_row(self, status, sentence, function):
        result = function(self)
        pattern = re.escape(sentence)
        for name, meaning in PLACEHOLDERS.items():
            pattern = pattern.replace(re.escape("{" + name + "}"), meaning)
        self.assert_complaint(result, status)
        self.assertRegex(result.err, f"^{pattern}\n$", repr(result))
        # The output contains neither the password nor notes, and the record of a run contains no text at all.
        self.assertNotIn("canary", result.out + result.err)
        if self.laptop.store.exists() and "canary-token" not in str(result):
            for run in self.laptop.json("log"):
                self.assertRegex(run["error"] or "none", "^[A-Za-z]+$")


def make(status, sentence, function):
    return lambda self: self.try_row(status, sentence, function)


for number, (name, status, sentence, function) in enumerate(ROWS):
    words = re.sub(r"\W+", "_", name).strip("_").lower()
    setattr(Failures, f"test_{number:02}_{words}", make(status, sentence, function))


if __name__ == "__main__":
    unittest.main()

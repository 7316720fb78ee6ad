"""Strict servers with different authentication schemes, and a user at a terminal."""

import base64
import fcntl
import hashlib
import json
import os
import pty
import re
import secrets
import select
import ssl
import struct
import termios
import time
from pathlib import Path
from urllib.parse import unquote

from fakedav import Answer, FakeDAV
from harness import BINARY
from loopback import Handler, Listener

CERTIFICATES = Path(__file__).parent / "certificates"


class SecureDAV(FakeDAV):
    """The same over TLS, with a certificate of ours; with `client`, it requires a client certificate of the authority."""

    def __init__(self, certificate, client=False, **options):
        super().__init__(**options)
        self.context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        self.context.load_cert_chain(CERTIFICATES / f"{certificate}.pem")
        if client:
            self.context.verify_mode = ssl.CERT_REQUIRED
            self.context.load_verify_locations(CERTIFICATES / "authority.pem")

    def start(self):
        super().start()
        self.listener.socket = self.context.wrap_socket(self.listener.socket, server_side=True)
        return self

    @property
    def url(self):
        return super().url.replace("http:", "https:")


class DigestDAV(FakeDAV):
    """Requires Digest (RFC 7616), checks every parameter, and invalidates a nonce after a number of uses."""

    HASHES = {"MD5": hashlib.md5, "SHA-256": hashlib.sha256}

    def __init__(self, algorithm="SHA-256", uses=1000, **options):
        super().__init__(**options)
        self.algorithm = algorithm
        self.uses = uses
        self.nonces = {}
        self.faults = []
        self.in_clear = 0       # requests that contain the password

    def challenge(self, stale=False):
        nonce = secrets.token_hex(16)
        self.nonces[nonce] = set()
        return Answer(401, b"", {"WWW-Authenticate":
            f'Digest realm="a \\"strict\\" one", qop="auth", algorithm={self.algorithm}, nonce="{nonce}", '
            f'opaque="0p/aque=", charset=UTF-8' + (", stale=true" if stale else "")})

    def serve(self, request):
        header = request.headers.get("authorization", "")
        if not header.startswith("Digest "):
            self.in_clear += header.startswith("Basic ")
            return self.challenge()
        fields = {name: quoted.replace("\\\"", '"') if quoted else plain for name, quoted, plain in
                  re.findall(r'([\w*]+)=(?:"((?:[^"\\]|\\.)*)"|([^\s,]+))', header[7:])}
        trouble = self.trouble(request, fields)
        if trouble == "stale":
            return self.challenge(stale=True)
        if trouble:
            self.faults.append((trouble, header))
            return self.challenge()
        request.headers["authorization"] = self.basic()
        return super().serve(request)

    def basic(self):
        return "Basic " + base64.b64encode(f"{self.user}:{self.password}".encode()).decode()

    def trouble(self, request, fields):
        """The error in an answer to the challenge; `None` without an error."""
        base = self.algorithm.removesuffix("-sess")
        digest = lambda text: self.HASHES[base](text.encode()).hexdigest()
        nonce = fields.get("nonce")
        if nonce not in self.nonces:
            return "an unknown nonce"
        if len(self.nonces[nonce]) >= self.uses:
            return "stale"
        if fields.get("nc") in self.nonces[nonce] or not re.fullmatch("[0-9a-f]{8}", fields.get("nc", "")):
            return "a count that was used"
        if fields.get("uri") != request.path:
            return "another address"
        if fields.get("opaque") != "0p/aque=" or fields.get("qop") != "auth":
            return "opaque or qop"
        if fields.get("realm") != 'a "strict" one' or fields.get("algorithm") != self.algorithm:
            return "realm or algorithm"
        user = fields.get("username")
        if user is None:
            user = unquote(fields.get("username*", "").removeprefix("UTF-8''"))
        secret = digest(f"{user}:a \"strict\" one:{self.password}")
        if self.algorithm.endswith("-sess"):
            secret = digest(f"{secret}:{nonce}:{fields.get('cnonce')}")
        wanted = digest(f"{secret}:{nonce}:{fields['nc']}:{fields.get('cnonce')}:auth:"
                        + digest(f"{request.method}:{request.path}"))
        if user != self.user or fields.get("response") != wanted:
            return "the response"
        self.nonces[nonce].add(fields["nc"])
        return None


class TokenDAV(FakeDAV):
    """Requires the token in a file; the answer to another token is that it is no longer valid."""

    def __init__(self, token="token-1", **options):
        super().__init__(**options)
        self.bearer = token

    def serve(self, request):
        if request.headers.get("authorization") != f"Bearer {self.bearer}":
            return Answer(401, b"", {"WWW-Authenticate": 'Bearer realm="x", error="invalid_token"'})
        secret = base64.b64encode(f"{self.user}:{self.password}".encode()).decode()
        request.headers["authorization"] = f"Basic {secret}"
        return super().serve(request)


class Nextcloud(FakeDAV):
    """A CalDAV account, and the login flow that issues its password."""

    def __init__(self, waits=1, **options):
        super().__init__(**options)
        self.waits = waits
        self.host = None
        self.code = secrets.token_hex(32)

    def answer(self, request):
        path = request.path.split("?")[0]
        base = self.host or self.url.rstrip("/")
        if path == "/index.php/login/v2" and request.method == "POST":
            self.requests.append(request)
            return self.say({"poll": {"token": self.code, "endpoint": f"{base}/login/v2/poll"},
                             "login": f"{base}/login/v2/flow/guest"})
        if path == "/login/v2/poll" and request.method == "POST":
            self.requests.append(request)
            if request.body != b"token=" + self.code.encode():
                return Answer(404, b"[]", {"Content-Type": "application/json"})
            self.waits -= 1
            if self.waits >= 0:
                return Answer(404, b"[]", {"Content-Type": "application/json"})
            return self.say({"server": base, "loginName": self.user, "appPassword": self.password})
        return super().answer(request)

    @staticmethod
    def say(value):
        return Answer(200, json.dumps(value).encode(), {"Content-Type": "application/json; charset=utf-8"})


class Trap:
    """A listener that must get no request. It records every request with its headers."""

    def __init__(self, certificate=None):
        trap = self
        self.requests = []
        self.authorized = 0

        class TrapHandler(Handler):
            def handle_any(self):
                trap.authorized += "Authorization" in self.headers
                trap.requests.append((self.command, self.path, self.headers.get("Authorization"), self.body()))
                self.send_head(401, None, [("WWW-Authenticate", 'Basic realm="give it to me"')], 0)

        self.listener = Listener(TrapHandler)
        if certificate:
            context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
            context.load_cert_chain(CERTIFICATES / f"{certificate}.pem")
            self.listener.socket = context.wrap_socket(self.listener.socket, server_side=True)

    @property
    def port(self):
        return self.listener.server_address[1]

    told_port = port

    def start(self):
        return self

    def stop(self):
        self.listener.stop()


def at_terminal(device, arguments, answers, environment=None, seconds=60, size=None):
    """Runs the binary on a separate terminal and types each answer after its question.

    `answers` is a list of (pattern, line), and `size` is the number of rows and columns. Returns the exit code and the output.
    """
    device.note(arguments)
    pid, terminal = pty.fork()
    if pid == 0:
        if size:
            fcntl.ioctl(1, termios.TIOCSWINSZ, struct.pack("HHHH", *size, 0, 0))
        os.chdir(device.folder)
        os.execve(BINARY, [str(BINARY), *map(str, arguments)], {**device.environment, **(environment or {})})
    shown = ""
    seen = 0
    waiting = list(answers)
    deadline = time.monotonic() + seconds
    while time.monotonic() < deadline:
        if not select.select([terminal], [], [], 0.1)[0]:
            continue
        try:
            piece = os.read(terminal, 65536)
        except OSError:
            break
        if not piece:
            break
        shown += piece.decode("utf-8", "replace")
        if waiting and re.search(waiting[0][0], shown[seen:]):
            seen = len(shown)
            os.write(terminal, (waiting.pop(0)[1] + "\n").encode())
    else:
        os.kill(pid, 9)
    _, status = os.waitpid(pid, 0)
    os.close(terminal)
    return os.waitstatus_to_exitcode(status), shown, [pattern for pattern, _ in waiting]


SECRET_TOOL = """#!/bin/sh
# Stands in for libsecret's tool: notes its arguments, and keeps what it reads in a folder.
printf '%s\\n' "$*" >> "$KEYRING/arguments"
command=$1
for last; do :; done
case $command in
    store) [ -e "$KEYRING/locked" ] && exit 1; cat > "$KEYRING/$last" ;;
    lookup) [ -e "$KEYRING/$last" ] || exit 1; cat "$KEYRING/$last" ;;
    clear) rm -f "$KEYRING/$last" ;;
esac
"""


def keyring(device):
    """Creates a keyring for this device, as in a desktop session. Returns its folder and the environment."""
    folder = device.folder / "keyring"
    tools = device.folder / "tools"
    folder.mkdir()
    tools.mkdir()
    tool = tools / "secret-tool"
    tool.write_text(SECRET_TOOL)
    tool.chmod(0o755)
    return folder, {"KEYRING": str(folder), "PATH": f"{tools}:/usr/bin:/bin",
                    "DBUS_SESSION_BUS_ADDRESS": "unix:path=/nonexistent"}

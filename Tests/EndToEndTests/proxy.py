"""A proxy before a server: it counts the requests, and can replace requests and answers.

    proxy.before = lambda request: Answer(503)             # the server does not receive the request
    proxy.after = lambda request, answer: LOST             # the request was executed, and its answer is lost

Both run for each request. `before` may also cause a side effect (for example an edit on the server) and return None.
"""

import http.client
import threading
from dataclasses import dataclass, field
from urllib.parse import urlsplit

from loopback import Handler, Listener

HOP_BY_HOP = ("connection", "proxy-connection", "keep-alive", "transfer-encoding", "content-length")


@dataclass
class Request:
    method: str
    path: str
    headers: dict               # names in small letters
    body: bytes


@dataclass
class Answer:
    status: int
    body: bytes = b""
    headers: list = field(default_factory=list)         # pairs
    reason: str = None
    share: float = 1.0          # the connection ends after this share of the body

    def header(self, name):
        return next((value for key, value in self.headers if key.lower() == name.lower()), None)

    def without(self, name):
        self.headers = [(key, value) for key, value in self.headers if key.lower() != name.lower()]
        return self

    def cut(self, share):
        self.share = share
        return self


LOST = Answer(0)                # the connection ends without a byte


class CountingProxy:
    """Forwards everything, and records method, path and status of each request.

    Keeps the client's connection open independently of the server, and sends without delay, so that it adds little to the
    measured time. `up` and `down` are the bytes of requests and answers with their headers. It can also be the proxy of a
    client (`http_proxy`): then the client uses the address of the server itself.
    """

    def __init__(self, server):
        self.port = server.port
        self.log = []
        self.up = self.down = 0
        self.lock = threading.Lock()
        self.before = None
        self.after = None
        proxy = self

        class ProxyHandler(Handler):
            def handle_any(self):
                headers = {name.lower(): value for name, value in self.headers.items()}
                path = urlsplit(self.path)._replace(scheme="", netloc="").geturl()
                request = Request(self.command, path, headers, self.body())
                answer = proxy.answer(request)
                with proxy.lock:
                    proxy.log.append((request.method, request.path, answer.status))
                    proxy.up += len(self.requestline) + 2 + size(self.headers.items()) + len(request.body)
                    proxy.down += len(f"HTTP/1.1 {answer.status} {answer.reason}\r\n")
                    proxy.down += size(answer.headers) + len(answer.body)
                if answer.status == 0:
                    self.close_connection = True
                    return
                self.send_head(answer.status, answer.reason, answer.headers, len(answer.body))
                if self.command != "HEAD":
                    self.wfile.write(answer.body[: int(len(answer.body) * answer.share)])
                if answer.share < 1:
                    self.close_connection = True

        self.listener = Listener(ProxyHandler)

    def answer(self, request):
        instead = self.before(request) if self.before else None
        if instead is not None:
            return instead
        if self.after:
            # Answers that are rewritten must not be compressed.
            request.headers.pop("accept-encoding", None)
        try:
            answer = self.pass_on(request)
        except (OSError, http.client.HTTPException):
            return LOST
        return self.after(request, answer) if self.after else answer

    def pass_on(self, request):
        upstream = http.client.HTTPConnection("127.0.0.1", self.port, timeout=300)
        try:
            upstream.putrequest(request.method, request.path, skip_host=True, skip_accept_encoding=True)
            for name, value in request.headers.items():
                if name not in HOP_BY_HOP:
                    upstream.putheader(name, value)
            if request.body or request.method in ("PUT", "POST"):
                upstream.putheader("Content-Length", str(len(request.body)))
            upstream.putheader("Connection", "close")
            upstream.endheaders(request.body)
            answer = upstream.getresponse()
            kept = [(name, value) for name, value in answer.getheaders() if name.lower() not in HOP_BY_HOP]
            return Answer(answer.status, answer.read(), kept, answer.reason)
        finally:
            upstream.close()

    @property
    def url(self):
        return f"http://127.0.0.1:{self.listener.server_address[1]}/"

    def behave(self):
        self.before = None
        self.after = None

    def take(self):
        """The requests since the last call."""
        with self.lock:
            log, self.log = self.log, []
            return log

    def stop(self):
        self.listener.stop()


def size(headers):
    """The bytes of header fields and of the empty line after them."""
    return sum(len(name) + len(value) + 4 for name, value in headers) + 2

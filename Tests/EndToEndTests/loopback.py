"""An HTTP server on this machine that passes every request, with any method, to one function."""

import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer


class Handler(BaseHTTPRequestHandler):
    """Keeps connections alive and sends without delay. A subclass has `handle_any`."""

    protocol_version = "HTTP/1.1"
    disable_nagle_algorithm = True

    def body(self):
        length = int(self.headers.get("Content-Length") or 0)
        return self.rfile.read(length) if length else b""

    def send_head(self, status, reason, headers, length):
        """`length` is the length of the body; it is not sent if the status forbids a body."""
        self.send_response_only(status, reason)
        for name, value in headers:
            self.send_header(name, value)
        if status not in (204, 304):
            self.send_header("Content-Length", str(length))
        self.end_headers()

    def __getattr__(self, name):
        if name.startswith("do_"):
            return self.handle_any
        raise AttributeError(name)

    def log_message(self, *_):
        pass


class Listener(ThreadingHTTPServer):
    """Listens on a free port from now on."""

    daemon_threads = True

    def __init__(self, handler):
        super().__init__(("127.0.0.1", 0), handler)
        threading.Thread(target=self.serve_forever, kwargs={"poll_interval": 0.05}, daemon=True).start()

    def handle_error(self, *_):
        pass

    def stop(self):
        self.shutdown()
        self.server_close()

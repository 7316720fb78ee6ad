"""Answers that unpack to very much, or never end: each is left with a sentence, in memory that the limits bound.

An answer that drips, and one that never begins, end after 30 and 300 seconds: CurlTransportTests has them, with smaller limits.
"""

import gzip
import socket
import threading
import unittest
import zlib

from fakedav import XML, Answer
from harness import NETWORK, OK, PARTIAL
from security import BASE_BYTES, Attacked

# The limit of an unpacked answer (TransportLimits.bodyBytes); it is copied while it grows, and once more to
# be read.
BODY_BYTES = 64 << 20
SENTENCE = r"remindav: \S.*[.!?]\n$"


def zeros(size, wrap=31):
    """A number of spaces, compressed to a thousandth."""
    packer = zlib.compressobj(9, zlib.DEFLATED, wrap)
    block = b" " * (1 << 20)
    return b"".join(packer.compress(block) for _ in range(size >> 20)) + packer.flush()


class Endless:
    """Sends a beginning, and then the same piece until the client closes the connection. Counts the sent bytes."""

    def __init__(self, head, piece):
        self.sent = 0
        self.listener = socket.create_server(("127.0.0.1", 0))

        def serve():
            while True:
                try:
                    connection, _ = self.listener.accept()
                except OSError:
                    return
                with connection:
                    try:
                        connection.recv(65536)
                        connection.sendall(head)
                        while self.sent < 1 << 30:
                            connection.sendall(piece)
                            self.sent += len(piece)
                    except OSError:
                        pass

        threading.Thread(target=serve, daemon=True).start()

    url = property(lambda self: f"http://127.0.0.1:{self.listener.getsockname()[1]}/")

    def start(self):
        return self

    def stop(self):
        self.listener.close()


class Bombs(Attacked):
    def assert_bounded(self, code, error, _, peak, note):
        self.assertIn(code, (1, PARTIAL, NETWORK), f"{note}: {error[:500]}")
        self.assertRegex(error, SENTENCE, note)
        self.assertLess(len(error), 2000)
        self.assertLessEqual(peak, BASE_BYTES + 4 * BODY_BYTES, f"{note}: {error[:300]}")
        self.assertNotIn("canary", error)

    def test_packed_answers(self):
        server = self.connect(count=3)
        before = self.laptop.items()
        small = zeros(1 << 20)
        bombs = {
            "gzip, a thousand to one": ("gzip", zeros(80 << 20)),
            "deflate": ("deflate", zeros(80 << 20, 15)),
            "gzip in gzip": ("gzip, gzip", gzip.compress(zeros(256 << 20))),
            "eight gzips": (", ".join(["gzip"] * 8), gzip.compress(gzip.compress(small))),
            "many members of gzip": ("gzip", small * 80),
            "gzip that breaks off": ("gzip", zeros(32 << 20)[:-20000]),
            "no gzip at all": ("gzip", b"<?xml version='1.0'?>" + b" " * 1000),
            "br that is none": ("br", zeros(1 << 20)),
            "zstd that is none": ("zstd", zeros(1 << 20)),
            "of no known kind": ("rot13", b"x" * 1000),
            "two hundred kinds": (", ".join(["gzip"] * 200), small),
        }
        for number, (name, (coding, body)) in enumerate(bombs.items()):
            method = ("PROPFIND", "REPORT")[number % 2]
            with self.subTest(name, method=method):
                server.realm += 1
                server.intercept = lambda request: Answer(
                    207, body, {"Content-Type": XML, "Content-Encoding": coding}) if request.method == method else None
                self.assert_bounded(*self.laptop.measured("sync"), f"{name}, {method}")
                server.behave()
                self.assertEqual(self.laptop.items(), before)
        self.assertEqual(self.laptop.run("sync", code=None).code, OK)

    def test_answers_that_never_end(self):
        chunked = b"HTTP/1.1 207 Multi-Status\r\nContent-Type: application/xml\r\nTransfer-Encoding: chunked\r\n\r\n"
        plain = b"HTTP/1.1 207 Multi-Status\r\nContent-Type: application/xml\r\n\r\n"
        block = b"<D:response><D:href>/dav/x</D:href></D:response>" * 1000
        cases = {
            "chunks": (chunked, b"%x\r\n%s\r\n" % (len(block), block)),
            "an extension of a chunk": (chunked + b"5;x=", b"a" * 100_000),
            "chunks of one byte with extensions": (chunked, b"1;" + b"a" * 100_000 + b"\r\nx\r\n"),
            "trailers": (chunked + b"0\r\n", b"X-T: " + b"a" * 1000 + b"\r\n"),
            "a body without a length": (plain, block),
            "a length beyond numbers": (plain[:-2] + b"Content-Length: 99999999999999999999\r\n\r\n", block),
            "a length of a terabyte": (plain[:-2] + b"Content-Length: 1099511627776\r\n\r\n", block),
            "header fields": (plain[:-2], b"X-F: " + b"a" * 1000 + b"\r\n"),
            "one header field": (plain[:-2] + b"X-F: ", b"a" * 100_000),
            "folded header fields": (plain[:-2] + b"X-F: a\r\n", b" a" * 1000 + b"\r\n"),
            "cookies": (plain[:-2], b"Set-Cookie: a=" + b"b" * 3000 + b"\r\n"),
            "a status line": (b"HTTP/1.1 207 ", b"a" * 100_000),
            "interim answers": (b"", b"HTTP/1.1 100 Continue\r\n\r\n" * 1000),
            "interim answers with fields": (b"", b"HTTP/1.1 103 Early Hints\r\nLink: </a>\r\n\r\n" * 100),
            "no answer but noise": (b"", b"\x00\xff" * 10000),
        }
        for name, (head, piece) in cases.items():
            with self.subTest(name):
                server = self.serve(Endless(head, piece))
                result = self.laptop.measured(
                    "account", "add", server.url, "--user", "user", "--password-stdin", stdin=b"canary\n")
                self.assert_bounded(*result, name)
                # The program reads at most its limit a few times, because it tries several addresses.
                self.assertLess(server.sent, 16 * BODY_BYTES, name)
                server.stop()
        self.assertEqual(self.laptop.json("account", "list"), [])


if __name__ == "__main__":
    unittest.main()

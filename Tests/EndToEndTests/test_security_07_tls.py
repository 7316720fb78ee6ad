"""TLS: old versions are refused before any data is sent. test_signin.TLS tests certificates that are expired, not yet valid,
of another host or without a trusted issuer. It also tests downgrades by redirects, like test_security_06_redirects.
"""

import socket
import ssl
import threading
import unittest
import warnings

from harness import NETWORK, OK
from security import Attacked
from signin import CERTIFICATES, Trap


class OldTLS(Attacked):
    def serve_version(self, version):
        """A server with one version of TLS, at the security level that this needs; returns its port and the received data."""
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        context.load_cert_chain(CERTIFICATES / "server.pem")
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", DeprecationWarning)
            context.minimum_version = version
            context.maximum_version = version
        context.set_ciphers("ALL:@SECLEVEL=0")
        heard = []
        listener = socket.create_server(("127.0.0.1", 0))
        self.addCleanup(listener.close)

        def serve():
            while True:
                try:
                    connection, _ = listener.accept()
                except OSError:
                    return
                try:
                    with context.wrap_socket(connection, server_side=True) as secure:
                        heard.append(secure.recv(65536))
                        secure.sendall(b"HTTP/1.1 404 Not Found\r\nContent-Length: 0\r\nConnection: close\r\n\r\n")
                except OSError:
                    connection.close()

        threading.Thread(target=serve, daemon=True).start()
        return listener.getsockname()[1], heard

    def works_here(self, port, version):
        """Whether this machine's OpenSSL supports that version; otherwise the refusal would prove nothing."""
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
        context.check_hostname = False
        context.verify_mode = ssl.CERT_NONE
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", DeprecationWarning)
            context.minimum_version = version
            context.maximum_version = version
        context.set_ciphers("ALL:@SECLEVEL=0")
        try:
            with socket.create_connection(("127.0.0.1", port)) as plain, context.wrap_socket(plain) as secure:
                secure.sendall(b"probe")
                return True
        except OSError:
            return False

    def test_versions(self):
        trust = ("--ca-file", CERTIFICATES / "authority.pem")
        for version, is_old in ((ssl.TLSVersion.TLSv1, True), (ssl.TLSVersion.TLSv1_1, True),
                                (ssl.TLSVersion.TLSv1_2, False), (ssl.TLSVersion.TLSv1_3, False)):
            with self.subTest(version.name):
                port, heard = self.serve_version(version)
                if not self.works_here(port, version):
                    self.assertTrue(is_old, "nothing works here")
                    self.skipTest(f"this machine's OpenSSL does not speak {version.name}")
                heard.clear()
                result = self.add(f"https://127.0.0.1:{port}/", arguments=trust)
                self.assertNotEqual(result.code, OK)
                self.assert_sentence(result)
                if is_old:
                    self.assert_complaint(result, NETWORK)
                    self.assertEqual([data for data in heard if data not in (b"", b"probe")], [])
                else:
                    self.assertTrue(any(b"PROPFIND" in data for data in heard), heard)

    def test_plain_http_beyond_this_machine_is_refused_without_a_connection(self):
        """`.invalid` never resolves, so an error about encryption proves that the request was refused beforehand."""
        result = self.add("http://dav.example.invalid/")
        self.assertNotEqual(result.code, OK)
        self.assert_sentence(result)
        self.assertRegex(result.err, r"https|encrypt")

    def test_a_plain_http_server_at_an_https_address_gets_no_password(self):
        trap = self.serve(Trap())
        result = self.add(f"https://127.0.0.1:{trap.port}/")
        self.assert_complaint(result, NETWORK)
        self.assertEqual(trap.requests, [])


if __name__ == "__main__":
    unittest.main()

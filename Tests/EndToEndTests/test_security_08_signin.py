"""The messages for a refused password. test_signin.Schemes tests `no challenge`, `rejected`, `app password needed` and the
others. Here the same messages come from a sync, and from misleading challenges.
"""

import unittest

from fakedav import Answer
from harness import AUTH
from security import CANARY, Attacked

CHALLENGES = {
    "no challenge": ({}, b"", "they are wrong"),
    "an empty challenge": ({"WWW-Authenticate": ""}, b"", None),
    "rejected": ({"WWW-Authenticate": 'Basic realm="x"'}, b"", "wrong|refuse|password"),
    "an app password": ({"WWW-Authenticate": "Basic"}, b"<o:hint>password login forbidden</o:hint>", "app password"),
    "another scheme": ({"WWW-Authenticate": "Negotiate"}, b"", "negotiate"),
    "a realm with escapes": ({"WWW-Authenticate": 'Basic realm="\x1b]0;x\x07\x1b[31m"'}, b"", "password"),
    "a realm that never ends": ({"WWW-Authenticate": 'Basic realm="' + "a" * 30_000}, b"", None),
    "the password asked for in the realm": ({"WWW-Authenticate": f'Basic realm="{CANARY}"'}, b"", "password"),
    "Digest of no known hash": ({"WWW-Authenticate": 'Digest realm="x", nonce="y", algorithm=ROT13'}, b"", None),
    "Digest without a nonce": ({"WWW-Authenticate": 'Digest realm="x"'}, b"", None),
    "commas alone": ({"WWW-Authenticate": ",,,,"}, b"", None),
}


class Refusals(Attacked):
    def test_the_sentences_of_a_sync(self):
        server = self.connect(count=3)
        before = self.laptop.items()
        for name, (headers, body, word) in CHALLENGES.items():
            with self.subTest(name):
                server.take()
                server.intercept = lambda request: Answer(401, body, headers)
                result = self.laptop.run("sync", code=None)
                self.assert_complaint(result, AUTH, *([word] if word else []))
                self.assert_sentence(result)
                # No further attempts: a server that counts failures would lock the user out.
                self.assertLessEqual(len(server.take()), 2)
                server.behave()
                self.assertEqual(self.laptop.items(), before)
        self.laptop.sync()


if __name__ == "__main__":
    unittest.main()

"""The story against Radicale: HTTP/1.0, a new connection for every request, bodies sorted anew."""

import unittest

from harness import EndToEnd, smoke
from servers import Radicale
from story import Story


@smoke
class OverRadicale(Story, EndToEnd):
    make_server = Radicale


if __name__ == "__main__":
    unittest.main()

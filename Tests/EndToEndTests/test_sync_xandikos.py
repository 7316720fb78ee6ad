"""The story against Xandikos: its own calendar home, git behind it, absolute addresses in some answers."""

import unittest

from harness import EndToEnd
from servers import Xandikos
from story import Story


class OverXandikos(Story, EndToEnd):
    make_server = Xandikos


if __name__ == "__main__":
    unittest.main()

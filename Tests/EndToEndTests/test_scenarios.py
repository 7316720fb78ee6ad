"""Every scenario against every selected server.

REMINDAV_SERVERS is "all" or names with commas between them; the default is the servers without Debian packages (Radicale,
Xandikos). The transcript of Nextcloud always runs.
"""

import os
import unittest

from nextcloud import Nextcloud
from scenarios import SCENARIOS
from scenarios import first_sync, edits, recurring, lists, moves, answers, kept, size  # noqa: F401 (the imports register the scenarios)
from scenarios.theatre import ScenarioTest
from servers import SERVERS


def chosen():
    words = os.environ.get("REMINDAV_SERVERS", "").replace(",", " ").split() or ["radicale", "xandikos"]
    if "all" in words:
        words = list(SERVERS)
    unknown = [word for word in words if word not in SERVERS]
    if unknown:
        raise SystemExit(f"No server is called {unknown[0]}. There are: all {' '.join(SERVERS)}.")
    return [SERVERS[word] for word in words] + [Nextcloud]


def test_of(scenario):
    def test(self):
        self.play()

    test.scenario = scenario
    test.__doc__ = None
    return test


def class_of(server):
    tests = {scenario.test_name: test_of(scenario) for scenario in SCENARIOS}
    return type(f"Over{server.__name__}", (ScenarioTest,), {"server_class": server, "__module__": __name__, **tests})


for server in chosen():
    globals()[f"Over{server.__name__}"] = class_of(server)
del server, ScenarioTest

if __name__ == "__main__":
    unittest.main()

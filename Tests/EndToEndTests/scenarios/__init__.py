"""Scenarios with this program, a server and other programs; each runs against every server.

A scenario is a function of a `Stage`. docs/servers.md lists its sentence. Its facts are those of `facts.py` on which its
result may depend, and it checks the expected result in both cases:

    @scenario("The same UID twice in one list is seen once here", "refuses a doubled UID")
    def doubled(stage): ...
"""

import re
from dataclasses import dataclass
from typing import Callable


@dataclass(frozen=True)
class Scenario:
    sentence: str
    theme: str
    facts: tuple
    play: Callable

    @property
    def test_name(self):
        return "test_" + re.sub(r"[^a-z0-9]+", "_", self.sentence.lower()).strip("_")


SCENARIOS = []


def scenario(sentence, *facts):
    def keep(function):
        theme = function.__module__.rsplit(".", 1)[1]
        found = Scenario(sentence, theme, facts, function)
        assert all(other.test_name != found.test_name for other in SCENARIOS), f"a duplicate scenario: {sentence}"
        SCENARIOS.append(found)
        return function

    return keep

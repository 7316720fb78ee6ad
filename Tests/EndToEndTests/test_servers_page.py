"""docs/servers.md agrees with the suite."""

import unittest

from scenarios import SCENARIOS, table
from scenarios.facts import FACTS


class ServersPage(unittest.TestCase):
    maxDiff = None

    def test_the_page_equals_the_output_of_the_suite(self):
        self.assertEqual(table.complaints(), [], "write it with Tests/EndToEndTests/scenarios/table.py --write")

    def test_every_server_has_its_facts_and_its_column(self):
        self.assertEqual(set(table.titles()), set(FACTS))
        self.assertEqual(set(table.titles()), set(table.SHORT))

    def test_there_are_at_least_sixty_scenarios(self):
        self.assertGreaterEqual(len(SCENARIOS), 60)


if __name__ == "__main__":
    unittest.main()

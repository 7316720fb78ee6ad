"""docs/servers.md: the scenarios that pass against each server, and the limitations of the servers.

    table.py            checks that docs/servers.md equals the scenarios and the facts
    table.py --write    writes it again, with its present results

Rows and notes come from the scenarios and from facts.py. The results, with version and date, come from a run with
`run.py --table test_scenarios`, which writes the columns of the servers with a complete run.
"""

import re
import sys
from pathlib import Path

if __name__ == "__main__":
    sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from scenarios import SCENARIOS
from scenarios import first_sync, edits, recurring, lists, moves, answers, kept, size  # noqa: F401 (the imports register the scenarios)
from scenarios.facts import FACTS

PAGE = Path(__file__).resolve().parents[3] / "docs" / "servers.md"
NO = "**no**"
THEMES = {
    "first_sync": "The first sync", "edits": "Edits and deletions on both sides", "recurring": "Recurrence",
    "lists": "Lists", "moves": "Two lists", "answers": "Unusual responses, refusals, interruptions", "kept": "Preserved data",
    "size": "Size",
}
SHORT = {
    "radicale": "Rad", "xandikos": "Xan", "davical": "DAV", "cyrus": "Cyr", "sogo": "SOGo", "sabre": "s1",
    "nextcloud": "NC",
}
HEAD = """# Servers

This page shows how Remindav works with each CalDAV server. Each row of the tables is a *scenario*: two or three stores of
Remindav and another program edit the same list on a server. In the rows, *here* means one of these stores, and *there* means
the server or the other program.

`sh Tests/run.sh --full --servers all` runs all scenarios with the built program against each of these servers, started on this
machine with test data. Without `--servers`, it uses Radicale, Xandikos and the transcript of Nextcloud. The suite generates this
page (`Tests/EndToEndTests/scenarios/table.py`), and a test compares the page with the suite.

| cell | meaning |
|---|---|
| yes | The scenario passes, and the server behaves as expected. |
| a number | The scenario passes, and the server deviates as described under [Deviations](#deviations) with this number. The scenario expects exactly this deviation. |
| **no** | The scenario failed in the last full run. |

No scenario is skipped for any server. The columns of the tables are these servers:

"""


def titles():
    from nextcloud import Nextcloud
    from servers import SERVERS

    return {name: server.title for name, server in {**SERVERS, "nextcloud": Nextcloud}.items()}


def runs_of(page):
    """The last runs in the page: name of a server to (version, day, sentences that did not pass)."""
    found = {}
    for name, short in SHORT.items():
        match = re.search(rf"^\| {short} \| .*? \| (.*?) \| (.*?) \| \d+ of \d+ \|$", page, re.MULTILINE)
        if match:
            found[name] = (match[1], match[2], {
                scenario.sentence for scenario in SCENARIOS
                if NO in cells_of(page, scenario).get(name, "")})
    return found


def cells_of(page, scenario):
    match = re.search(rf"^\| {re.escape(scenario.sentence)} \| (.*) \|$", page, re.MULTILINE)
    return dict(zip(SHORT, match[1].split(" | "))) if match else {}


def page_of(runs):
    """The whole page. `runs` has the form of `runs_of`."""
    names = list(SHORT)
    text = [HEAD + "| column | server | version | last full run | passed |\n|---|---|---|---|---|\n"]
    for name, title in titles().items():
        version, day, failed = runs.get(name, ("none", "never", {scenario.sentence for scenario in SCENARIOS}))
        passed = f"{len(SCENARIOS) - len(failed)} of {len(SCENARIOS)}"
        text.append(f"| {SHORT[name]} | {title} | {version} | {day} | {passed} |\n")
    notes = {}
    for theme, heading in THEMES.items():
        text.append(f"\n## {heading}\n\n| scenario | {' | '.join(SHORT[name] for name in names)} |\n")
        text.append("|---|" + "---|" * len(names) + "\n")
        for scenario in [one for one in SCENARIOS if one.theme == theme]:
            cells = [cell(scenario, name, notes, runs) for name in names]
            text.append(f"| {scenario.sentence} | {' | '.join(cells)} |\n")
    text.append("\n## Deviations\n\n")
    for (name, fact), number in notes.items():
        text.append(f"{number}. {titles()[name]} {FACTS[name].cannot[fact]}.\n")
    return "".join(text)


def cell(scenario, name, notes, runs):
    lacking = [fact for fact in scenario.facts if fact in FACTS[name].cannot]
    numbers = [str(notes.setdefault((name, fact), len(notes) + 1)) for fact in lacking]
    if scenario.sentence in runs.get(name, ("", "", {scenario.sentence}))[2]:
        return " ".join([NO, *numbers])
    return " ".join(numbers) or "yes"


def complaints():
    """The errors of the page."""
    page = PAGE.read_text() if PAGE.exists() else ""
    named = {fact for scenario in SCENARIOS for fact in scenario.facts}
    found = [f"facts.py says that {name} lacks {fact!r}, and no scenario asks for it."
             for name, facts in FACTS.items() for fact in facts.cannot if fact not in named]
    found += [f"docs/servers.md lacks the scenario {scenario.sentence!r}."
              for scenario in SCENARIOS if f"| {scenario.sentence} |" not in page]
    if not found and page_of(runs_of(page)) != page:
        found.append("docs/servers.md is not what the suite would write.")
    return found


def write(runs=None):
    page = PAGE.read_text() if PAGE.exists() else ""
    PAGE.write_text(page_of({**runs_of(page), **(runs or {})}))


if __name__ == "__main__":
    if sys.argv[1:] == ["--write"]:
        write()
    for line in complaints():
        print(line)

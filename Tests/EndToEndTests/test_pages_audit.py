"""Accessibility and layout of every screen in both browsers: axe-core, sizes of targets, names, order, and HTML."""

import http.server
import json
import os
import sys
import threading

import browsers
from screens import SCREENS, PageTest, fill_store
from realservers.environment import BROWSER_TOOLS

WIDTHS = (320, 1280)
THEMES = ("light", "dark", "forced")
# Whether the browsers take turns: each does a half of the checks, and together they do all.
TAKES_TURNS = os.environ.get("REMINDAV_BROWSER_TURNS") == "1"
RULES = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"]
# The side of a target in CSS pixels: 2.75rem in page.css.
TARGET = 44

# A page with one fault for each of these rules, so that a run of axe that finds nothing means something.
PLANTED = {
    "button-name", "color-contrast", "document-title", "html-has-lang", "image-alt", "label",
    "landmark-one-main", "link-name", "list", "page-has-heading-one", "target-size",
}
PLANTED_PAGE = """<!doctype html><html><head></head><body>
<nav><img src="/x.png"><button></button><input type="text"><a href="/"></a><ul><div>x</div></ul>
<p style="color:#bbb;background:#fff">pale</p></nav>
</body></html>"""

# Each visible target that is smaller than the given side. A check box or a radio button has its label as a target. Links in
# a sentence have the height of the line (WCAG 2.2, 2.5.8, "inline").
SMALL_TARGETS = """side => [...document.querySelectorAll('a, button, input, select, textarea, summary, [role=button]')]
    .filter(e => shown(e) && !e.matches('.skip:not(:focus)') && !e.closest('p, .sentence')?.matches(':not(.actions)'))
    .map(e => [e, (e.matches('[type=checkbox], [type=radio]') && e.labels[0] || e).getBoundingClientRect()])
    .filter(([e, box]) => box.width < side - 0.01 || box.height < side - 0.01)
    .map(([e, box]) => `${nameOf(e)}: ${box.width} x ${box.height}`)"""

# The faults of the document: ids, references, attributes that the policy forbids, headings and landmarks.
FAULTS = r"""(() => {
    const all = [...document.querySelectorAll('*')], ids = all.map(e => e.id).filter(Boolean), faults = [];
    for (const id of new Set(ids)) if (ids.filter(one => one === id).length > 1) faults.push(`id ${id} is used twice`);
    for (const e of all) for (const {name, value} of e.attributes) {
        if (name === 'style' || name.startsWith('on')) faults.push(`${e.localName} has ${name}`);
        const refers = name === 'for' || /^aria-(describedby|labelledby|controls|owns|details|errormessage|activedescendant)$/.test(name)
            || name === 'popovertarget' || (name === 'form' && e.localName !== 'form') || name === 'list';
        if (refers) for (const id of value.split(/\s+/)) if (!ids.includes(id)) faults.push(`${name} names ${id}, which does not exist`);
        if (name === 'href' && value.startsWith('#') && !ids.includes(value.slice(1))) faults.push(`no target for ${value}`);
        if (name === 'tabindex' && Number(value) > 0) faults.push(`${e.localName} has tabindex ${value}`);
    }
    const headings = [...document.querySelectorAll('h1, h2, h3, h4, h5, h6')].map(e => Number(e.localName[1]));
    if (headings.filter(level => level === 1).length !== 1) faults.push(`the levels of the headings are ${headings}`);
    headings.forEach((level, i) => { if (level > (headings[i - 1] ?? 0) + 1) faults.push(`heading ${i + 1} skips a level`); });
    if (document.documentElement.lang !== 'en') faults.push('no language');
    if (!document.title.trim()) faults.push('no title');
    if (document.querySelectorAll('main').length !== 1) faults.push('not one main');
    for (const e of document.querySelectorAll('ul')) {
        if (getComputedStyle(e).listStyleType === 'none' && e.getAttribute('role') !== 'list') faults.push('a ul without role=list');
    }
    return faults;
})()"""

# The spacing of text that a page must permit (WCAG 1.4.12). A constructed sheet is permitted by the policy of the pages.
SPACED = """(() => { const sheet = new CSSStyleSheet();
    sheet.replaceSync('* { line-height: 1.5 !important; letter-spacing: .12em !important; word-spacing: .16em !important }'
        + 'p { margin-bottom: 2em !important }');
    document.adoptedStyleSheets = [sheet]; return 0; })()"""
TOO_WIDE = """(() => { const width = document.documentElement.clientWidth;
    return document.documentElement.scrollWidth <= width ? [] : [...document.body.querySelectorAll('*')]
        .filter(e => e.getBoundingClientRect().right > width + 0.5)
        .map(e => `<${e.localName} class="${e.className}"> ends at ${e.getBoundingClientRect().right} of ${width}`).slice(-5);
})()"""

# The controls that Tab must reach, in the order of the page; of a group of radio buttons it reaches one.
CONTROLS = """[...document.querySelectorAll('a[href], button, input:not([type=hidden]), select, textarea, summary')]
    .filter(e => e.matches('.skip') || shown(e) && !e.disabled)"""


def axe_violations(tab):
    """The rules of axe that the page breaks, each with the elements."""
    tab.wait("document.getAnimations().every(one => one.playState === 'finished')")
    if tab.evaluate("typeof axe === 'undefined'"):
        tab.evaluated((BROWSER_TOOLS / "axe_playwright_python" / "axe.min.js").read_text() + "; 'loaded'")
    return tab.evaluate(
        f"axe.run(document, {{runOnly: {json.dumps(RULES)}, resultTypes: ['violations']}}).then(found => found.violations"
        ".map(rule => rule.id + ': ' + rule.nodes.map(node => node.html.slice(0, 150) + ' ' + node.failureSummary).join(' | ')))")


class Other(http.server.BaseHTTPRequestHandler):
    """A page of another server."""

    page = PLANTED_PAGE

    def do_GET(self):
        is_page = self.path == "/"
        self.send_response(200 if is_page else 404)
        self.send_header("Content-Type", "text/html; charset=utf-8")
        self.end_headers()
        self.wfile.write(self.page.encode() if is_page else b"")

    def log_message(self, *_):
        pass


class Audit(PageTest):
    def prepared(self, kind):
        """A tab, and an address of each screen; some screens are no target of a link."""
        laptop = self.device(kind)
        fill_store(laptop)
        self.processes.clear()
        tab = self.signed_in(kind, laptop)
        found = self.found_screens(tab, self.origin)
        return tab, {**found, "no such page": "/nothing", "no such reminder": "/r/999999", "no match": "/?q=nothing-has-this"}

    def each(self, kind, check, widths=WIDTHS, takes_turns=TAKES_TURNS):
        """Calls `check` with a tab on each screen at each width, also on refused forms and without a sign-in."""
        tab, found = self.prepared(kind)
        stranger = self.tab(kind)
        for turn, width in enumerate(widths, self.kinds.index(kind)):
            tab.resize(width)
            stranger.resize(width)
            for place, (name, address) in enumerate(found.items()):
                if takes_turns and (place + turn) % len(self.kinds):
                    continue
                with self.subTest(f"{kind}, {name}, {width} px"):
                    tab.errors.clear()
                    tab.open(self.origin + address)
                    check(tab)
                    self.assertEqual(tab.errors, [])
            with self.subTest(f"{kind}, a refused form, {width} px"):
                tab.open(self.origin + "/add")
                tab.fill("Reminder title", " ")
                tab.click("Save")
                tab.wait_text("Title is required")
                check(tab)
            with self.subTest(f"{kind}, a refused label, {width} px"):
                tab.open(self.origin + "/labels/add")
                tab.fill("Label name", "office")
                tab.click("Save")
                tab.wait("!!document.querySelector('[aria-invalid]')")
                check(tab)
            with self.subTest(f"{kind}, not signed in, {width} px"):
                stranger.open(self.origin + "/")
                check(stranger)

    def audit(self, kind):
        runs = []

        def check(tab):
            for theme in THEMES:
                tab.look(theme)
                self.assertEqual(axe_violations(tab), [], theme)
                runs.append(theme)
            tab.look()

        self.each(kind, check)
        browsers_of_each = len(self.kinds) if TAKES_TURNS else 1
        self.assertGreater(len(runs), len(WIDTHS) * len(THEMES) * len(SCREENS) // browsers_of_each)

    def test_axe_finds_nothing_on_any_screen_in_chromium(self):
        self.audit("Chromium")

    def test_axe_finds_nothing_on_any_screen_in_firefox(self):
        self.audit("Firefox")

    def test_axe_finds_the_eleven_planted_faults(self):
        server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Other)
        self.addCleanup(server.server_close)
        self.addCleanup(server.shutdown)
        threading.Thread(target=server.serve_forever, daemon=True).start()
        for kind in self.kinds:
            with self.subTest(kind):
                tab = self.tab(kind)
                tab.open(f"http://127.0.0.1:{server.server_port}/")
                self.assertEqual({found.split(":")[0] for found in axe_violations(tab)}, PLANTED)

    def test_each_target_is_44_pixels_large(self):
        def check(tab):
            self.assertEqual(tab.evaluate(f"({SMALL_TARGETS})({TARGET})"), [])

        for kind in self.kinds:
            self.each(kind, check)

    def test_nothing_is_wider_than_the_window(self):
        def check(tab):
            self.assertEqual(tab.evaluate(TOO_WIDE), [])
            tab.look(scale=2)
            self.assertEqual(tab.evaluate(TOO_WIDE), [], "with 200 % text")
            tab.look()
            tab.evaluate(SPACED)
            self.assertEqual(tab.evaluate(TOO_WIDE), [], "with the spacing of WCAG 1.4.12")

        for kind in self.kinds:
            self.each(kind, check)

    def test_the_html_of_each_screen_is_sound(self):
        sys.path.insert(0, str(browsers.install_browser_tools()))
        import html5lib

        def check(tab):
            self.assertEqual(tab.evaluate(FAULTS), [])
            source = tab.evaluate("fetch(location.href).then(answer => answer.text())")
            parser = html5lib.HTMLParser(strict=False)
            parser.parse(source)
            self.assertEqual([(place, code) for place, code, _ in parser.errors], [])

        self.each("Chromium", check, [1280], takes_turns=False)

    def test_tab_reaches_each_control_in_its_order_with_a_visible_focus(self):
        laptop = self.device("laptop")
        fill_store(laptop)
        for kind in self.kinds:
            tab = self.signed_in(kind, laptop)
            for address in ("/", "/add", "/r/1", "/r/1/delete", "/r/1/actions", "/labels/add"):
                with self.subTest(f"{kind}, {address}"):
                    tab.open(self.origin + address)
                    self.check_order(tab)

    def check_order(self, tab):
        """Presses Tab from the first control to the end of the page."""
        tab.evaluate(f"(window.order = {CONTROLS}, order[0].focus(), 0)")
        count = tab.evaluate("order.length")
        tab.press("Tab")
        tab.press("Tab", "Shift")
        seen = []
        # A date has several parts. After the last control comes the bar of the browser.
        for _ in range(count * 4 + 10):
            place = tab.evaluate("order.indexOf(document.activeElement)")
            if place < 0 or seen and place < seen[-1]:
                break
            if place not in seen:
                seen.append(place)
                # The parts of a date have a mark of the browser.
                is_marked = tab.evaluate("(e => e.matches('[type=date], [type=time]') || getComputedStyle(e).outlineStyle"
                                         " !== 'none' && getComputedStyle(e).outlineWidth !== '0px')(document.activeElement)")
                self.assertTrue(is_marked, f"{tab.focused()} has no visible focus")
            tab.press("Tab")
        missed = tab.evaluate(f"{json.dumps(sorted(set(range(count)) - set(seen)))}.filter(i => order[i].type !== 'radio')"
                              ".map(i => order[i].outerHTML.slice(0, 200))")
        self.assertEqual(missed, [], f"not reached, the order was {seen}")

    def test_a_print_has_the_reminders_and_no_controls(self):
        laptop = self.device("laptop")
        fill_store(laptop)
        for kind in self.kinds:
            with self.subTest(kind):
                tab = self.signed_in(kind, laptop)
                tab.look("dark", medium="print")
                shown = tab.evaluate("[...document.querySelectorAll('button, input, nav, select')].filter(shown).map(nameOf)")
                self.assertEqual(shown, [])
                self.assertIn("Pay rent", tab.text)
                self.assertEqual(tab.evaluate("getComputedStyle(document.querySelector('.open')).color"), "rgb(0, 0, 0)")
                self.assertEqual(tab.evaluate("getComputedStyle(document.body).backgroundColor"), "rgba(0, 0, 0, 0)")
                tab.look()

    def test_nothing_moves_with_reduced_motion(self):
        def check(tab):
            tab.look(motion=False)
            self.assertEqual(tab.evaluate("document.getAnimations().length"), 0)
            tab.look()

        for kind in self.kinds:
            self.each(kind, check, [1280])

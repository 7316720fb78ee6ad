"""Chromium and Firefox with one interface, for tests of the web pages.

Chromium is controlled by the DevTools protocol and Firefox by WebDriver BiDi (https://www.w3.org/TR/webdriver-bidi/), both
over a websocket, so no driver program is needed. Clicks and keys are input events of the browser, as those of a person.
A Tab has its own cookies.

The Debian packages and the Python packages are not part of the other tests: `sh Tests/packages.sh browsers`, and
`browser_tools` of realservers/environment.py.
"""

import base64
import json
import os
import re
import select
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from realservers.environment import BROWSER_TOOLS, install_browser_tools

CHROMIUM = next((path for path in map(shutil.which, ("chromium", "chromium-browser")) if path), None)
FIREFOX = next((path for path in map(shutil.which, ("firefox-esr", "firefox")) if path), None)
# Many times what a page needs on two processors with six groups of tests.
SECONDS = 60

# The functions that the tests use in a page. `find` returns the control whose accessible name, label or text is `name`.
HELPERS = r"""
const shown = e => e.checkVisibility({visibilityProperty: true}) && e.getClientRects().length > 0
    && !e.closest('[aria-hidden=true]');
const text = e => (e.innerText ?? e.textContent).replace(/\s+/g, ' ').trim();
const nameOf = e => e.getAttribute('aria-label') ?? ([...(e.labels ?? [])].map(text).join(' ') || text(e));
const find = (name, css = 'a, button, input, select, textarea, summary') =>
    [...(document.querySelector('dialog[open]') ?? document).querySelectorAll(css)]
        .find(e => shown(e) && nameOf(e) === name);
"""


class Missing(AssertionError):
    """There is no such element, or it cannot be clicked."""


class Channel:
    """Commands and events over a websocket."""

    def __init__(self, address):
        if str(BROWSER_TOOLS) not in sys.path:
            install_browser_tools()
            sys.path.insert(0, str(BROWSER_TOOLS))
        import websocket
        self.socket = websocket.create_connection(address, timeout=SECONDS, suppress_origin=True, skip_utf8_validation=True)
        self.number = 0
        self.handlers = {}
        self.answers = {}

    def send(self, method, params, **rest):
        self.number += 1
        self.socket.send(json.dumps({"id": self.number, "method": method, "params": params, **rest}))
        return self.number

    def ask(self, method, params=None, **rest):
        number = self.send(method, params or {}, **rest)
        self.pump(lambda: number in self.answers, what=method)
        answer = self.answers.pop(number)
        if "error" in answer:
            raise RuntimeError(f"{method}: {answer['error']} {answer.get('message', '')}")
        return answer["result"]

    def pump(self, until, seconds=SECONDS, what="an event"):
        """Handles messages until a condition is true."""
        deadline = time.monotonic() + seconds
        while not until():
            if time.monotonic() > deadline:
                raise TimeoutError(f"{what} did not come in {seconds} s")
            # The connection has no buffer of its own: a message that has arrived is in the socket.
            if not select.select([self.socket.sock], [], [], 0.2)[0]:
                continue
            message = json.loads(self.socket.recv())
            if "id" in message:
                self.answers[message["id"]] = message
            else:
                for handler in list(self.handlers.values()):
                    handler(message)


class Browser:
    """A running browser. It is started with a new profile and ended by `close`."""

    name = ""
    said = re.compile(r"listening on (ws://\S+)")

    def __init__(self):
        self.folder = Path(tempfile.mkdtemp(prefix="remindav-browser-"))
        # A process group of its own, so that `close` can end the whole of it.
        self.log = open(self.folder / "log", "wb")
        self.process = subprocess.Popen(self.command(), stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=self.log,
                                        start_new_session=True, env={**os.environ, "HOME": str(self.folder)})
        try:
            self.channel = Channel(self.address())
            self.begin()
        except BaseException:
            self.close()
            raise

    def address(self):
        deadline = time.monotonic() + 60
        while time.monotonic() < deadline and self.process.poll() is None:
            if found := self.said.search((self.folder / "log").read_text(errors="replace")):
                return found[1]
            time.sleep(0.05)
        raise RuntimeError(f"{self.name} did not start: {(self.folder / 'log').read_text(errors='replace')[-1000:]}")

    def begin(self):
        """Prepares the session."""

    def close(self):
        if self.process.poll() is None:
            self.process.terminate()
        try:
            self.process.wait(10)
        except subprocess.TimeoutExpired:
            pass
        try:
            os.killpg(self.process.pid, signal.SIGKILL)
        except ProcessLookupError:
            pass
        self.process.wait()
        self.log.close()
        shutil.rmtree(self.folder, ignore_errors=True)


class Tab:
    """A tab with its own cookies.

    `errors` has the messages of the console, among them the reports of the content security policy; `dialogs` the texts of
    dialogs, and `warnings` those of questions whether to leave a page; both get `answer`. `requests` has the requested
    addresses.
    """

    def __init__(self, browser):
        self.browser = browser
        self.errors, self.dialogs, self.warnings, self.requests = [], [], [], []
        self.answer = True
        self.loads = 0
        self.has_scripts = True
        # The name of this tab in events.
        self.session = self.context = None
        browser.channel.handlers[id(self)] = self.handle

    def close(self):
        self.browser.channel.handlers.pop(id(self), None)

    # The operations that are equal in both browsers.

    def evaluate(self, expression):
        """The value of an expression; a promise is awaited."""
        return json.loads(self.evaluated(
            f"(() => {{ {HELPERS}; const value = ({expression}); return value instanceof Promise"
            " ? value.then(value => JSON.stringify(value ?? null)) : JSON.stringify(value ?? null); })()"))

    def wait(self, condition, seconds=SECONDS):
        """Waits until an expression is true in a loaded page; the page may be replaced meanwhile. Returns its value."""
        deadline = time.monotonic() + seconds
        while True:
            value = None
            try:
                value = self.evaluate(f"document.readyState === 'complete' && ({condition})")
            except RuntimeError:
                # The document was replaced.
                pass
            if value:
                return value
            if time.monotonic() > deadline:
                raise AssertionError(f"{self.browser.name}: {condition} is not true after {seconds} s; the page is "
                                     f"{self.evaluate('location.href')}:\n{self.text[:1500]}")
            time.sleep(0.02)

    def wait_text(self, text, seconds=SECONDS):
        return self.wait(f"text(document.body).includes({json.dumps(text)})", seconds)

    @property
    def text(self):
        return self.evaluate("document.body.innerText")

    @property
    def path(self):
        return self.evaluate("location.pathname + location.search")

    def loading(self, action, *arguments, **options):
        """Does something that loads a page, and waits for the page."""
        before = self.loads
        action(*arguments, **options)
        self.browser.channel.pump(lambda: self.loads > before, what="the page")

    def chosen(self, name, css):
        if css:
            return f"document.querySelector({json.dumps(css)})"
        return f"find({json.dumps(name)})"

    def click(self, name=None, css=None, button="left", count=1):
        """Clicks in the middle of an element. It must be visible and not covered there."""
        spot, before = self.spot(name, css), None
        # After typing, a browser scrolls to the text in its next frame.
        while spot != before:
            self.wait_frame()
            spot, before = self.spot(name, css), spot
        if isinstance(spot, str):
            raise Missing(f"{name or css} {spot}; the page is {self.path}:\n{self.text[:1500]}")
        self.click_at(*spot, button, count)

    def wait_frame(self):
        """Waits until the browser has drawn the page again. In a background tab, the wait ends after one second."""
        if not self.has_scripts:
            # Without scripts, a page changes nothing after an input.
            return
        try:
            self.evaluate("Promise.race([new Promise(done => setTimeout(done, 1000)), new Promise(done =>"
                          " requestAnimationFrame(() => requestAnimationFrame(done)))])")
        except RuntimeError:
            # The document was replaced.
            pass

    def spot(self, name, css):
        """Scrolls to an element and returns its middle, or the reason why it cannot be clicked."""
        return self.evaluate(f"""(e => {{
            if (!e) return 'does not exist';
            if (document.getAnimations().some(one => one.playState === 'running')) return Math.random().toString();
            e.scrollIntoView({{block: 'center', behavior: 'instant'}});
            // The box of an inline element with several lines can have another element in its middle.
            const box = e.getClientRects()[0];
            if (!box) return 'is not visible';
            const x = box.left + box.width / 2, y = box.top + box.height / 2, top = document.elementFromPoint(x, y);
            if (!top || !(e.contains(top) || top.contains(e) || [...(e.labels ?? [])].includes(top))) {{
                return 'is covered by ' + (top?.outerHTML ?? 'nothing').slice(0, 100);
            }}
            return [x, y];
        }})({self.chosen(name, css)})""")

    def fill(self, name=None, value="", css=None):
        """Puts a value into a field, as typing, but at once."""
        element = self.chosen(name, css)
        kind = self.evaluate(f"{element}?.type ?? null")
        if kind is None:
            raise Missing(f"there is no field {name or css}; the page is {self.path}:\n{self.text[:1500]}")
        if kind in ("date", "time", "select-one"):
            # These have parts for each number, in an order that depends on the language.
            self.evaluate(f"""(e => {{ e.focus(); e.value = {json.dumps(value)};
                e.dispatchEvent(new Event('input', {{bubbles: true}})); e.dispatchEvent(new Event('change', {{bubbles: true}}));
            }})({element})""")
        else:
            self.evaluate(f"(e => {{ e.focus(); e.select(); }})({element})")
            self.insert(value)

    def value(self, name=None, css=None):
        return self.evaluate(f"{self.chosen(name, css)}?.value ?? null")

    def keys(self, text):
        """Types a text, one key after another."""
        for letter in text:
            self.press(letter)

    def focused(self):
        """The name of the element with the focus."""
        return self.evaluate("document.activeElement === document.body ? null : nameOf(document.activeElement)")

    def tab_to(self, name, limit=200, key="Tab"):
        """Presses Tab until an element of this name has the focus."""
        for _ in range(limit):
            if self.focused() == name:
                return
            self.press(key)
        raise Missing(f"{limit} times Tab do not reach {name}; the page is {self.path}:\n{self.text[:1500]}")


# The keys with a name: the code of Windows (which DevTools uses), the text, and the character of WebDriver.
KEYS = {
    "Tab": (9, "", "\ue004"), "Enter": (13, "\r", "\ue007"), "Escape": (27, "", "\ue00c"), " ": (32, " ", " "),
    "ArrowLeft": (37, "", "\ue012"), "ArrowUp": (38, "", "\ue013"), "ArrowRight": (39, "", "\ue014"),
    "ArrowDown": (40, "", "\ue015"), "Home": (36, "", "\ue011"), "End": (35, "", "\ue010"), "Delete": (46, "", "\ue017"),
    "Backspace": (8, "", "\ue003"), "F10": (121, "", "\ue03a"), "ContextMenu": (93, "", None),
}
MODIFIERS = {"Alt": (1, "\ue00a"), "Control": (2, "\ue009"), "Shift": (8, "\ue008")}


class ChromiumTab(Tab):
    def __init__(self, browser):
        super().__init__(browser)
        ask = browser.channel.ask
        self.context = ask("Target.createBrowserContext")["browserContextId"]
        target = ask("Target.createTarget", {"url": "about:blank", "browserContextId": self.context})["targetId"]
        self.session = ask("Target.attachToTarget", {"targetId": target, "flatten": True})["sessionId"]
        for domain in ("Page", "Runtime", "Log", "Network"):
            self.ask(f"{domain}.enable")
        self.features = {}

    def ask(self, method, **params):
        return self.browser.channel.ask(method, params, sessionId=self.session)

    def handle(self, event):
        if event.get("sessionId") != self.session:
            return
        params = event["params"]
        match event["method"]:
            case "Page.loadEventFired":
                self.loads += 1
            case "Log.entryAdded" if params["entry"]["source"] != "network":
                # The status of a failed request, such as 404 or 409, is a message of the source "network". A test can
                # be quicker than the focus of a page.
                if not params["entry"]["text"].startswith("Autofocus processing was blocked"):
                    self.errors.append(params["entry"]["text"])
            case "Runtime.exceptionThrown":
                self.errors.append(json.dumps(params["exceptionDetails"])[:500])
            case "Runtime.consoleAPICalled" if params["type"] in ("error", "warning"):
                self.errors.append(json.dumps(params["args"])[:500])
            case "Page.javascriptDialogOpening":
                (self.warnings if params["type"] == "beforeunload" else self.dialogs).append(params["message"])
                self.browser.channel.send("Page.handleJavaScriptDialog", {"accept": self.answer}, sessionId=self.session)
            case "Network.requestWillBeSent":
                self.requests.append(params["request"]["url"])

    def close(self):
        super().close()
        self.browser.channel.ask("Target.disposeBrowserContext", {"browserContextId": self.context})

    def activate(self):
        """Brings the tab to the front."""
        self.ask("Page.bringToFront")

    def open(self, address):
        """Loads a page in front of the other tabs; returns whether a server answered."""
        self.activate()
        before = self.loads
        result = self.ask("Page.navigate", url=address)
        if "loaderId" in result:
            self.browser.channel.pump(lambda: self.loads > before, what=address)
        return "errorText" not in result

    def reload(self):
        self.loading(self.ask, "Page.reload")

    def back(self, steps=1):
        history = self.ask("Page.getNavigationHistory")
        entry = history["entries"][history["currentIndex"] - steps]
        self.ask("Page.navigateToHistoryEntry", entryId=entry["id"])
        self.wait(f"location.href === {json.dumps(entry['url'])}")

    def evaluated(self, expression):
        answer = self.ask("Runtime.evaluate", expression=expression, returnByValue=True, awaitPromise=True, userGesture=True)
        if "exceptionDetails" in answer:
            raise RuntimeError(json.dumps(answer["exceptionDetails"])[:1000])
        return answer["result"]["value"]

    def click_at(self, x, y, button="left", count=1):
        for number in range(1, count + 1):
            for kind in ("mousePressed", "mouseReleased"):
                self.ask("Input.dispatchMouseEvent", type=kind, x=x, y=y, button=button, clickCount=number)

    def press(self, key, *modifiers):
        code, text, _ = KEYS.get(key, (ord(key.upper()) if len(key) == 1 and key.isalnum() else 0, key, key))
        bits = sum(MODIFIERS[name][0] for name in modifiers)
        text = "" if {"Alt", "Control"} & set(modifiers) else text
        common = {"key": key, "windowsVirtualKeyCode": code, "modifiers": bits, "code": key if key in KEYS else ""}
        self.ask("Input.dispatchKeyEvent", type="keyDown", **common, **({"text": text} if text else {}))
        self.ask("Input.dispatchKeyEvent", type="keyUp", **common)

    def insert(self, text):
        self.ask("Input.insertText", text=text)

    def resize(self, width, height=800):
        self.ask("Emulation.setDeviceMetricsOverride", width=width, height=height, deviceScaleFactor=1, mobile=False)

    def look(self, theme="light", motion=True, scale=1, medium=""):
        """The colours (light, dark or forced), motion or not, the size of text as a factor, and the medium (print)."""
        features = {"prefers-color-scheme": "light" if theme == "forced" else theme,
                    "forced-colors": "active" if theme == "forced" else "none",
                    "prefers-reduced-motion": "no-preference" if motion else "reduce"}
        self.ask("Emulation.setEmulatedMedia", media=medium,
                 features=[{"name": name, "value": value} for name, value in features.items()])
        self.ask("Page.setFontSizes", fontSizes={"standard": int(16 * scale), "fixed": int(13 * scale)})

    def set_scripts(self, are_on):
        """Whether later pages run scripts."""
        self.has_scripts = are_on
        self.ask("Emulation.setScriptExecutionDisabled", value=not are_on)

    def picture(self, whole=False):
        """The bytes of a PNG of the visible part, or of the whole page."""
        return base64.b64decode(self.ask("Page.captureScreenshot", format="png", captureBeyondViewport=whole)["data"])

    def tree(self):
        """The nodes of the accessibility tree: role, name, description, value and the other properties."""
        found = []
        for node in self.ask("Accessibility.getFullAXTree")["nodes"]:
            if not node["ignored"]:
                one = {name: node[name]["value"] for name in ("role", "name", "description", "value") if name in node}
                found.append(one | {part["name"]: part["value"].get("value") for part in node.get("properties", [])})
        return found

    def has(self, role, name):
        return any(node["role"] == role and node.get("name") == name for node in self.tree())


class Chromium(Browser):
    name = "Chromium"
    tab_kind = ChromiumTab
    program = CHROMIUM

    def command(self):
        # The sandbox of Chromium does not work for root; /dev/shm is small in containers.
        as_root = ["--no-sandbox"] if os.geteuid() == 0 else []
        return [CHROMIUM, "--headless", *as_root, "--remote-debugging-port=0", f"--user-data-dir={self.folder / 'profile'}",
                "--no-first-run", "--disable-background-networking", "--disable-component-update", "--disable-sync",
                "--disable-default-apps", "--disable-dev-shm-usage", "--disable-gpu", "--hide-scrollbars", "--lang=en-US",
                "about:blank"]

    def tab(self):
        return ChromiumTab(self)


class FirefoxTab(Tab):
    def __init__(self, browser):
        super().__init__(browser)
        self.container = self.ask("browser.createUserContext")["userContext"]
        self.context = self.ask("browsingContext.create", type="tab", userContext=self.container)["context"]
        self.overrides = ""
        self.activate()

    def ask(self, method, **params):
        return self.browser.channel.ask(method, params)

    def handle(self, event):
        params = event["params"]
        # A log entry has its tab in "source".
        if (params.get("context") or params.get("source", {}).get("context")) != self.context:
            return
        match event["method"]:
            case "browsingContext.load":
                self.loads += 1
            case "log.entryAdded" if params["level"] in ("error", "warn"):
                self.errors.append(params["text"])
            case "browsingContext.userPromptOpened":
                (self.warnings if params["type"] == "beforeunload" else self.dialogs).append(params["message"])
                self.browser.channel.send("browsingContext.handleUserPrompt", {"context": self.context, "accept": self.answer})
            case "network.beforeRequestSent":
                self.requests.append(params["request"]["url"])

    def close(self):
        super().close()
        self.ask("browsingContext.close", context=self.context)
        self.ask("browser.removeUserContext", userContext=self.container)

    def activate(self):
        """Brings the tab to the front: another tab has no focus, and its timers are slow."""
        self.ask("browsingContext.activate", context=self.context)

    def open(self, address):
        self.activate()
        try:
            self.ask("browsingContext.navigate", context=self.context, url=address, wait="complete")
        except RuntimeError as error:
            if "neterror" in str(error) or "NS_ERROR" in str(error):
                return False
            raise
        # While the former page is kept for the Back button, the new page has a new browsing context.
        if self.overrides:
            self.in_window(self.overrides)
        return True

    def reload(self):
        self.loading(self.ask, "browsingContext.reload", context=self.context, wait="none")

    def back(self, steps=1):
        # The load event does not come for a page from the cache.
        before = self.evaluate("history.length + location.href")
        mark = self.evaluate("document.documentElement.dataset.left = 'yes'")
        self.ask("browsingContext.traverseHistory", context=self.context, delta=-steps)
        self.wait(f"history.length + location.href !== {json.dumps(before)}"
                  f" || document.documentElement.dataset.left !== {json.dumps(mark)}")

    def evaluated(self, expression):
        return self.value_of(self.ask("script.evaluate", expression=expression, target={"context": self.context},
                                      awaitPromise=True, userActivation=True))

    @staticmethod
    def value_of(answer):
        if answer["type"] != "success":
            raise RuntimeError(json.dumps(answer["exceptionDetails"])[:1000])
        return answer["result"].get("value")

    def in_window(self, script):
        """Runs a script with the rights of the browser's window for each tab, which is the browsing context `tab`."""
        [window, *_] = self.ask("browsingContext.getTree", **{"moz:scope": "chrome"})["contexts"]
        self.value_of(self.ask("script.evaluate", target={"context": window["context"]}, awaitPromise=True, expression=f"""
            for (const one of gBrowser.tabs) {{ const tab = one.linkedBrowser.browsingContext; {script} }}; 0"""))

    def focus_page(self):
        """Gives the focus to the process of the page: a window without a desktop does not do so for a new page."""
        self.in_window("one.selected && one.linkedBrowser.focus();")

    def click_at(self, x, y, button="left", count=1):
        self.focus_page()
        number = {"left": 0, "right": 2}[button]
        once = [{"type": "pointerDown", "button": number}, {"type": "pointerUp", "button": number}]
        self.ask("input.performActions", context=self.context, actions=[{"type": "pointer", "id": "mouse", "actions": [
            {"type": "pointerMove", "x": round(x), "y": round(y)}, *once * count]}])

    def press(self, key, *modifiers):
        self.focus_page()
        letter = KEYS[key][2] if key in KEYS else key
        held = [MODIFIERS[name][1] for name in modifiers]
        actions = [{"type": "keyDown", "value": value} for value in [*held, letter]]
        actions += [{"type": "keyUp", "value": value} for value in [letter, *reversed(held)]]
        self.ask("input.performActions", context=self.context, actions=[{"type": "key", "id": "keys", "actions": actions}])

    def insert(self, text):
        # BiDi has no command for it. This is what the menu entry Paste does.
        self.evaluate(f"document.execCommand('insertText', false, {json.dumps(text)})" if text
                      else "document.execCommand('delete')")

    def resize(self, width, height=800):
        self.ask("browsingContext.setViewport", context=self.context, viewport={"width": width, "height": height})

    def look(self, theme="light", motion=True, scale=1, medium=""):
        self.overrides = (
            f"tab.prefersColorSchemeOverride = {json.dumps('light' if theme == 'forced' else theme)};"
            f"tab.forcedColorsOverride = {json.dumps('active' if theme == 'forced' else 'none')};"
            f"tab.prefersReducedMotionOverride = {json.dumps('no-preference' if motion else 'reduce')};"
            f"tab.textZoom = {scale}; tab.mediumOverride = {json.dumps(medium)};")
        self.in_window(self.overrides)

    def set_scripts(self, are_on):
        self.has_scripts = are_on
        self.in_window(f"tab.allowJavascript = {json.dumps(are_on)};")

    def picture(self, whole=False):
        return base64.b64decode(self.ask("browsingContext.captureScreenshot", context=self.context,
                                         origin="document" if whole else "viewport")["data"])

    def has(self, role, name):
        return bool(self.ask("browsingContext.locateNodes", context=self.context, locator={
            "type": "accessibility", "value": {"role": role, "name": name}})["nodes"])


class Firefox(Browser):
    name = "Firefox"
    program = FIREFOX
    # Events go to the page directly: those through the window meet the page as it was before it scrolled.
    settings = {"remote.events.async.enabled": False, "general.smoothScroll": False,
                "browser.shell.checkDefaultBrowser": False, "datareporting.policy.dataSubmissionEnabled": False,
                "app.update.enabled": False}

    def command(self):
        # `in_window` needs --remote-allow-system-access.
        profile = self.folder / "profile"
        profile.mkdir()
        (profile / "user.js").write_text("".join(
            f"user_pref({json.dumps(name)}, {json.dumps(value)});\n" for name, value in self.settings.items()))
        return [FIREFOX, "--headless", "--no-remote", "--profile", str(profile), "--remote-debugging-port", "0",
                "--remote-allow-system-access"]

    def address(self):
        return super().address() + "/session"

    def begin(self):
        self.channel.ask("session.new", {"capabilities": {"alwaysMatch": {"unhandledPromptBehavior": {"default": "ignore"}}}})
        self.channel.ask("session.subscribe", {"events": [
            "log.entryAdded", "browsingContext.load", "browsingContext.userPromptOpened", "network.beforeRequestSent"]})

    def tab(self):
        return FirefoxTab(self)


KINDS = {"Chromium": Chromium, "Firefox": Firefox}
running = {}


def browser(name):
    """The browser of this name, for all tests of this process: starting one takes two seconds."""
    if name not in running:
        running[name] = KINDS[name]()
    return running[name]


def close_all():
    """Ends the browsers that `browser` started."""
    while running:
        running.popitem()[1].close()

// The pages work without this script. Without Document.parseHTML, which runs no scripts, it does nothing.

const first = (selector) => document.querySelector(selector);
const all = (selector) => [...document.querySelectorAll(selector)];
const isSupported = !!Document.parseHTML && !!self.Sanitizer && !!first("nav");
const parse = (text) => Document.parseHTML(text, { sanitizer: new Sanitizer({ removeElements: [] }) });
const main = () => first("main");
const isEdited = (form) => form.matches(".form") && !!form.querySelector("[type=text], textarea");
const isForm = () => [...document.forms].some(isEdited);
// Behind a proxy, the list may have another path than "/".
const base = () => first("nav a").getAttribute("href").replace(/\/$/, "");
const rowOf = (element) => element?.closest?.("li.row");

// Bringing a page up to date

/** Changes `old` to equal `fresh`; equal parts keep their focus and scrolling. */
function morph(old, fresh) {
  if (old.isEqualNode(fresh)) return old;
  if (old.nodeName !== fresh.nodeName || old.nodeType !== Node.ELEMENT_NODE || old.id !== fresh.id) {
    const copy = document.importNode(fresh, true);
    old.replaceWith(copy);
    return copy;
  }
  for (const name of old.getAttributeNames()) {
    if (!fresh.hasAttribute(name) && old.nodeName !== "DETAILS") old.removeAttribute(name);
  }
  for (const name of fresh.getAttributeNames()) {
    const value = fresh.getAttribute(name);
    if (old.getAttribute(name) !== value) old.setAttribute(name, value);
  }
  const isTyped = old.matches("input, textarea") && old.value !== old.defaultValue;
  if (!isTyped) morphChildren(old, fresh);
  return old;
}

function morphChildren(old, fresh) {
  const known = new Map();
  for (const child of old.children) if (child.id) known.set(child.id, child);
  let place = old.firstChild;
  for (const child of [...fresh.childNodes]) {
    const same = child.id ? known.get(child.id) : undefined;
    if (same) {
      while (place && place !== same && !(place.id && fresh.querySelector("#" + CSS.escape(place.id)))) {
        const next = place.nextSibling;
        place.remove();
        place = next;
      }
      if (place === same) place = same.nextSibling;
      else old.insertBefore(same, place);
      morph(same, child);
    } else if (place && !place.id && !child.id && place.nodeName === child.nodeName) {
      const next = place.nextSibling;
      morph(place, child);
      place = next;
    } else {
      old.insertBefore(document.importNode(child, true), place);
    }
  }
  while (place) {
    const next = place.nextSibling;
    place.remove();
    place = next;
  }
}

function copyStatus(from, to) {
  const [line, old] = [from, to].map((part) => part.querySelector(".status"));
  if (line && old) old.replaceWith(document.importNode(line, true));
}

/**
 * Shows a page of the same screen.
 *
 * If the row with the focus disappears, the focus moves to the next row, or to the heading of the section.
 * Returns the rows that are new or have another text.
 */
function show(page, { keepsStatus = false } = {}) {
  const fresh = page.querySelector("main");
  if (!fresh) return [];
  const focused = document.activeElement;
  const rows = all("li.row");
  const index = rows.indexOf(rowOf(focused));
  const heading = rowOf(focused)?.closest("ul")?.previousElementSibling;
  const known = new Map(rows.map((row) => [row.id, row.textContent]));
  if (keepsStatus) copyStatus(main(), fresh);
  document.title = page.title;
  for (const selector of ["nav", "main", ".filter"]) {
    const [old, other] = [first(selector), page.querySelector(selector)];
    if (old && other) morphChildren(old, other);
  }
  if (focused.isConnected && document.activeElement !== focused) focused.focus({ preventScroll: true });
  if (index >= 0 && !focused.isConnected) {
    const near = [...rows.slice(index + 1), ...rows.slice(0, index + 1).reverse()];
    const next = near.map((row) => document.getElementById(row.id)).find((row) => row);
    focusOn(next?.querySelector("button, a") ?? (heading?.isConnected ? heading : first("h1")));
  }
  return all("li.row[id]").filter((row) => known.get(row.id) !== row.textContent);
}

function focusOn(target) {
  if (target?.matches("h1, h2, h3")) target.tabIndex = -1;
  target?.focus();
}

function say(text) {
  let place = first("main [role=status]");
  if (!place) {
    place = document.createElement("p");
    place.role = "status";
    main().prepend(place);
  }
  const sentence = place.querySelector(".news") ?? place.appendChild(document.createElement("span"));
  sentence.className = "news";
  sentence.textContent = ` ${text}`;
}

// Sending forms

const noAnswer = "Not saved: Remindav does not answer. Your text is still here.";
let sending = 0;

async function send(form, submitter) {
  const fields = new URLSearchParams(new FormData(form, submitter));
  const busy = setTimeout(() => main().setAttribute("aria-busy", "true"), 300);
  const buttons = [...form.querySelectorAll("button")].filter((button) => !button.disabled);
  // The row changes at once; the answer replaces it.
  const mark = () => submitter?.matches(".box") && rowOf(submitter)?.classList.toggle("done");
  sending += 1;
  mark();
  if (isEdited(form)) for (const button of buttons) button.disabled = true;
  try {
    const address = submitter?.hasAttribute("formaction") ? submitter.formAction : form.action;
    const answer = await fetch(address, { method: "POST", body: fields });
    const text = await answer.text();
    if (!answer.ok) mark();
    if (isEdited(form)) return afterForm(form, answer, text);
    afterAction(form, fields, answer, text);
  } catch {
    mark();
    if (isEdited(form)) formProblem(form, noAnswer);
    else say("Not done: Remindav does not answer.");
  } finally {
    sending -= 1;
    clearTimeout(busy);
    main().removeAttribute("aria-busy");
    for (const button of buttons) button.disabled = false;
  }
}

function formProblem(form, text) {
  const alert = form.querySelector("[role=alert]") ?? form.appendChild(document.createElement("p"));
  alert.className = "err";
  alert.role = "alert";
  alert.textContent = text;
}

function afterForm(form, answer, text) {
  if (answer.redirected) {
    isDirty = false;
    return location.assign(answer.url);
  }
  const page = parse(text);
  if (form.closest("dialog")) return openDialog(page);
  if (answer.ok || page.querySelector("form.form")) return replaceMain(page, !answer.ok);
  formProblem(form, [...page.querySelectorAll("main > *")].map((part) => part.textContent).join(" ") || text);
}

/** Shows an answer without an address, such as a refused form. */
function replaceMain(page, isWrong) {
  document.title = page.title;
  const copy = document.importNode(page.querySelector("main"), true);
  main().replaceWith(copy);
  isDirty = isWrong;
  hasAddress = false;
  focusOn(copy.querySelector("[autofocus], [aria-invalid]") ?? copy.querySelector("h1"));
}

function afterAction(form, fields, answer, text) {
  const page = parse(text);
  form.closest("dialog")?.close();
  if (!answer.ok) return [...page.forms].some(isEdited) ? replaceMain(page, true) : openDialog(page);
  if (!answer.redirected) return replaceMain(page, false);
  const there = new URL(answer.url);
  if (location.pathname !== there.pathname) return location.assign(answer.url);
  // A filtered list stays so.
  if (location.search && !there.searchParams.has("q")) {
    copyStatus(page, main());
    refresh(true);
  } else {
    const changed = show(page);
    if (form.matches(".status")) changed[0]?.querySelector("button, a")?.focus();
  }
  const quick = document.getElementById("quick");
  if (form.matches(".quick") && quick?.value === fields.get("text")) quick.value = "";
}

document.addEventListener("submit", (event) => {
  const form = event.target;
  const isPlain = form.method !== "post" || form.enctype === "multipart/form-data" || form.action.endsWith("/out");
  if (!isSupported || event.defaultPrevented || isPlain) {
    isDirty = false;
    return;
  }
  event.preventDefault();
  if (sending && isEdited(form)) return;
  send(form, event.submitter);
});

// Questions and menus

const isDialogLink = (link) => /\/(actions|snooze|delete)$/.test(new URL(link.href).pathname);
let opener = null;

/** Shows the content of a page over this page. */
function openDialog(page) {
  first("dialog")?.remove();
  const dialog = document.createElement("dialog");
  dialog.append(...document.importNode(page.querySelector("main"), true).childNodes);
  // The page below has the only h1.
  const title = document.createElement("h2");
  title.id = "dialog-title";
  title.append(...(dialog.querySelector("h1")?.childNodes ?? []));
  dialog.querySelector("h1")?.replaceWith(title);
  dialog.setAttribute("aria-labelledby", title.id);
  dialog.querySelector(".status")?.remove();
  document.body.append(dialog);
  dialog.addEventListener("close", () => {
    dialog.remove();
    if (opener?.isConnected) opener.focus();
    refresh(true);
  });
  dialog.addEventListener("click", (event) => {
    if (event.target === dialog) dialog.close();
  });
  dialog.showModal();
}

async function follow(link) {
  try {
    const answer = await fetch(link.href);
    if (!answer.ok) return location.assign(link.href);
    if (!link.closest("dialog")) opener = link;
    openDialog(parse(await answer.text()));
  } catch {
    say("Remindav does not answer.");
  }
}

document.addEventListener("click", (event) => {
  // The second click of a double click would meet the next row.
  if (event.detail > 1 && event.target.closest?.("button.box")) event.preventDefault();
  const link = event.target.closest?.("a[href]");
  if (!isSupported || event.defaultPrevented || event.button || event.ctrlKey || event.metaKey || event.shiftKey) return;
  if (link?.origin !== location.origin) return;
  const dialog = link.closest("dialog");
  if (isDialogLink(link) && !isForm()) {
    event.preventDefault();
    follow(link);
  } else if (dialog && link.hasAttribute("autofocus")) {
    event.preventDefault();
    dialog.close();
  }
});

const linkOf = (row, end) => row?.querySelector(`a[href$="/${end}"]`);

document.addEventListener("contextmenu", (event) => {
  const menu = linkOf(rowOf(event.target), "actions");
  if (!isSupported || !menu || event.shiftKey && event.button === 2 || event.target.closest("dialog")) return;
  event.preventDefault();
  follow(menu);
});

// Keys

const goal = { r: "/", l: "/labels", s: "/sync", o: "/log", t: "/trash" };
let goes = false;

const keysAreOn = () => localStorage.getItem("keys") !== "off";

function moveRow(step) {
  const rows = all("li.row");
  const index = rows.indexOf(rowOf(document.activeElement));
  const row = index < 0 ? rows.at(step > 0 ? 0 : -1) : rows[index + step];
  (row?.querySelector("a.open") ?? row?.querySelector("a, button"))?.focus();
  row?.scrollIntoView({ block: "nearest" });
}

const menu = (row) => linkOf(row, "actions")?.click();
const down = () => moveRow(1), up = () => moveRow(-1);
const operations = {
  j: down, ArrowDown: down, k: up, ArrowUp: up, s: menu, m: menu,
  c: (row) => row.querySelector("button.box")?.click(),
  d: (row) => linkOf(row, "delete")?.click(),
  n: () => first('a[href$="/add"]')?.click(),
  q: () => document.getElementById("quick")?.focus(),
  "/": () => document.getElementById("search")?.focus(),
  u: () => first(".status button")?.click(),
  "?": () => first('nav a[href$="/help"]')?.click(),
};

document.addEventListener("keydown", (event) => {
  if (event.isComposing || event.ctrlKey || event.altKey || event.metaKey || !keysAreOn()) return;
  if (event.target.closest("input, textarea, select, dialog")) return;
  if (goes && goal[event.key]) {
    event.preventDefault();
    goes = false;
    location.assign(base() + goal[event.key]);
    return;
  }
  goes = event.key === "g";
  const operation = operations[event.key];
  const row = rowOf(document.activeElement);
  if (!operation || "csdm".includes(event.key) && !row || isForm() && event.key.startsWith("Arrow")) return;
  event.preventDefault();
  operation(row);
});

// Forms

let isDirty = false;
/** Whether a reload would show the same page. */
let hasAddress = true;

function clearProblem(field) {
  const note = document.getElementById(field.getAttribute("aria-describedby"));
  field.removeAttribute("aria-invalid");
  if (note?.matches(".err")) note.textContent = "";
}

document.addEventListener("input", (event) => {
  const form = event.target.closest("form.form");
  if (!form) return;
  isDirty = true;
  if (event.target.hasAttribute("aria-invalid")) clearProblem(event.target);
  // A problem of the date may be solved by another time.
  const date = form.querySelector("[name=date]");
  if (["time", "words"].includes(event.target.name) && date) clearProblem(date);
  preview(form);
});

function preview(form) {
  const output = form.querySelector("output");
  const name = form.querySelector("[name=label]");
  const color = form.querySelector("[name=color]:checked");
  if (!output || !name) return;
  const isBlank = !name.value.trim();
  const text = output.querySelector("bdi");
  if (text) text.textContent = isBlank ? "Label Name" : name.value;
  output.classList.toggle("muted", isBlank);
  if (color) output.querySelector("circle")?.setAttribute("fill", color.value);
  const save = form.querySelector(".main-button");
  if (save) save.disabled = isBlank;
}

addEventListener("beforeunload", (event) => {
  if (isDirty && isForm()) event.preventDefault();
});

document.addEventListener("keydown", (event) => {
  const form = event.target.closest?.("form.form");
  if (event.key !== "Escape" || !form || event.isComposing) return;
  form.querySelector(".bar a")?.click();
});

// Changes elsewhere

let source = null;
// Numbers of requests, because answers can overtake each other.
let asked = 0, shown = 0;
let lastText;
let lastTold = 0;
// In milliseconds.
const quietTime = 10_000, streamDelay = 500;

async function refresh(isOwn = false) {
  if (!hasAddress || first("dialog")) return;
  const turn = ++asked;
  try {
    const answer = await fetch(location.href);
    const text = await answer.text();
    if (!answer.ok || text === lastText || turn < shown || sending || first("dialog")) return;
    const isFirst = !shown;
    shown = turn;
    lastText = text;
    if (isForm()) {
      // The form of a new reminder differs each time.
      if (!isFirst && !isOwn && first("[name=was]")) say("This page was changed elsewhere. Your text is kept.");
      return;
    }
    const ids = all("li.row[id]").map((row) => row.id);
    const changed = show(parse(text), { keepsStatus: true });
    const count = changed.length + ids.filter((id) => !document.getElementById(id)).length;
    if (isOwn || !count || Date.now() < lastTold + quietTime) return;
    lastTold = Date.now();
    say(`${count} reminder${count === 1 ? "" : "s"} changed elsewhere.`);
  } catch {}
}

function listen() {
  if (document.hidden) {
    source?.close();
    source = null;
    return;
  }
  if (source) return;
  source = new EventSource(base() + "/events");
  // Earlier changes may have been missed.
  source.onopen = () => refresh();
  source.addEventListener("changed", () => refresh());
  source.addEventListener("fired", (event) => say(`Reminder: ${event.data}`));
}

if (isSupported) {
  document.addEventListener("visibilitychange", listen);
  // A click on a new page does not wait for a second load.
  setTimeout(listen, streamDelay);
  const here = new URL(location.href);
  here.searchParams.delete("did");
  here.searchParams.delete("note");
  if (here.href !== location.href) history.replaceState(null, "", here);
  for (const form of all("form.form")) preview(form);
  if (/^#r\d+$/.test(location.hash)) first(`${location.hash} a.open`)?.focus();
  const box = document.getElementById("keys");
  if (box) {
    box.checked = keysAreOn();
    box.addEventListener("change", () => localStorage.setItem("keys", box.checked ? "on" : "off"));
  }
}

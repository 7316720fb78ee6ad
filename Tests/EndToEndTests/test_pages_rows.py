"""The rows of docs/requirements.md that only a browser can show: targets, names, sections, errors, and the effect of a save."""

from screens import PageTest


class Rows(PageTest):
    def shown(self, tab):
        """The titles of the open reminders on the list."""
        return tab.evaluate("[...document.querySelectorAll('li.row:not(.done) .open bdi:first-of-type')].map(e => text(e))")

    # A30: errors are small, in the colour of errors, and below their field.
    def test_an_error_is_small_red_and_below_its_field(self):
        def action(tab):
            tab.open(self.origin + "/add")
            tab.click("Save")
            tab.wait_text("Title is required")
            note = tab.evaluate("""(() => {
                const field = document.querySelector('#title');
                const note = document.getElementById(field.getAttribute('aria-describedby').split(' ')[0]);
                const style = getComputedStyle(note.firstElementChild ?? note);
                return {below: note.getBoundingClientRect().top >= field.getBoundingClientRect().bottom - 1,
                        size: getComputedStyle(note).fontSize, color: getComputedStyle(note).color,
                        text: text(note), invalid: field.getAttribute('aria-invalid')};
            })()""")
            self.assertTrue(note["below"])
            self.assertEqual((note["size"], note["color"]), ("14px", "rgb(180, 18, 59)"))
            self.assertIn("Title is required", note["text"])
            self.assertEqual(note["invalid"], "true")
            self.assertTrue(tab.evaluate("document.title").startswith("Error: "))

        self.in_each_browser(action)

    # A31: pictures of both modes of the form in both themes and widths.
    def test_both_forms_have_pictures_in_both_themes_and_widths(self):
        def action(tab):
            pictures = {}
            for width in (320, 1280):
                tab.resize(width)
                for theme in ("light", "dark"):
                    tab.look(theme)
                    for address in ("/add", "/r/1"):
                        tab.open(self.origin + address)
                        tab.wait("document.getAnimations().every(one => one.playState === 'finished')")
                        pictures[width, theme, address] = tab.picture()
            self.assertEqual(len(set(pictures.values())), len(pictures))
            self.assertGreater(min(map(len, pictures.values())), 5_000)

        self.in_each_browser(action, "Pay rent")

    # H13, E09: the whole row is the link, and the round button is beside it.
    def test_the_whole_row_opens_the_reminder_and_the_button_is_beside_it(self):
        def action(tab):
            for width in (320, 1280):
                tab.resize(width)
                tab.open(self.origin + "/")
                boxes = tab.evaluate("""(() => {
                    const box = e => (({x, y, width, height}) => ({x, y, width, height}))(e.getBoundingClientRect());
                    const row = document.querySelector('#r1');
                    return [box(row), box(row.querySelector('a.open')), box(row.querySelector('button.box'))];
                })()""")
                row, link, button = boxes
                self.assertGreaterEqual(link["height"], 44)
                self.assertGreaterEqual(link["height"], row["height"] - 2, "the link is as high as the row")
                self.assertGreaterEqual(min(button["width"], button["height"]), 44)
                self.assertLessEqual(button["x"] + button["width"], link["x"] + 1)
            tab.click(css="#r1 a.open")
            tab.wait("location.pathname === '/r/1'")

        self.in_each_browser(action, "Pay rent")

    # H19, E11: sections, groups and lists are headings and lists for a screen reader; open reminders come first.
    def test_sections_and_lists_are_in_the_accessibility_tree(self):
        def action(tab):
            self.laptop.run("add", "Buy milk", "--due", "today")
            self.laptop.run("done", "2")
            tab.open(self.origin + "/")
            self.assertTrue(tab.has("heading", "Reminders"))
            headings = tab.evaluate("[...document.querySelectorAll('main h1, main h2, main h3')].map(e => e.nodeName + ' ' + text(e))")
            found = [one for one in headings if one.startswith(("H1 Reminders", "H2 Today", "H2 Upcoming", "H3", "H2 Completed"))]
            self.assertEqual([one.split(" (")[0] for one in found],
                             ["H1 Reminders", "H2 Today", "H2 Upcoming", "H3 Later", "H2 Completed"])
            lists = tab.evaluate("[...document.querySelectorAll('ul.rows')].map(e => [e.getAttribute('role'), e.children.length])")
            self.assertEqual(lists, [["list", 1]] * 3)

        self.in_each_browser(action, "Pay rent", "Ring Ada")

    # E02, E03: a new date moves the alarm, a deletion cancels it, and the list shows both.
    def test_an_edit_moves_the_alarm_and_a_deletion_cancels_it(self):
        def alarms():
            return [one["fires"][:16] for one in self.laptop.json("alarms")]

        def action(tab):
            self.assertEqual(alarms(), ["2031-01-01T08:00"])
            tab.open(self.origin + "/r/1")
            tab.fill(css="[name=date]", value="2031-02-03")
            tab.fill(css="[name=time]", value="10:30")
            tab.click("Save")
            tab.wait_text("10:30")
            self.assertEqual(alarms(), ["2031-02-03T09:30"])
            tab.click("Delete: Pay rent")
            tab.wait("nameOf(document.activeElement) === 'Cancel'")
            tab.click(css="dialog .danger-button")
            tab.wait_text('Deleted "Pay rent"')
            self.assertEqual(alarms(), [])

        self.in_each_browser(action, "Pay rent")

    # E10, E31: the content opens the form, the button completes without opening it, Cancel and Escape close it.
    def test_content_opens_the_button_toggles_and_completed_reminders_open_too(self):
        def action(tab):
            tab.click(css="#r1 button.box")
            tab.wait_text('Completed "Pay rent"')
            self.assertEqual(tab.evaluate("location.pathname"), "/")
            tab.wait("!!document.querySelector('#r1.done a.open')")
            tab.click(css="#r1 a.open")
            tab.wait("location.pathname === '/r/1'")
            self.assertEqual(tab.value("Reminder title"), "Pay rent")
            tab.loading(tab.click, "Cancel")
            self.assertEqual(tab.evaluate("location.pathname"), "/")
            tab.click(css="#r2 a.open")
            tab.wait("location.pathname === '/r/2'")
            tab.click(css="#title")
            tab.loading(tab.press, "Escape")
            tab.wait("location.pathname === '/'")
            tab.click("Uncomplete: Pay rent")
            tab.wait("!!document.querySelector('#r1:not(.done)')")

        self.in_each_browser(action, "Pay rent", "Ring Ada")

    # E14: Enter in the title saves.
    def test_enter_in_the_title_saves(self):
        def action(tab):
            tab.open(self.origin + "/add")
            tab.wait("document.activeElement.id === 'title'")
            self.assertEqual(tab.evaluate("document.activeElement.placeholder"), "Title")
            tab.keys("Buy milk")
            tab.loading(tab.press, "Enter")
            tab.wait_text('Added "Buy milk"')

        self.in_each_browser(action)

    # E19, E31: prefilled, checked, an error only after an attempt, both dates shown, saved, and in the list at once.
    def test_nine_criteria_of_the_form(self):
        def action(tab):
            tab.open(self.origin + "/add")
            new = tab.evaluate("[...document.querySelectorAll('form.form :is(.bar a, .bar button)')].map(nameOf)")
            tab.open(self.origin + "/r/1")
            self.assertEqual(tab.evaluate("[...document.querySelectorAll('form.form :is(.bar a, .bar button)')].map(nameOf)"), new)
            self.assertEqual((tab.value("Reminder title"), tab.value(css="[name=date]"), tab.value(css="[name=time]")),
                             ("Pay rent", "2031-01-01", "09:00"))
            self.assertEqual(tab.evaluate("document.querySelectorAll('[aria-invalid]').length"), 0)
            tab.fill("Reminder title", " ")
            self.assertEqual(tab.evaluate("document.querySelectorAll('[aria-invalid]').length"), 0, "before an attempt")
            tab.click("Save")
            tab.wait_text("Title is required")
            tab.fill("Reminder title", "Pay the rent")
            tab.click("Save")
            tab.wait_text('Changed "Pay the rent"')
            self.assertEqual(self.shown(tab), ["Pay the rent"])
            self.assertEqual([one["title"] for one in self.laptop.json("list")], ["Pay the rent"])

        self.in_each_browser(action, "Pay rent")

    # E21, E31, E33: a question with two answers; two activations delete; the list shows it at once, with Undo.
    def test_nine_criteria_of_deleting_in_two_activations(self):
        def action(tab):
            activations = 0
            tab.click("Delete: Pay rent")
            activations += 1
            tab.wait_text("Are you sure you want to delete 'Pay rent'?")
            self.assertEqual(tab.evaluate("[...document.querySelectorAll('dialog :is(a, button)')].map(nameOf)"),
                             ["Cancel", "Delete"])
            tab.click("Cancel")
            tab.wait("!document.querySelector('dialog')")
            self.assertEqual(len(self.laptop.json("list")), 2)
            tab.click("Delete: Pay rent")
            tab.wait("nameOf(document.activeElement) === 'Cancel'")
            tab.click(css="dialog .danger-button")
            activations += 1
            tab.wait_text('Deleted "Pay rent"')
            self.assertEqual(activations, 2)
            self.assertEqual(self.shown(tab), ["Ring Ada"])
            self.assertEqual([one["title"] for one in self.laptop.json("list")], ["Ring Ada"])
            self.assertEqual([one["reminder"] for one in self.laptop.json("alarms")], [2])
            self.assertTrue(tab.evaluate("!!find('Undo')"))

        self.in_each_browser(action, "Pay rent", "Ring Ada")

    # E24: the title has a name, its text as value, and a description.
    def test_the_title_has_a_name_a_value_and_a_description(self):
        def action(tab):
            tab.open(self.origin + "/add")
            self.assertTrue(tab.has("textbox", "Reminder title"))
            self.assertEqual(tab.value("Reminder title"), "")
            described = "document.getElementById(document.querySelector('#title').getAttribute('aria-describedby').split(' ')[0])"
            self.assertEqual(tab.evaluate(f"text({described})"), "What do you need to remember?")
            tab.open(self.origin + "/r/1")
            self.assertEqual(tab.value("Reminder title"), "Pay rent")

        self.in_each_browser(action, "Pay rent")

"""The functions of the pages that need the script: menus, keys, the focus, and errors that disappear."""

import os
import signal
import threading

from screens import PageTest


class Script(PageTest):
    def row(self, tab):
        """The number of the row with the focus."""
        return tab.evaluate("document.activeElement.closest('li')?.id ?? null")

    def test_keys_move_between_rows_and_act_on_them(self):
        def action(tab):
            tab.press("j")
            self.assertEqual(self.row(tab), "r1")
            tab.press("ArrowDown")
            self.assertEqual(self.row(tab), "r2")
            tab.press("k")
            self.assertEqual(self.row(tab), "r1")
            tab.press("c")
            tab.wait_text('Completed "Pay rent"')
            # The row is in another section now, and the next row has the focus.
            self.assertEqual(self.row(tab), "r2")
            tab.press("u")
            tab.wait("!!find('Complete: Pay rent')")
            tab.wait("document.activeElement.closest('li')?.id === 'r1'")
            tab.press("s")
            tab.wait("!!document.querySelector('dialog')")
            tab.press("Escape")
            tab.wait("!document.querySelector('dialog')")
            tab.wait("document.activeElement.closest('li')?.id === 'r1'")
            tab.press("d")
            tab.wait("nameOf(document.activeElement) === 'Cancel'")
            tab.press("Escape")
            tab.wait("!document.querySelector('dialog')")
            tab.press("d")
            tab.wait("nameOf(document.activeElement) === 'Cancel'")
            tab.click(css="dialog .danger-button")
            tab.wait("!document.querySelector('#r1')")
            tab.wait("document.activeElement.closest('li')?.id === 'r2'")
            tab.press("q")
            tab.wait("document.activeElement.id === 'quick'")
            tab.keys("jd")
            self.assertEqual(tab.value(css="#quick"), "jd")
            self.assertEqual([one["title"] for one in self.laptop.json("list")], ["Ring Ada", "Water plants"])
            tab.evaluate("document.activeElement.blur()")
            tab.loading(tab.keys, "gl")
            tab.wait("location.pathname === '/labels'")
            tab.loading(tab.keys, "gr")
            tab.wait("location.pathname === '/'")
            tab.loading(tab.press, "n")
            tab.wait("location.pathname === '/add'")

        self.in_each_browser(action, "Pay rent", "Ring Ada", "Water plants")

    def test_the_menu_opens_over_the_page_by_each_way(self):
        def action(tab):
            def opened_and_closed():
                tab.wait("!!document.querySelector('dialog[open]')")
                names = tab.evaluate("[...document.querySelectorAll('dialog :is(a, button)')].map(nameOf)")
                tab.press("Escape")
                tab.wait("!document.querySelector('dialog')")
                return names

            tab.click("More actions for Pay rent")
            names = opened_and_closed()
            self.assertEqual(tab.focused(), "More actions for Pay rent")
            self.assertEqual(names[:5], ["Mark Complete", "5 minutes", "15 minutes", "30 minutes", "1 hour"])
            self.assertEqual(names[-2:], ["Edit", "Delete"])
            tab.click(css="#r1 a.open", button="right")
            self.assertEqual(opened_and_closed(), names)
            tab.evaluate("document.querySelector('#r1 a.open').focus()")
            # A browser sends this event for the menu key and Shift+F10, but not for keys of a test.
            tab.evaluate("document.activeElement.dispatchEvent("
                         "new MouseEvent('contextmenu', {bubbles: true, cancelable: true}))")
            self.assertEqual(opened_and_closed(), names)
            tab.press("m")
            self.assertEqual(opened_and_closed(), names)
            tab.click("More actions for Pay rent")
            tab.wait("!!document.querySelector('dialog[open]')")
            tab.click("30 minutes")
            tab.wait_text('Snoozed "Pay rent"')
            self.assertEqual(tab.path, "/")

        self.in_each_browser(action, "Pay rent")

    def test_an_error_disappears_when_its_field_changes_and_that_of_the_date_with_the_time(self):
        def action(tab):
            tab.open(self.origin + "/add")
            tab.fill(css="[name=date]", value="2020-01-01")
            tab.fill(css="[name=time]", value="09:00")
            tab.click("Save")
            tab.wait_text("Title is required")
            tab.wait_text("Must be in the future")
            self.assertEqual(tab.evaluate("document.activeElement.name"), "title")
            tab.keys("B")
            self.assertNotIn("Title is required", tab.text)
            self.assertIn("Must be in the future", tab.text)
            tab.fill(css="[name=time]", value="10:00")
            self.assertNotIn("Must be in the future", tab.text)

        self.in_each_browser(action)

    def test_leaving_a_form_asks_only_if_it_has_changes(self):
        def action(tab):
            tab.open(self.origin + "/r/1")
            # A browser asks only after input of a person.
            tab.click(css="#title")
            tab.press("End")
            tab.keys("al")
            tab.answer = False
            tab.press("Escape")
            tab.wait("document.querySelector('#title')?.value === 'Pay rental'")
            tab.answer = True
            tab.loading(tab.press, "Escape")
            tab.wait("location.pathname === '/'")
            # Firefox asks once for one change.
            self.assertIn(len(tab.warnings), (1, 2))
            tab.warnings.clear()
            tab.open(self.origin + "/r/1")
            tab.loading(tab.click, "Cancel")
            self.assertEqual(tab.warnings, [])
            self.assertEqual([one["title"] for one in self.laptop.json("list")], ["Pay rent"])

        self.in_each_browser(action, "Pay rent")

    def test_a_label_is_shown_as_it_will_look_and_needs_a_name(self):
        def action(tab):
            tab.open(self.origin + "/labels/add")
            tab.wait("document.querySelector('.main-button').disabled")
            self.assertEqual(tab.evaluate("text(document.querySelector('output'))"), "Label Name")
            tab.fill("Label name", "home")
            tab.wait("text(document.querySelector('output')) === 'home'")
            self.assertFalse(tab.evaluate("document.querySelector('.main-button').disabled"))
            tab.evaluate("document.querySelector('[name=color][value=\"#4CAF50\"]').click()")
            self.assertEqual(tab.evaluate("document.querySelector('output circle').getAttribute('fill')"), "#4CAF50")

        self.in_each_browser(action)

    def test_a_slow_answer_marks_the_page_as_busy_and_save_works_once(self):
        def action(tab):
            tab.open(self.origin + "/add")
            tab.fill("Reminder title", "Buy milk")
            server = self.processes[-1]
            os.kill(server.pid, signal.SIGSTOP)
            # Without a signal to continue, a failing test would wait for a stopped server.
            wake = threading.Timer(15, os.kill, (server.pid, signal.SIGCONT))
            wake.start()
            try:
                tab.click("Save")
                tab.wait("document.querySelector('main').getAttribute('aria-busy') === 'true'")
                self.assertTrue(tab.evaluate("document.querySelector('form.form .main-button').disabled"))
            finally:
                wake.cancel()
                os.kill(server.pid, signal.SIGCONT)
            tab.wait_text('Added "Buy milk"')
            self.assertEqual([one["title"] for one in self.laptop.json("list")], ["Buy milk"])

        self.in_each_browser(action)

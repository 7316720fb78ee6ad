"""`remindav daemon` during changes of its settings."""

import os
import time

from daemons import Daemon, todo
from harness import wait_for
from servers import Radicale


class Settings(Daemon):
    """Changes of settings while the daemon runs."""

    anew = "The changed settings are in use"

    def setUp(self):
        super().setUp()
        self.person.environment["TZ"] = "UTC"
        now = int(time.time())
        self.quiet = "quiet-hours = " + "-".join(
            time.strftime("%H:%M", time.gmtime(now + hours * 3600)) for hours in (-1, 2))

    def wait_for_news(self, count, words=anew):
        wait_for(lambda: self.log().count(words) >= count, 15, f"{words!r} {count} times; log: {self.log()}")
        self.assertEqual(self.log().count(words), count, self.log())

    def test_quiet_hours_of_a_new_file_count_and_end_with_its_removal(self):
        self.start()
        self.assertFalse((self.person.home / ".config").exists())
        path = self.settings(self.quiet)
        self.wait_for_news(1)
        self.keep(todo("a", int(time.time()) + 3))
        time.sleep(5)
        self.assertEqual(self.desktop.notifications(), [])
        path.unlink()
        self.wait_for_notifications(1)
        self.wait_for_news(2)
        # The folder too, and both once more.
        path.parent.rmdir()
        time.sleep(1)
        self.settings(self.quiet)
        self.wait_for_news(3)

    def test_an_invalid_file_is_reported_once_and_the_former_settings_stay(self):
        path = self.settings(self.quiet)
        self.start()
        due = int(time.time()) + 5
        self.keep(todo("a", due))
        self.settings("# mine", "quiet-hours = at night")
        self.wait_for_news(1, f"{path}:2: 'quiet-hours'")
        self.settings("# mine", "quiet-hours = at night")
        time.sleep(max(due + 2 - time.time(), 2))
        self.assertEqual(self.desktop.notifications(), [])
        self.wait_for_news(1, f"{path}:2: 'quiet-hours'")
        self.assertIn("The previous settings stay in use", self.log())
        self.settings("# mine")
        self.wait_for_notifications(1)
        self.wait_for_news(1)

    def test_the_writes_of_an_editor_count_once(self):
        path = self.settings("snooze = 15m")
        self.start()
        # The alarms stay the same.
        self.settings("snooze = 20m", "due-time = 08:00")
        time.sleep(1.5)
        self.assertNotIn(self.anew, self.log())
        new = path.with_name("config.new")
        new.write_text("sync-interval = 20m\n")
        new.rename(path)
        self.wait_for_news(1)
        # In steps; the first step is an invalid file.
        with path.open("w") as file:
            file.write("sync-inter")
            file.flush()
            time.sleep(0.2)
            file.write("val = 30m\n")
        self.wait_for_news(2)
        # The old file is renamed first.
        path.rename(path.with_name("config~"))
        time.sleep(1)
        path.write_text("sync-interval = 40m\n")
        self.wait_for_news(3)
        path.write_text("")
        time.sleep(1)
        path.write_text("sync-interval = 50m\n")
        self.wait_for_news(4)
        # The file is unreadable at first, and readable later.
        path.chmod(0o200)
        if os.geteuid():
            self.wait_for_news(1, "you have no permission to open it")
        path.chmod(0o600)
        time.sleep(1)
        self.assertNotIn(f"{path}:", self.log())

    def test_links_are_followed(self):
        dots = self.person.home / "dots"
        (dots / "remindav").mkdir(parents=True)
        (dots / "remindav" / "config").write_text("sync-interval = 20m\n")
        folder = self.person.home / ".config"
        folder.mkdir()
        self.start()
        (folder / "remindav").symlink_to("../dots/remindav")
        self.wait_for_news(1)
        (dots / "remindav" / "config").write_text("sync-interval = 30m\n")
        self.wait_for_news(2)
        # Another folder, with a link to a file.
        (dots / "one").write_text("sync-interval = 40m\n")
        (dots / "two").write_text("sync-interval = 50m\n")
        (folder / "remindav").unlink()
        (folder / "remindav").mkdir()
        (folder / "remindav" / "config").symlink_to(dots / "one")
        self.wait_for_news(3)
        (folder / "remindav" / "new").symlink_to(dots / "two")
        (folder / "remindav" / "new").rename(folder / "remindav" / "config")
        self.wait_for_news(4)
        new = dots / "three"
        new.write_text("sync-interval = 1h\n")
        new.rename(dots / "two")
        self.wait_for_news(5)

    def test_another_interval_counts_at_once_and_an_invalid_file_ends_no_sync(self):
        server = self.borrow(Radicale)
        self.keep(todo("a", int(time.time()) + 86400))
        self.person.add_account(server.url)
        self.person.publish("Reminders")
        self.person.sync()
        last = lambda: self.person.json("status")["accounts"][0]["lastSync"]
        self.settings("sync-interval = never")
        self.start()
        before = last()
        time.sleep(2)
        self.settings("sync-interval = 1h")
        self.wait_for_news(1)
        self.settings("sync-interval = 1h", "store = ?")
        self.wait_for_news(1, "'store' must be a path")
        # `status` reads the same settings.
        self.person.environment["REMINDAV_CONFIG"] = "/dev/null"
        wait_for(lambda: last() != before, 40, f"a sync; log: {self.log()}")
        self.assertNotIn("A sync failed", self.log())

    def test_a_change_of_the_store_setting_is_reported(self):
        self.start()
        self.settings("store = ~/elsewhere")
        self.wait_for_news(1, "The settings name another store now")
        self.settings("sound = no")
        self.wait_for_news(2)
        self.wait_for_news(1, "The settings name another store now")

    def test_a_pipe_in_the_place_of_the_file_blocks_nothing(self):
        self.start()
        path = self.person.home / ".config" / "remindav" / "config"
        path.parent.mkdir(parents=True)
        # Other commands do wait for a writer of the pipe.
        self.keep(todo("a", int(time.time()) + 6))
        os.mkfifo(path)
        self.wait_for_notifications(1)
        self.assertNotIn(self.anew, self.log())
        new = path.with_name("new")
        new.write_text(self.quiet)
        new.rename(path)
        self.wait_for_news(1)

    def test_a_pipe_is_read_at_the_start_and_never_again(self):
        read, write = os.pipe()
        os.write(write, self.quiet.encode() + b"\n")
        os.close(write)
        self.person.environment["REMINDAV_CONFIG"] = f"/dev/fd/{read}"
        self.start(pass_fds=[read])
        os.close(read)
        del self.person.environment["REMINDAV_CONFIG"]
        self.keep(todo("a", int(time.time()) + 3))
        time.sleep(5)
        self.assertEqual(self.desktop.notifications(), [])
        self.assertNotIn("settings", self.log())

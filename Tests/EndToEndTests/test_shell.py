"""What a shell has of the program: settings."""

import unittest

from harness import FAILURE, USAGE, EndToEnd


class Settings(EndToEnd):
    def setUp(self):
        super().setUp()
        self.laptop = self.device("laptop")
        self.file = self.laptop.home / ".config" / "remindav" / "config"
        self.file.parent.mkdir(parents=True)

    def effective(self, *arguments, **options):
        return {row["name"]: (row["value"], row["origin"]) for row in self.laptop.json("config", *arguments, **options)}

    def test_option_environment_file_default(self):
        self.assertEqual(self.effective()["color"], ("auto", "default"))
        self.file.write_text("color = always\nstore = ~/mine\n")
        self.assertEqual(self.effective()["color"], ("always", "file"))
        self.assertEqual(self.effective(environment={"NO_COLOR": "1"})["color"], ("never", "environment"))
        self.assertEqual(self.effective("--color", "auto", environment={"CLICOLOR": "1"})["color"], ("auto", "option"))
        self.assertEqual(self.effective()["store"], (str(self.laptop.store), "environment"))
        del self.laptop.environment["REMINDAV_STORE"]
        self.assertEqual(self.effective()["store"], (f"{self.laptop.home}/mine", "file"))
        self.assertEqual(self.effective("--store", "/x")["store"], ("/x", "option"))
        self.laptop.run("add", "Here")
        self.assertTrue((self.laptop.home / "mine" / "reminders.db").is_file())

    def test_other_places_of_the_file(self):
        other = self.write("other", "port = 1\n")
        self.assertEqual(self.effective("--config", other)["port"], ("1", "file"))
        self.assertEqual(self.effective(environment={"REMINDAV_CONFIG": str(other)})["port"], ("1", "file"))
        folder = self.folder / "xdg"
        (folder / "remindav").mkdir(parents=True)
        (folder / "remindav" / "config").write_text("port = 2\n")
        self.assertEqual(self.effective(environment={"XDG_CONFIG_HOME": str(folder)})["port"], ("2", "file"))
        for value in ("", "xdg", "./xdg"):
            self.assertEqual(self.effective(environment={"XDG_CONFIG_HOME": value})["port"], ("8737", "default"))

    def test_a_mistake_is_named_with_its_line(self):
        self.file.write_text("port = 1\n\nlisst = Work\n")
        self.assert_complaint(self.laptop.run("list", code=None), USAGE, r"config:3: .*did you mean 'list'\?")
        self.assert_complaint(self.laptop.run("add", "x", code=None), USAGE, "config:3")
        self.assertFalse(self.laptop.store.exists(), "nothing was done")
        self.assertIn("config:3", self.laptop.run("config", code=USAGE).err)
        for words in (["--help"], ["help"], ["list", "--help"], ["--version"]):
            self.laptop.run(*words)
        self.file.write_bytes(bytes(range(256)) * 100)
        self.laptop.run("list", code=USAGE)
        self.file.write_bytes(b"#" * 70_000)
        self.assert_complaint(self.laptop.run("list", code=None), FAILURE, "too large")
        self.file.unlink()
        self.file.mkdir()
        self.assert_complaint(self.laptop.run("list", code=None), FAILURE, "folder")


if __name__ == "__main__":
    unittest.main()

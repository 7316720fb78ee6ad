import Testing

@testable import RemindavCLI

@Suite("names in printed commands")
struct CommandWordTests {
    @Test(
        "a name that the shell would not read as one word is quoted, and `--` precedes a name that looks like an option",
        arguments: [
            ("Garden", "Garden"), ("Home-2.x_y", "Home-2.x_y"), ("Büro", "Büro"), ("Home stuff", #""Home stuff""#),
            (#"a"b$c`d\e"#, #""a\"b\$c\`d\\e""#), ("", #""""#), ("a;b", #""a;b""#), ("it's", #""it's""#),
            ("-x", "-- -x"), ("-x y", #"-- "-x y""#),
        ]
    )
    func words(name: String, word: String) {
        #expect(name.commandWord == word)
        #expect(name.shellWord == (word.hasPrefix("-- ") ? String(word.dropFirst(3)) : word))
    }
}

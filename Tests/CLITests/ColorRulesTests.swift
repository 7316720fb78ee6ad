import Synchronization
import Testing

@testable import RemindavCLI

@Suite("colour")
struct ColorRulesTests {
    @Test(
        "the option takes precedence over the environment, the environment over the terminal",
        arguments: [
            (ColorChoice.auto, [:], true, true),
            (.auto, [:], false, false),
            (.auto, ["NO_COLOR": "1"], true, false),
            (.auto, ["NO_COLOR": ""], true, true),
            (.auto, ["CLICOLOR": "0"], true, false),
            (.auto, ["CLICOLOR": "1"], false, false),
            (.auto, ["TERM": "dumb"], true, false),
            (.auto, ["TERM": "xterm"], true, true),
            (.auto, ["CLICOLOR_FORCE": "1"], false, true),
            (.auto, ["CLICOLOR_FORCE": "0"], false, false),
            (.auto, ["CLICOLOR_FORCE": "1", "NO_COLOR": "1"], true, false),
            (.auto, ["CLICOLOR_FORCE": "1", "TERM": "dumb"], true, true),
            (.always, ["NO_COLOR": "1", "TERM": "dumb"], false, true),
            (.never, ["CLICOLOR_FORCE": "1"], true, false),
        ] as [(ColorChoice, [String: String], Bool, Bool)]
    )
    func rules(choice: ColorChoice, environment: [String: String], isTerminal: Bool, expected: Bool) {
        #expect(ColorRules(choice: choice, environment: environment).allowsColor(onTerminal: isTerminal) == expected)
    }
}

@Suite("progress")
struct ProgressTests {
    @Test("nothing is shown within 300 ms, off a terminal, or when quiet")
    func silent() {
        let early = TestWorld(isTerminal: true)
        Progress(output: early.output()) { 299 }.show("working")
        #expect(early.complaints.isEmpty)
        let piped = TestWorld()
        Progress(output: piped.output()) { 1000 }.show("working")
        #expect(piped.complaints.isEmpty)
        let quiet = TestWorld(isTerminal: true)
        var options = GlobalOptions()
        options.isQuiet = true
        Progress(output: quiet.output(options)) { 1000 }.show("working")
        #expect(quiet.complaints.isEmpty)
    }

    @Test("the elapsed time is shown while a server does not respond")
    func waiting() async {
        let world = TestWorld(isTerminal: true)
        let clock = Mutex<Int64>(0)
        let progress = Progress(output: world.output()) { clock.withLock { $0 } }
        progress.tick()
        progress.show("asking")
        for time in [1000, 2000, 45_000] as [Int64] {
            clock.withLock { $0 = time }
            progress.tick()
        }
        #expect(world.complaints == "\rasking, 2 s\u{1B}[K\rasking, 45 s\u{1B}[K")
        clock.withLock { $0 = 47_000 }
        progress.show("Home: 3 done")
        clock.withLock { $0 = 52_000 }
        progress.tick()
        progress.finish()
        progress.tick()
        #expect(world.complaints.hasSuffix("\rHome: 3 done\u{1B}[K\rHome: 3 done, 5 s\u{1B}[K\r\u{1B}[K"))
    }

    @Test("a line is shown on standard error, cut to the width, and wiped at the end")
    func shown() {
        let world = TestWorld(isTerminal: true, columns: 10)
        let progress = Progress(output: world.output()) { 300 }
        progress.show("a very long list\u{1B}")
        progress.show("too soon after the first")
        progress.finish()
        progress.finish()
        #expect(world.complaints == "\ra very l…\u{1B}[K\r\u{1B}[K")
        #expect(world.answers.isEmpty)
    }
}

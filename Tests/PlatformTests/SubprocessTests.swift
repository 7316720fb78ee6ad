import Glibc
import Testing

@testable import RemindavPlatform

@Suite("password commands", .serialized)
struct SubprocessTests {
    @Test("the first printed line is the password", arguments: ["echo a b", "printf 'a b\\r\\nc\\n'"])
    func firstLine(command: String) {
        #expect(Subprocess.firstLine(ofShellCommand: command) == "a b")
    }

    @Test(
        "a command that fails or prints nothing gives no password",
        arguments: ["echo secret; exit 1", "true", "echo", "kill -9 $$", "/nonexistent/command 2> /dev/null"]
    )
    func failing(command: String) {
        #expect(Subprocess.firstLine(ofShellCommand: command) == nil)
    }

    @Test(
        "a command over its time limit gives no password, whether it printed, closed its output or started others",
        arguments: [
            "sleep 20", "echo secret; sleep 20", "echo secret; exec >&-; sleep 20", "echo secret; sleep 20 | cat",
        ]
    )
    func endless(command: String) {
        let time = ContinuousClock().measure {
            #expect(Subprocess.firstLine(ofShellCommand: command, within: .milliseconds(100)) == nil)
        }
        #expect(time < .seconds(10))
    }

    @Test("the command ends without waiting for a background process that holds its output open")
    func agent() {
        let time = ContinuousClock().measure {
            #expect(Subprocess.firstLine(ofShellCommand: "sleep 20 & echo secret") == "secret")
        }
        #expect(time < .seconds(10))
    }

    @Test("a command that prints without end is stopped")
    func flood() {
        #expect(Subprocess.firstLine(ofShellCommand: "yes") == nil)
    }

    @Test("a process that is no longer used is killed, and the kernel forgets it")
    func released() throws {
        for _ in 0..<100 {
            let id = try Subprocess(["/bin/sh", "-c", "trap '' TERM; sleep 100"]).id
            // A process that has ended and was not waited for still has its number.
            #expect(kill(id, 0) == -1)
        }
    }
}

import RemindavBridge
import Synchronization
import Testing

@testable import RemindavPages

@Suite("web pages: the steps of connecting a server")
struct ConnectionTests {
    /// A step that goes on until the test lets it end.
    private final class Gate: Sendable {
        private let isOpen = Mutex(false)

        func open() { self.isOpen.withLock { $0 = true } }

        /// Waits even if the task is cancelled, as a request does whose answer has just arrived.
        func wait() async {
            while !self.isOpen.withLock({ $0 }) { await Task.yield() }
        }
    }

    @Test("the end of an earlier step changes nothing")
    func oldStep() async {
        let connection = Connections().begin(ConnectForm())
        let (gate, isOver) = (Gate(), Gate())
        connection.perform { step in
            await gate.wait()
            step.change { ($0.stage, $0.password) = (.granting(page: "https://example.org"), .command("old")) }
            isOver.open()
            return .signIn(problem: "old")
        }
        connection.perform { _ in .signIn(problem: "new") }
        await Waiting.until(seconds: 10) { !connection.isAsking }
        gate.open()
        await isOver.wait()
        guard case .signIn(problem: "new") = connection.current.stage else {
            Issue.record("\(connection.current.stage)")
            return
        }
        #expect(connection.current.password == nil)
    }

    @Test("a cancelled attempt keeps no password, and its step cannot set one")
    func cancelled() async {
        let connections = Connections()
        let connection = connections.begin(ConnectForm())
        let (gate, isOver) = (Gate(), Gate())
        connection.change { $0.password = .command("secret") }
        connection.perform { step in
            await gate.wait()
            step.change { $0.password = .command("secret") }
            isOver.open()
            return .signIn(problem: nil)
        }
        connections.end(connection)
        gate.open()
        await isOver.wait()
        #expect(connection.current.password == nil && connections[connection.id] == nil)
    }
}

import Synchronization

/// The body of an answer that is written over time, such as server-sent events.
///
/// Any thread may write and end the body. The server reads the bytes when the client can receive more.
package final class BodyStream: Sendable {
    /// The result of a read.
    package enum Piece: Equatable, Sendable {
        case bytes([UInt8])
        /// There are no bytes now.
        case none
        case end
    }

    private struct State: Sendable {
        var bytes: [UInt8] = []
        var isEnded = false
        var isClosed = false
        var whenReady: (@Sendable () -> Void)?
        var whenClosed: (@Sendable () -> Void)?
    }

    /// The maximum number of bytes that wait for the client; the body ends if the client receives too little.
    private static let maximumBytes = 64 * 1024
    private let state = Mutex(State())

    package init() {}

    /// Adds bytes; it does nothing after the end.
    package func write(_ text: String) {
        self.change { state in
            guard !state.isEnded else { return }
            state.bytes.append(contentsOf: text.utf8)
            if state.bytes.count > Self.maximumBytes {
                state.bytes = []
                state.isEnded = true
            }
        }
    }

    /// Ends the body after the bytes that were added.
    package func end() { self.change { $0.isEnded = true } }

    private func change(_ body: (inout sending State) -> Void) {
        let whenReady = self.state.withLock { state in
            body(&state)
            return state.whenReady.take()
        }
        whenReady?()
    }

    /// Sets the function that is called once, when the client has closed the connection or has the whole body.
    package func onClose(_ function: @escaping @Sendable () -> Void) {
        let isClosed = self.state.withLock { state in
            if !state.isClosed { state.whenClosed = function }
            return state.isClosed
        }
        if isClosed { function() }
    }

    // MARK: For the server

    /// Takes at most `limit` bytes.
    ///
    /// - Parameter wait: called if the result is ``Piece/none``. Only after it has returned, and only once, the function
    ///   that it returns is called, when bytes arrive or the body ends.
    package func read(_ limit: Int, wait: () -> @Sendable () -> Void) -> Piece {
        self.state.withLock { state in
            if state.bytes.isEmpty {
                if state.isEnded { return .end }
                state.whenReady = wait()
                return .none
            }
            let piece = Array(state.bytes.prefix(limit))
            state.bytes.removeFirst(piece.count)
            return .bytes(piece)
        }
    }

    /// Ends the body, and drops its bytes; the server reads no more.
    package func close() {
        let whenClosed = self.state.withLock { state in
            state.isEnded = true
            state.isClosed = true
            state.bytes = []
            state.whenReady = nil
            return state.whenClosed.take()
        }
        whenClosed?()
    }
}

extension BodyStream: Hashable {
    package static func == (one: BodyStream, other: BodyStream) -> Bool { one === other }
    package func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
}

import Bridge
import HTTP
import Synchronization

/// The pages that are open and visible in browsers, each with a stream of events.
///
/// The events are `changed` (the store may have other content) and `fired` (the alarm of a reminder, with its title).
/// While no page is open, nothing wakes up.
final class OpenPages: Sendable {
    private struct State: Sendable {
        var streams: [BodyStream] = []
        var isWatching = false
    }

    /// The maximum number of streams; the oldest one ends.
    ///
    /// A person sees few pages at a time.
    private static let maximumStreams = 16
    private let watch: StoreWatch
    private let state = Mutex(State())

    init(_ watch: StoreWatch) { self.watch = watch }

    func open() -> BodyStream {
        let stream = BodyStream()
        // The first bytes make the browser report that the stream is open.
        stream.write(":\n\n")
        let (oldest, starts) = self.state.withLock { state in
            state.streams.append(stream)
            let oldest = state.streams.count > Self.maximumStreams ? state.streams.removeFirst() : nil
            defer { state.isWatching = true }
            return (oldest, !state.isWatching)
        }
        oldest?.end()
        stream.onClose { [weak self, weak stream] in
            self?.state.withLock { state in state.streams.removeAll { $0 === stream } }
        }
        if starts { self.startWatching() }
        return stream
    }

    private func startWatching() {
        let isStarted = self.watch.start { [self] event in
            let streams = self.state.withLock { state in
                if state.streams.isEmpty { state.isWatching = false }
                return state.streams
            }
            for stream in streams { stream.write(Self.text(event)) }
            return !streams.isEmpty
        }
        if !isStarted { self.state.withLock { $0.isWatching = false } }
    }

    private static func text(_ event: StoreWatch.Event) -> String {
        switch event {
        // The server notices that a browser has left only when it writes.
        case .nothing: ":\n\n"
        case .changed: "event: changed\ndata:\n\n"
        case .fired(let title):
            "event: fired\ndata: \(title.split(whereSeparator: \.isNewline).joined(separator: " "))\n\n"
        }
    }
}

import RemindavBridge
import RemindavHTTP
import Synchronization

/// The pages that are open and visible in browsers, each with a stream of events.
///
/// The events are `changed` (the store may have other content) and `fired` (the alarm of a reminder, with its title).
/// While no page is open, no thread waits for changes.
final class OpenPages: Sendable {
    private struct Page: Sendable {
        let stream: BodyStream
        let isSignedIn: @Sendable () -> Bool
    }

    private struct State: Sendable {
        var pages: [Page] = []
        var isWatching = false
    }

    /// The maximum number of streams; the oldest one ends.
    ///
    /// A person sees few pages at a time.
    private static let maximumStreams = 16
    private let watch: StoreWatch
    private let state = Mutex(State())

    init(_ watch: StoreWatch) { self.watch = watch }

    /// - Parameter isSignedIn: whether the page may still get events; asked before each event.
    func open(while isSignedIn: @escaping @Sendable () -> Bool = { true }) -> BodyStream {
        let stream = BodyStream()
        // The first bytes make the browser report that the stream is open.
        stream.write(":\n\n")
        let (oldest, starts) = self.state.withLock { state in
            state.pages.append(Page(stream: stream, isSignedIn: isSignedIn))
            let oldest = state.pages.count > Self.maximumStreams ? state.pages.removeFirst().stream : nil
            defer { state.isWatching = true }
            return (oldest, !state.isWatching)
        }
        oldest?.end()
        stream.onClose { [weak self, weak stream] in
            self?.state.withLock { state in state.pages.removeAll { $0.stream === stream } }
        }
        if starts { self.startWatching() }
        return stream
    }

    private func startWatching() {
        let isStarted = self.watch.start { [self] event in
            let pages = self.state.withLock { state in
                if state.pages.isEmpty { state.isWatching = false }
                return state.pages
            }
            for page in pages {
                if page.isSignedIn() { page.stream.write(Self.text(event)) } else { page.stream.end() }
            }
            return !pages.isEmpty
        }
        if !isStarted { self.state.withLock { $0.isWatching = false } }
    }

    private static func text(_ event: StoreWatch.Event) -> String {
        switch event {
        // Only a write shows the server that a browser has closed the stream.
        case .nothing: ":\n\n"
        case .changed: "event: changed\ndata:\n\n"
        case .fired(let title):
            "event: fired\ndata: \(title.split(whereSeparator: \.isNewline).joined(separator: " "))\n\n"
        }
    }
}

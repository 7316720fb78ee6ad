package import RemindavHTTP
import RemindavHosting
package import RemindavPostgresStore

/// Sends the requests of a run, as long as its lease allows them.
package struct LeasedTransport: Transport {
    private let base: any Transport
    private let clock: @Sendable () -> LeaseClock?

    /// The methods that change nothing on a server.
    package static let readingMethods: Set = ["GET", "HEAD", "OPTIONS", "PROPFIND", "REPORT"]

    /// - Parameter clock: returns the clock of the present run; `nil` without a run, when no limit applies.
    package init(base: any Transport, clock: @escaping @Sendable () -> LeaseClock?) {
        self.base = base
        self.clock = clock
    }

    package func send(_ request: Request) async throws(TransportError) -> Response {
        guard let clock = self.clock() else { return try await self.base.send(request) }
        let isReading = Self.readingMethods.contains(request.method)
        guard !clock.isEnded, isReading || clock.mayWrite else {
            throw TransportError(.cancelled, host: URL(request.url)?.host ?? "")
        }
        var request = request
        // The limits for other requests are longer than ``LeaseTerms/writeSeconds``.
        if !isReading { request.isSmall = true }
        return try await self.base.send(request)
    }
}

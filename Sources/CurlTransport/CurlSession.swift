public import HTTP

/// A `Transport` over libcurl, for one account.
///
/// Connections are kept and reused, HTTP/2 is spoken where TLS offers it, and cookies live in memory for as long as the
/// session does: a server's session cookie is a credential, so two accounts never share a session. No redirect is
/// followed, the check of certificates cannot be switched off, and nothing is written to disk.
public final class CurlSession: Transport {
    /// `nil` without libcurl.
    private let driver: CurlDriver?
    private let nextID = Lock<UInt64>(0)
    private let limits: TransportLimits

    /// A session without connections and cookies.
    ///
    /// - Parameters:
    ///   - limits: how long and how much one exchange may take.
    ///   - userAgent: the program's name and version, as servers see it.
    ///   - tls: whom it trusts, and how it proves itself below HTTP.
    public init(
        limits: TransportLimits = .standard,
        userAgent: String = "Remindav",
        tls: TLSOptions = TLSOptions()
    ) {
        self.limits = limits
        self.driver = CurlLibrary.functions.map { CurlDriver($0, limits: limits, userAgent: userAgent, tls: tls) }
    }

    deinit { self.driver?.stop() }

    /// Sends one request and waits for its whole answer, whatever its status.
    ///
    /// A request that may be repeated without harm is sent once more, on a fresh connection, when the first one ended
    /// before a single byte of the answer came.
    public func send(_ request: Request) async throws(TransportError) -> Response {
        guard let url = URL(request.url), Self.isSendable(request) else { throw TransportError(.badRequest) }
        let host = url.port.map { "\(url.host):\($0)" } ?? url.host
        guard let driver = self.driver else { throw TransportError(.noLibrary, host: host) }
        guard !Task.isCancelled else { throw TransportError(.cancelled, host: host) }
        let id = self.nextID.withLock { counter in
            counter += 1
            return counter
        }
        let outcome: Transfer.Outcome = await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                driver.add(
                    Transfer(id: id, request: request, host: host, limits: self.limits, continuation: continuation)
                )
            }
        } onCancel: {
            driver.cancel(id)
        }
        return try outcome.get()
    }

    /// Whether no line end and no NUL would slip from a value into the header.
    private static func isSendable(_ request: Request) -> Bool {
        func isToken(_ text: String) -> Bool {
            !text.isEmpty && text.utf8.allSatisfy { $0 > 32 && $0 < 127 && $0 != UInt8(ascii: ":") }
        }
        return isToken(request.method)
            && request.headers.allSatisfy { field in
                isToken(field.name.wire) && field.value.utf8.allSatisfy { $0 >= 32 && $0 != 127 || $0 == 9 }
            }
    }
}

public import RemindavHTTP
internal import Synchronization

/// Sends requests with libcurl, for one account.
///
/// The session reuses connections, uses HTTP/2 if TLS negotiates it, and keeps cookies in memory until it is
/// deallocated. A session cookie is a credential, so two accounts never share a session. The session follows no
/// redirect, always checks certificates, and writes nothing to disk.
public final class CurlSession: Transport {
    private let driver: CurlDriver?
    private let nextID = Mutex<UInt64>(0)
    private let limits: TransportLimits
    private let addresses: AddressPolicy?

    /// Creates a session without connections and cookies.
    public convenience init(
        limits: TransportLimits = .standard,
        userAgent: String = "Remindav",
        tls: TLSOptions = TLSOptions()
    ) {
        self.init(limits: limits, userAgent: userAgent, tls: tls, addresses: nil)
    }

    /// Creates a session that connects only to allowed addresses, and through no proxy; `nil` allows every address.
    package init(
        limits: TransportLimits = .standard,
        userAgent: String = "Remindav",
        tls: TLSOptions = TLSOptions(),
        addresses: AddressPolicy?
    ) {
        self.limits = limits
        self.addresses = addresses
        self.driver = CurlLibrary.functions.map { CurlDriver($0, limits: limits, userAgent: userAgent, tls: tls) }
    }

    deinit { self.driver?.stop() }

    /// Sends one request and waits for its complete answer, with any status.
    ///
    /// If a connection ends before the first byte of the answer, a request that can be repeated without harm is sent
    /// once more, on a new connection.
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
                    Transfer(
                        id: id,
                        request: request,
                        host: host,
                        limits: self.limits,
                        addresses: self.addresses,
                        continuation: continuation
                    )
                )
            }
        } onCancel: {
            driver.cancel(id)
        }
        return try outcome.get()
    }

    /// Whether the method and the header fields are valid: a line end or a NUL in a value would corrupt the header.
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

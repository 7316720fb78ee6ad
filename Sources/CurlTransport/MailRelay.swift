internal import RemindavCCurl
internal import RemindavHTTP

/// A mail server that forwards messages (SMTP, RFC 5321), by libcurl.
package struct MailRelay: Hashable, Sendable {
    /// `smtps` for encryption from the start, `smtp` for STARTTLS.
    private let scheme: String
    private let place: URL
    /// The user for the sign-in; `nil` for no sign-in.
    package let user: String?

    package enum Failure: Error, Hashable, Sendable {
        /// The relay refused the user or the password.
        case signInRefused
        /// The relay refused the sender, the recipient or the message, with this status.
        case refused(status: Int)
        /// The relay asks to try again later, with this status.
        case postponed(status: Int)
        /// No connection; a short reason without any part of the message.
        case unavailable(reason: String)
    }

    /// The longest time in seconds to connect, and for one whole message.
    private static let connectSeconds = 15
    private static let totalSeconds = 60

    /// Parses `smtp://[USER@]HOST[:PORT]` or `smtps://…`; `nil` for any other text.
    package init?(_ text: String) {
        guard let scheme = ["smtp", "smtps"].first(where: { text.hasPrefix("\($0)://") }) else { return nil }
        var rest = text.dropFirst(scheme.utf8.count + 3)
        if let at = rest.lastIndex(of: "@") {
            let user = rest[..<at]
            // The settings file is no place for a password.
            guard !user.isEmpty, !user.contains(":") else { return nil }
            let name = String(decoding: PercentCoding.decode(user), as: UTF8.self)
            guard !name.utf8.contains(where: { $0 < 32 }) else { return nil }
            self.user = name
            rest = rest[rest.index(after: at)...]
        } else {
            self.user = nil
        }
        guard let place = URL("https://\(rest)"), place.path == "/", place.query == nil else { return nil }
        self.scheme = scheme
        self.place = place
    }

    /// The form that ``init(_:)`` parses.
    package var text: String {
        let user = self.user.map { PercentCoding.encode($0.utf8) + "@" } ?? ""
        return "\(self.scheme)://\(user)\(self.host)"
    }

    /// The host with its port, if it has one.
    package var host: String { self.place.host + (self.place.port.map { ":\($0)" } ?? "") }

    /// Sends a message, and waits for the answer of the relay; the calling thread waits up to a minute.
    ///
    /// - Parameters:
    ///   - message: the header and the body with CRLF line ends (RFC 5322).
    ///   - password: the password for ``user``; `nil` for no sign-in.
    package func send(
        _ message: [UInt8],
        from sender: String,
        to recipient: String,
        password: String?
    ) throws(Failure) {
        guard let curl = CurlLibrary.functions, let easy = curl.pointee.easy_init() else {
            throw .unavailable(reason: TransportError.Code.noLibrary.rawValue)
        }
        defer { curl.pointee.easy_cleanup(easy) }
        let recipients = curl.pointee.slist_append(nil, "<\(recipient)>")
        defer { curl.pointee.slist_free_all(recipients) }
        let body = Unsent(message)
        // On this machine, mail servers often have a certificate without a known issuer, and nothing leaves the machine.
        let encryption = self.place.isLoopback ? CURLUSESSL_NONE : CURLUSESSL_ALL
        var results = [
            remindav_curl_set_text(curl, easy, CURLOPT_URL, "\(self.scheme)://\(self.host)"),
            remindav_curl_set_text(curl, easy, CURLOPT_PROTOCOLS_STR, "smtp,smtps"),
            remindav_curl_set_text(curl, easy, CURLOPT_PROXY, ""),
            remindav_curl_set_long(curl, easy, CURLOPT_NOSIGNAL, 1),
            remindav_curl_set_long(curl, easy, CURLOPT_USE_SSL, Int(encryption.rawValue)),
            remindav_curl_set_long(curl, easy, CURLOPT_SSLVERSION, Int(CURL_SSLVERSION_TLSv1_2)),
            remindav_curl_set_long(curl, easy, CURLOPT_CONNECTTIMEOUT, Self.connectSeconds),
            remindav_curl_set_long(curl, easy, CURLOPT_TIMEOUT, Self.totalSeconds),
            remindav_curl_set_text(curl, easy, CURLOPT_MAIL_FROM, "<\(sender)>"),
            remindav_curl_set_pointer(curl, easy, CURLOPT_MAIL_RCPT, recipients),
            remindav_curl_set_long(curl, easy, CURLOPT_UPLOAD, 1),
            remindav_curl_set_data(curl, easy, CURLOPT_READFUNCTION, readMessage),
            remindav_curl_set_pointer(curl, easy, CURLOPT_READDATA, Unmanaged.passUnretained(body).toOpaque()),
            // The answers of the relay are not printed.
            remindav_curl_set_data(curl, easy, CURLOPT_WRITEFUNCTION, discard),
        ]
        if let user, let password {
            results.append(remindav_curl_set_text(curl, easy, CURLOPT_USERNAME, user))
            results.append(remindav_curl_set_text(curl, easy, CURLOPT_PASSWORD, password))
        }
        guard results.allSatisfy({ $0 == CURLE_OK }) else { throw .unavailable(reason: "libcurl has no SMTP") }
        let code = withExtendedLifetime(body) { curl.pointee.easy_perform(easy) }
        var status = 0
        _ = remindav_curl_get_long(curl, easy, CURLINFO_RESPONSE_CODE, &status)
        guard code != CURLE_OK else { return }
        let words = curl.pointee.easy_strerror(code).map { String(cString: $0) } ?? "error \(code.rawValue)"
        throw Self.failure(code, status: status, words)
    }

    private static func failure(_ code: CURLcode, status: Int, _ words: String) -> Failure {
        if code == CURLE_LOGIN_DENIED { return .signInRefused }
        // The connection has not failed, so the status is the reason.
        if code != CURLE_OPERATION_TIMEDOUT, (500...599).contains(status) { return .refused(status: status) }
        return (400...499).contains(status) ? .postponed(status: status) : .unavailable(reason: words)
    }
}

/// The part of a message that libcurl has not read yet.
private final class Unsent {
    private let bytes: [UInt8]
    private var position = 0

    init(_ bytes: [UInt8]) { self.bytes = bytes }

    func read(into buffer: UnsafeMutableRawBufferPointer) -> Int {
        let count = min(buffer.count, self.bytes.count - self.position)
        guard count > 0 else { return 0 }
        buffer.copyBytes(from: self.bytes[self.position..<self.position + count])
        self.position += count
        return count
    }
}

private func readMessage(
    _ target: UnsafeMutablePointer<CChar>?,
    _ size: Int,
    _ count: Int,
    _ object: UnsafeMutableRawPointer?
) -> Int {
    guard let target, let object else { return 0 }
    let buffer = UnsafeMutableRawBufferPointer(start: target, count: size * count)
    return Unmanaged<Unsent>.fromOpaque(object).takeUnretainedValue().read(into: buffer)
}

private func discard(
    _ bytes: UnsafeMutablePointer<CChar>?,
    _ size: Int,
    _ count: Int,
    _ object: UnsafeMutableRawPointer?
) -> Int { size * count }

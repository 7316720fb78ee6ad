internal import CCurl
internal import HTTP

/// What an end of a transfer means.
enum CurlOutcome {
    /// Rows of libcurl's codes and what each is to a person; every other code is
    /// ``TransportError/Code/protocolViolation``.
    private static let codes: [(CURLcode, TransportError.Code)] = [
        (CURLE_COULDNT_RESOLVE_HOST, .cannotResolve),
        (CURLE_COULDNT_RESOLVE_PROXY, .cannotResolve),
        (CURLE_COULDNT_CONNECT, .cannotConnect),
        (CURLE_INTERFACE_FAILED, .cannotConnect),
        (CURLE_PROXY, .cannotConnect),
        (CURLE_SSL_CONNECT_ERROR, .tls),
        (CURLE_SSL_CERTPROBLEM, .tls),
        (CURLE_SSL_CIPHER, .tls),
        (CURLE_PEER_FAILED_VERIFICATION, .tls),
        (CURLE_SSL_CACERT_BADFILE, .tls),
        (CURLE_SSL_ISSUER_ERROR, .tls),
        (CURLE_SSL_INVALIDCERTSTATUS, .tls),
        (CURLE_SSL_ENGINE_NOTFOUND, .tls),
        (CURLE_SSL_CRL_BADFILE, .tls),
        (CURLE_USE_SSL_FAILED, .tls),
        (CURLE_OPERATION_TIMEDOUT, .timeout),
        (CURLE_FILESIZE_EXCEEDED, .tooLarge),
        (CURLE_PARTIAL_FILE, .interrupted),
        (CURLE_GOT_NOTHING, .interrupted),
        (CURLE_RECV_ERROR, .interrupted),
        (CURLE_SEND_ERROR, .interrupted),
        (CURLE_HTTP2_STREAM, .interrupted),
        (CURLE_SEND_FAIL_REWIND, .interrupted),
        (CURLE_ABORTED_BY_CALLBACK, .cancelled),
        (CURLE_URL_MALFORMAT, .badRequest),
        (CURLE_UNSUPPORTED_PROTOCOL, .badRequest),
        (CURLE_OUT_OF_MEMORY, .badRequest),
    ]

    /// The ends of a connection on which nothing was answered, as a kept connection ends when the server is tired of
    /// it.
    private static let silentEnds: [CURLcode] = [CURLE_GOT_NOTHING, CURLE_RECV_ERROR, CURLE_SEND_ERROR]

    static func error(for transfer: Transfer, code: CURLcode) -> TransportError {
        if let violation = transfer.violation { return TransportError(violation, host: transfer.host) }
        let meaning = self.codes.first { $0.0 == code }?.1 ?? .protocolViolation
        let words = meaning == .protocolViolation || meaning == .tls ? String(cString: curl_easy_strerror(code)) : ""
        return TransportError(meaning, host: transfer.host, detail: words)
    }

    /// Whether a second attempt can do no harm and the first brought no byte.
    static func mayRepeat(_ transfer: Transfer, after code: CURLcode) -> Bool {
        guard transfer.attempts < 2, !transfer.hasAnswer, self.silentEnds.contains(code) else { return false }
        let request = transfer.request
        switch request.method {
        case "GET", "HEAD", "OPTIONS", "PROPFIND", "REPORT": return true
        // With a condition, a write that was done after all is answered 412 the second time; the caller looks.
        case "PUT", "DELETE": return request.headers[.ifMatch] != nil || request.headers[.ifNoneMatch] != nil
        default: return false
        }
    }
}

internal import CCurl
internal import HTTP

/// Maps the end of a transfer to an error.
enum CurlOutcome {
    /// libcurl's codes and their error codes; every other code is ``TransportError/Code/protocolViolation``.
    private static let codes: [(CURLcode, TransportError.Code)] = [
        (CURLE_COULDNT_RESOLVE_HOST, .cannotResolve),
        (CURLE_COULDNT_RESOLVE_PROXY, .cannotResolve),
        (CURLE_COULDNT_CONNECT, .cannotConnect),
        (CURLE_INTERFACE_FAILED, .cannotConnect),
        (CURLE_PROXY, .cannotConnect),
        (CURLE_SSL_CONNECT_ERROR, .tls),
        (CURLE_SSL_CERTPROBLEM, .clientCertificate),
        (CURLE_SSL_CIPHER, .tls),
        (CURLE_PEER_FAILED_VERIFICATION, .tls),
        (CURLE_SSL_CACERT_BADFILE, .authorities),
        (CURLE_SSL_PINNEDPUBKEYNOTMATCH, .certificateChanged),
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

    /// The results of a connection that ends without an answer, for example a kept connection that the server closes.
    private static let silentEnds: [CURLcode] = [CURLE_GOT_NOTHING, CURLE_RECV_ERROR, CURLE_SEND_ERROR]

    /// OpenSSL's verification results and their error codes.
    ///
    /// libcurl itself compares the names, before it asks OpenSSL for its result.
    private static let verifications: [Int: TransportError.Code] = [
        0: .certificateWrongHost,  // X509_V_OK
        1: .certificateWrongHost,  // not asked for yet
        62: .certificateWrongHost,  // X509_V_ERR_HOSTNAME_MISMATCH
        64: .certificateWrongHost,  // X509_V_ERR_IP_ADDRESS_MISMATCH
        9: .certificateNotYetValid,  // X509_V_ERR_CERT_NOT_YET_VALID
        10: .certificateExpired,  // X509_V_ERR_CERT_HAS_EXPIRED
        18: .certificateUnknown,  // X509_V_ERR_DEPTH_ZERO_SELF_SIGNED_CERT
        19: .certificateUnknown,  // X509_V_ERR_SELF_SIGNED_CERT_IN_CHAIN
        20: .certificateUnknown,  // X509_V_ERR_UNABLE_TO_GET_ISSUER_CERT_LOCALLY
        21: .certificateUnknown,  // X509_V_ERR_UNABLE_TO_VERIFY_LEAF_SIGNATURE
    ]

    /// The TLS alerts for a missing client certificate (RFC 8446 §6.2) and for a refused one.
    private static let alerts = ["certificate required", "bad certificate", "alert unknown ca"]

    /// OpenSSL's message when the first bytes of the answer are not a TLS record.
    private static let noTLS = "wrong version number"

    /// The error for a failed transfer.
    ///
    /// - Parameters:
    ///   - verification: OpenSSL's result for the server's certificate.
    ///   - isConnected: whether the connection was established, encryption included.
    static func error(
        for transfer: Transfer,
        code: CURLcode,
        verification: Int,
        isConnected: Bool
    ) -> TransportError {
        if let violation = transfer.violation { return TransportError(violation, host: transfer.host) }
        if self.isAboutOurCertificate(transfer) {
            return TransportError(.clientCertificate, host: transfer.host)
        }
        if code == CURLE_SSL_CONNECT_ERROR, transfer.complaint.lowercased().contains(self.noTLS) {
            return TransportError(.notTLS, host: transfer.host)
        }
        // libcurl also reports this for an answer without a status line (HTTP/0.9).
        if code == CURLE_UNSUPPORTED_PROTOCOL, isConnected {
            return TransportError(.protocolViolation, host: transfer.host)
        }
        if code == CURLE_OPERATION_TIMEDOUT {
            return TransportError(.timeout, host: transfer.host, detail: transfer.lateness(isConnected: isConnected))
        }
        if code == CURLE_PEER_FAILED_VERIFICATION, let meaning = self.verifications[verification] {
            return TransportError(meaning, host: transfer.host)
        }
        return self.error(code, host: transfer.host)
    }

    private static func isAboutOurCertificate(_ transfer: Transfer) -> Bool {
        let words = transfer.complaint.lowercased()
        return self.alerts.contains { words.contains($0) }
    }

    static func error(_ code: CURLcode, host: String) -> TransportError {
        let meaning = self.codes.first { $0.0 == code }?.1 ?? .protocolViolation
        guard meaning == .protocolViolation || meaning == .tls, let curl = CurlLibrary.functions,
            let words = curl.pointee.easy_strerror(code)
        else { return TransportError(meaning, host: host) }
        return TransportError(meaning, host: host, detail: String(cString: words))
    }

    /// Whether a second attempt is harmless and the first received no byte.
    static func mayRepeat(_ transfer: Transfer, after code: CURLcode) -> Bool {
        guard transfer.attempts < 2, !transfer.hasAnswer, self.silentEnds.contains(code),
            !self.isAboutOurCertificate(transfer)
        else { return false }
        return transfer.request.mayRepeat
    }
}

internal import RemindavCCurl
internal import RemindavHTTP

enum CurlOutcome {
    private static func meaning(_ code: CURLcode) -> TransportError.Code {
        switch code {
        case CURLE_COULDNT_RESOLVE_HOST, CURLE_COULDNT_RESOLVE_PROXY: .cannotResolve
        case CURLE_COULDNT_CONNECT, CURLE_INTERFACE_FAILED, CURLE_PROXY: .cannotConnect
        case CURLE_SSL_CONNECT_ERROR, CURLE_SSL_CIPHER, CURLE_PEER_FAILED_VERIFICATION, CURLE_SSL_ISSUER_ERROR,
            CURLE_SSL_INVALIDCERTSTATUS, CURLE_SSL_ENGINE_NOTFOUND, CURLE_SSL_CRL_BADFILE, CURLE_USE_SSL_FAILED:
            .tls
        case CURLE_SSL_CERTPROBLEM: .clientCertificate
        case CURLE_SSL_CACERT_BADFILE: .authorities
        case CURLE_SSL_PINNEDPUBKEYNOTMATCH: .certificateChanged
        case CURLE_OPERATION_TIMEDOUT: .timeout
        case CURLE_FILESIZE_EXCEEDED: .tooLarge
        case CURLE_PARTIAL_FILE, CURLE_GOT_NOTHING, CURLE_RECV_ERROR, CURLE_SEND_ERROR, CURLE_HTTP2_STREAM,
            CURLE_SEND_FAIL_REWIND:
            .interrupted
        case CURLE_ABORTED_BY_CALLBACK: .cancelled
        case CURLE_URL_MALFORMAT, CURLE_UNSUPPORTED_PROTOCOL, CURLE_OUT_OF_MEMORY: .badRequest
        default: .protocolViolation
        }
    }

    /// libcurl's codes for a connection that ends without an answer, for example when the server closes it as idle.
    private static let silentEnds: [CURLcode] = [CURLE_GOT_NOTHING, CURLE_RECV_ERROR, CURLE_SEND_ERROR]

    /// The meanings of OpenSSL's verification results after a failed check of the certificate.
    ///
    /// libcurl compares the host names before it requests this result, so 0 and 1 mean a wrong host.
    private static let verifications: [Int: TransportError.Code] = [
        0: .certificateWrongHost,  // X509_V_OK
        1: .certificateWrongHost,  // the result was not requested yet
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
    /// OpenSSL's message if the first bytes of the answer are not a TLS record.
    private static let noTLS = "wrong version number"

    /// - Parameter verification: the verification result of OpenSSL for the server's certificate.
    static func error(for transfer: Transfer, code: CURLcode, verification: Int, isConnected: Bool) -> TransportError {
        if let violation = transfer.received.violation { return TransportError(violation, host: transfer.host) }
        if code == CURLE_COULDNT_CONNECT, let refusal = transfer.gate?.refusal {
            return TransportError(refusal, host: transfer.host)
        }
        if self.isAboutOurCertificate(transfer) {
            return TransportError(.clientCertificate, host: transfer.host)
        }
        if code == CURLE_SSL_CONNECT_ERROR, transfer.complaint.lowercased().contains(self.noTLS) {
            return TransportError(.notTLS, host: transfer.host)
        }
        // libcurl also reports this code for an answer without a status line (HTTP/0.9).
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
        let meaning = self.meaning(code)
        guard meaning == .protocolViolation || meaning == .tls, let curl = CurlLibrary.functions,
            let words = curl.pointee.easy_strerror(code)
        else { return TransportError(meaning, host: host) }
        return TransportError(meaning, host: host, detail: String(cString: words))
    }

    static func mayRepeat(_ transfer: Transfer, after code: CURLcode) -> Bool {
        guard transfer.attempts < 2, !transfer.received.hasAnswer, self.silentEnds.contains(code),
            !self.isAboutOurCertificate(transfer)
        else { return false }
        return transfer.request.mayRepeat
    }
}

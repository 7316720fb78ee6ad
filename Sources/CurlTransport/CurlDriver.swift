internal import Glibc
internal import RemindavCCurl
internal import RemindavHTTP
internal import RemindavPlatform
internal import Synchronization

/// A thread that owns a multi handle of libcurl and all its transfers.
///
/// Callers put work into a queue and wake the thread. The thread makes all other calls of libcurl. Only this file has
/// the pointers to the multi handle and its transfers.
///
/// `@unchecked Sendable`: only the thread uses the handles. The exception is `curl_multi_wakeup`, which libcurl allows
/// from any thread while the handle exists. The thread closes the queue under its lock before it frees the handle.
final class CurlDriver: @unchecked Sendable {
    private struct MessageQueue {
        var added: [Transfer] = []
        var cancelled: Set<UInt64> = []
        var isClosed = false
        /// Whether the handle is about to be freed; callers then no longer wake the thread.
        var isGone = false
        var isEmpty: Bool { self.added.isEmpty && self.cancelled.isEmpty && !self.isClosed }
    }

    private struct Live {
        let transfer: Transfer
        let headerList: UnsafeMutablePointer<curl_slist>?
    }

    /// The time between two checks of the clock; an ended transfer or a new message wakes the thread at once.
    private static let pollMilliseconds: Int32 = 500
    private let curl: RemindavCurlLibrary
    private let queue = Mutex(MessageQueue())
    private let limits: TransportLimits
    private let userAgent: String
    private let tls: TLSOptions
    private let multi: UnsafeMutableRawPointer?
    private let share: UnsafeMutableRawPointer?
    private var live: [UnsafeMutableRawPointer: Live] = [:]
    private var handles: [UInt64: UnsafeMutableRawPointer] = [:]
    private var idle: [UnsafeMutableRawPointer] = []
    /// Hosts that do not multiplex requests on one connection; transfers to them do not wait for a shared connection.
    private var oneByOne: Set<String> = []

    init(_ curl: RemindavCurlLibrary, limits: TransportLimits, userAgent: String, tls: TLSOptions) {
        self.curl = curl
        self.tls = tls
        self.limits = limits
        self.userAgent = userAgent
        self.multi = self.curl.pointee.multi_init()
        self.share = self.curl.pointee.share_init()
        if let multi {
            let perHost = limits.connectionsPerHost
            _ = remindav_curl_multi_set_long(self.curl, multi, CURLMOPT_MAX_HOST_CONNECTIONS, perHost)
            _ = remindav_curl_multi_set_long(self.curl, multi, CURLMOPT_MAX_TOTAL_CONNECTIONS, perHost * 4)
            _ = remindav_curl_multi_set_long(self.curl, multi, CURLMOPT_MAXCONNECTS, perHost * 4)
            _ = remindav_curl_multi_set_long(self.curl, multi, CURLMOPT_PIPELINING, Int(CURLPIPE_MULTIPLEX))
        }
        if let share { _ = remindav_curl_share(self.curl, share, CURL_LOCK_DATA_COOKIE) }
        self.start()
    }

    func add(_ transfer: Transfer) {
        if !self.post({ $0.added.append(transfer) }) { transfer.fail(.cancelled) }
    }

    func cancel(_ id: UInt64) { _ = self.post { $0.cancelled.insert(id) } }
    func stop() { _ = self.post { $0.isClosed = true } }

    /// Puts a message into the queue and wakes the thread; returns `false` if the thread no longer reads its queue.
    private func post(_ change: (inout MessageQueue) -> Void) -> Bool {
        self.queue.withLock { queue in
            guard !queue.isGone, let multi = self.multi else { return false }
            change(&queue)
            _ = self.curl.pointee.multi_wakeup(multi)
            return true
        }
    }

    private func start() {
        guard self.multi != nil, startThread(named: "curl", self.run) else {
            return self.queue.withLock { $0.isGone = true }
        }
    }

    private func run() {
        guard let multi = self.multi else { return }
        // A cancellation may arrive before its request, and is stored until the request arrives.
        var early: Set<UInt64> = []
        while true {
            let messages = self.queue.withLock { queue in
                let copy = queue
                queue.added = []
                queue.cancelled = []
                return copy
            }
            early.formUnion(messages.cancelled)
            for transfer in messages.added {
                let isCancelled = early.remove(transfer.id) != nil
                if isCancelled { transfer.fail(.cancelled) } else { self.begin(transfer, isFresh: false) }
            }
            for id in messages.cancelled {
                guard let easy = self.handles[id] else { continue }
                early.remove(id)
                self.end(easy, because: .cancelled)
            }
            if messages.isClosed { break }
            var running: Int32 = 0
            _ = self.curl.pointee.multi_perform(multi, &running)
            // A transfer that waits for a connection starts only in the next call of `multi_perform`, so the loop does
            // not pause when another transfer has ended.
            let hasEnded = self.collectEnds()
            self.endStalled()
            if !hasEnded, self.queue.withLock({ $0.isEmpty }) {
                _ = self.curl.pointee.multi_poll(multi, nil, 0, Self.pollMilliseconds, nil)
            }
        }
        self.close()
    }

    private func close() {
        let late = self.queue.withLock { queue in
            queue.isGone = true
            return queue.added
        }
        for transfer in late { transfer.fail(.cancelled) }
        for easy in self.live.keys { self.end(easy, because: .cancelled) }
        for easy in self.idle { self.curl.pointee.easy_cleanup(easy) }
        if let multi = self.multi { _ = self.curl.pointee.multi_cleanup(multi) }
        if let share = self.share { _ = self.curl.pointee.share_cleanup(share) }
    }

    private func begin(_ transfer: Transfer, isFresh: Bool) {
        transfer.attempts += 1
        guard let multi = self.multi, let easy = self.idle.popLast() ?? self.curl.pointee.easy_init() else {
            return transfer.fail(.badRequest)
        }
        var list: UnsafeMutablePointer<curl_slist>?
        guard self.configure(easy, for: transfer, isFresh: isFresh, headers: &list),
            self.curl.pointee.multi_add_handle(multi, easy) == CURLM_OK
        else {
            self.curl.pointee.slist_free_all(list)
            self.curl.pointee.easy_cleanup(easy)
            return transfer.fail(.badRequest)
        }
        self.live[easy] = Live(transfer: transfer, headerList: list)
        self.handles[transfer.id] = easy
    }

    private func remove(_ easy: UnsafeMutableRawPointer) -> Transfer? {
        guard let entry = self.live.removeValue(forKey: easy) else { return nil }
        self.handles[entry.transfer.id] = nil
        if let multi = self.multi { _ = self.curl.pointee.multi_remove_handle(multi, easy) }
        self.curl.pointee.slist_free_all(entry.headerList)
        self.curl.pointee.easy_reset(easy)
        if self.idle.count < self.limits.connectionsPerHost * 4 {
            self.idle.append(easy)
        } else {
            self.curl.pointee.easy_cleanup(easy)
        }
        return entry.transfer
    }

    private func end(_ easy: UnsafeMutableRawPointer, because code: TransportError.Code) {
        guard let transfer = self.remove(easy) else { return }
        let detail = code == .timeout ? transfer.stall : ""
        transfer.fail(code, detail: detail)
    }

    private func collectEnds() -> Bool {
        guard let multi = self.multi else { return false }
        var hasEnded = false
        var easy: UnsafeMutableRawPointer?
        var code = CURLE_OK
        while remindav_curl_next_end(self.curl, multi, &easy, &code) != 0 {
            hasEnded = true
            if let easy { self.complete(easy, code) }
        }
        return hasEnded
    }

    private func complete(_ easy: UnsafeMutableRawPointer, _ code: CURLcode) {
        var status = 0
        _ = remindav_curl_get_long(self.curl, easy, CURLINFO_RESPONSE_CODE, &status)
        var version = 0
        _ = remindav_curl_get_long(self.curl, easy, CURLINFO_HTTP_VERSION, &version)
        var verification = 0
        _ = remindav_curl_get_long(self.curl, easy, CURLINFO_SSL_VERIFYRESULT, &verification)
        var started: curl_off_t = 0
        _ = remindav_curl_get_offset(self.curl, easy, CURLINFO_PRETRANSFER_TIME_T, &started)
        guard let transfer = self.remove(easy) else { return }
        if version == CURL_HTTP_VERSION_1_0 || version == CURL_HTTP_VERSION_1_1 { self.oneByOne.insert(transfer.host) }
        if code == CURLE_OK, status >= 100, !transfer.received.hasWholeHeader {
            transfer.fail(.interrupted)
        } else if code == CURLE_OK, status >= 100 {
            transfer.finish(
                .success(Response(status: status, headers: transfer.received.headers, body: transfer.received.body))
            )
        } else if CurlOutcome.mayRepeat(transfer, after: code) {
            transfer.rewind()
            self.begin(transfer, isFresh: true)
        } else {
            let error = CurlOutcome.error(
                for: transfer,
                code: code,
                verification: verification,
                isConnected: started > 0
            )
            transfer.finish(.failure(error))
        }
    }

    private func endStalled() {
        let now = monotonicSeconds()
        for (easy, entry) in self.live {
            var started: curl_off_t = 0
            _ = remindav_curl_get_offset(self.curl, easy, CURLINFO_PRETRANSFER_TIME_T, &started)
            // The callback that counts all bytes cannot stop a transfer, so the transfer is stopped here.
            if let violation = entry.transfer.received.violation {
                self.end(easy, because: violation)
            } else if entry.transfer.isStalled(at: now, isUnderWay: started > 0) {
                self.end(easy, because: .timeout)
            }
        }
    }

    private func configure(
        _ easy: UnsafeMutableRawPointer,
        for transfer: Transfer,
        isFresh: Bool,
        headers list: inout UnsafeMutablePointer<curl_slist>?
    ) -> Bool {
        let request = transfer.request
        let lines = request.headers.filter { $0.name != .contentLength }.map { field in
            // libcurl sends a field with an empty value only if the line ends with a semicolon.
            field.value.isEmpty ? "\(field.name.wire);" : "\(field.name.wire): \(field.value)"
        }
        // A line without a value removes a field that libcurl would add. Radicale and SOGo ignore `Expect`, which costs
        // a second, and refuse chunked bodies.
        for line in lines + ["Expect:", "Transfer-Encoding:"] {
            guard let longer = self.curl.pointee.slist_append(list, line) else { return false }
            list = longer
        }
        let object = Unmanaged.passUnretained(transfer).toOpaque()
        let isAccepted = [
            remindav_curl_set_text(self.curl, easy, CURLOPT_URL, request.url),
            remindav_curl_set_pointer(self.curl, easy, CURLOPT_HTTPHEADER, list),
            remindav_curl_set_data(self.curl, easy, CURLOPT_HEADERFUNCTION, onHeader),
            remindav_curl_set_pointer(self.curl, easy, CURLOPT_HEADERDATA, object),
            remindav_curl_set_data(self.curl, easy, CURLOPT_WRITEFUNCTION, onBody),
            remindav_curl_set_pointer(self.curl, easy, CURLOPT_WRITEDATA, object),
            remindav_curl_set_pointer(self.curl, easy, CURLOPT_ERRORBUFFER, transfer.errorBuffer),
            remindav_curl_set_watch(self.curl, easy, onWire),
            remindav_curl_set_pointer(self.curl, easy, CURLOPT_DEBUGDATA, object),
        ].allSatisfy { $0 == CURLE_OK }
        // The debug function is set before CURLOPT_VERBOSE: without the function, libcurl would print secrets.
        guard isAccepted, remindav_curl_set_long(self.curl, easy, CURLOPT_VERBOSE, 1) == CURLE_OK,
            self.setMethod(easy, request, object)
        else { return false }
        return self.setRules(easy, for: transfer, isFresh: isFresh) && self.setTrust(easy)
            && transfer.gate?.guardSockets(of: easy, self.curl) != false
    }

    private func setMethod(_ easy: UnsafeMutableRawPointer, _ request: Request, _ object: UnsafeMutableRawPointer)
        -> Bool
    {
        if request.method == "HEAD" { return remindav_curl_set_long(self.curl, easy, CURLOPT_NOBODY, 1) == CURLE_OK }
        guard remindav_curl_set_text(self.curl, easy, CURLOPT_CUSTOMREQUEST, request.method) == CURLE_OK else {
            return false
        }
        let mayHaveBody = !["GET", "DELETE", "OPTIONS"].contains(request.method)
        guard !request.body.isEmpty || mayHaveBody else { return true }
        return [
            remindav_curl_set_long(self.curl, easy, CURLOPT_UPLOAD, 1),
            remindav_curl_set_offset(self.curl, easy, CURLOPT_INFILESIZE_LARGE, curl_off_t(request.body.count)),
            remindav_curl_set_data(self.curl, easy, CURLOPT_READFUNCTION, onSend),
            remindav_curl_set_pointer(self.curl, easy, CURLOPT_READDATA, object),
            remindav_curl_set_seek(self.curl, easy, onSeek),
            remindav_curl_set_pointer(self.curl, easy, CURLOPT_SEEKDATA, object),
        ].allSatisfy { $0 == CURLE_OK }
    }

    private func setRules(_ easy: UnsafeMutableRawPointer, for transfer: Transfer, isFresh: Bool) -> Bool {
        let request = transfer.request
        // CURLOPT_PIPEWAIT waits for a connection that multiplexes, which saves time only with HTTP/2. A server that
        // closes each connection after its answer, such as Radicale, would then never receive two requests at once.
        let mayShare = request.url.hasPrefix("https:") && !self.oneByOne.contains(transfer.host)
        var results = [
            remindav_curl_set_long(self.curl, easy, CURLOPT_NOSIGNAL, 1),
            remindav_curl_set_text(self.curl, easy, CURLOPT_PROTOCOLS_STR, "http,https"),
            remindav_curl_set_long(self.curl, easy, CURLOPT_FOLLOWLOCATION, 0),
            remindav_curl_set_long(self.curl, easy, CURLOPT_PATH_AS_IS, 1),
            remindav_curl_set_long(self.curl, easy, CURLOPT_SSLVERSION, Int(CURL_SSLVERSION_TLSv1_2)),
            remindav_curl_set_long(self.curl, easy, CURLOPT_HTTP_VERSION, Int(CURL_HTTP_VERSION_2TLS)),
            remindav_curl_set_long(self.curl, easy, CURLOPT_PIPEWAIT, mayShare ? 1 : 0),
            remindav_curl_set_long(self.curl, easy, CURLOPT_CONNECTTIMEOUT_MS, Int(self.limits.connectSeconds * 1000)),
            remindav_curl_set_long(self.curl, easy, CURLOPT_TIMEOUT_MS, Int(transfer.limits.totalSeconds * 1000)),
            remindav_curl_set_offset(self.curl, easy, CURLOPT_MAXFILESIZE_LARGE, curl_off_t(self.limits.bodyBytes)),
            remindav_curl_set_text(self.curl, easy, CURLOPT_USERAGENT, self.userAgent),
            // An empty file name enables cookies without a file.
            remindav_curl_set_text(self.curl, easy, CURLOPT_COOKIEFILE, ""),
        ]
        if let share { results.append(remindav_curl_set_pointer(self.curl, easy, CURLOPT_SHARE, share)) }
        if let encodings = Self.acceptedEncodings(request) {
            results.append(remindav_curl_set_text(self.curl, easy, CURLOPT_ACCEPT_ENCODING, encodings))
        }
        if isFresh { results.append(remindav_curl_set_long(self.curl, easy, CURLOPT_FRESH_CONNECT, 1)) }
        // An empty name disables the proxy of the environment.
        if !Self.mayUseProxy(request) { results.append(remindav_curl_set_text(self.curl, easy, CURLOPT_PROXY, "")) }
        return results.allSatisfy { $0 == CURLE_OK }
    }

    /// Whether a request may use the proxy of the environment.
    ///
    /// With plain HTTP, the proxy would read the password. A request to this machine must not leave it.
    static func mayUseProxy(_ request: Request) -> Bool {
        guard let url = URL(request.url) else { return false }
        return url.scheme == "https" && !url.isLoopback
    }

    /// The value for CURLOPT_ACCEPT_ENCODING; `nil` leaves `Accept-Encoding` out of the request.
    ///
    /// An empty text means all encodings that libcurl supports, and `identity` means no compression. On some servers,
    /// compression changes the entity tags of single resources, so only answers to PROPFIND and REPORT are compressed.
    /// If the server is on this machine, compression costs as much time as all its other work and saves none.
    static func acceptedEncodings(_ request: Request) -> String? {
        guard ["PROPFIND", "REPORT"].contains(request.method) else { return nil }
        return RemindavHTTP.URL(request.url)?.isLoopback == true ? "identity" : ""
    }

    private func setTrust(_ easy: UnsafeMutableRawPointer) -> Bool {
        var results: [CURLcode] = []
        if let pin = self.tls.pinnedKey {
            // The checks of the certificate may be disabled only if libcurl has accepted the option with the pin.
            guard ServerCertificate.isPin(pin),
                remindav_curl_set_text(self.curl, easy, CURLOPT_PINNEDPUBLICKEY, pin) == CURLE_OK
            else { return false }
            results.append(remindav_curl_set_long(self.curl, easy, CURLOPT_SSL_VERIFYPEER, 0))
            results.append(remindav_curl_set_long(self.curl, easy, CURLOPT_SSL_VERIFYHOST, 0))
        } else {
            results.append(remindav_curl_set_long(self.curl, easy, CURLOPT_SSL_VERIFYPEER, 1))
            results.append(remindav_curl_set_long(self.curl, easy, CURLOPT_SSL_VERIFYHOST, 2))
        }
        let texts: [(CURLoption, String?)] = [
            (CURLOPT_CAINFO, self.tls.authorities),
            (CURLOPT_SSLCERT, self.tls.clientCertificate),
            (CURLOPT_SSLKEY, self.tls.clientKey),
            // Without this option, OpenSSL would ask for a password on the terminal. A missing password is set to "".
            (CURLOPT_KEYPASSWD, self.tls.clientCertificate.map { _ in self.tls.keyPassword?.reveal() ?? "" }),
        ]
        for (option, text) in texts {
            if let text { results.append(remindav_curl_set_text(self.curl, easy, option, text)) }
        }
        return results.allSatisfy { $0 == CURLE_OK }
    }
}

// The callbacks are global functions, because a closure could inherit the isolation of an actor.

private func transfer(_ object: UnsafeMutableRawPointer) -> Transfer {
    Unmanaged<Transfer>.fromOpaque(object).takeUnretainedValue()
}

private func onHeader(
    _ data: UnsafeMutablePointer<CChar>?,
    _ size: Int,
    _ count: Int,
    _ object: UnsafeMutableRawPointer?
) -> Int {
    guard let data, let object else { return 0 }
    let line = UnsafeRawBufferPointer(start: data, count: size * count)
    return transfer(object).receive(header: line) ? line.count : 0
}

private func onBody(_ data: UnsafeMutablePointer<CChar>?, _ size: Int, _ count: Int, _ object: UnsafeMutableRawPointer?)
    -> Int
{
    guard let data, let object else { return 0 }
    let piece = UnsafeRawBufferPointer(start: data, count: size * count)
    return transfer(object).receive(body: piece) ? piece.count : 0
}

private func onWire(
    _ easy: UnsafeMutableRawPointer?,
    _ kind: curl_infotype,
    _ data: UnsafeMutablePointer<CChar>?,
    _ count: Int,
    _ object: UnsafeMutableRawPointer?
) -> Int32 {
    if let object, kind == CURLINFO_HEADER_IN || kind == CURLINFO_DATA_IN { transfer(object).arrived(count) }
    return 0
}

private func onSend(_ data: UnsafeMutablePointer<CChar>?, _ size: Int, _ count: Int, _ object: UnsafeMutableRawPointer?)
    -> Int
{
    guard let data, let object else { return 0 }
    return transfer(object).send(into: UnsafeMutableRawBufferPointer(start: data, count: size * count))
}

private func onSeek(_ object: UnsafeMutableRawPointer?, _ offset: curl_off_t, _ origin: Int32) -> Int32 {
    guard let object, origin == SEEK_SET else { return CURL_SEEKFUNC_CANTSEEK }
    return transfer(object).seek(to: Int(offset)) ? CURL_SEEKFUNC_OK : CURL_SEEKFUNC_FAIL
}

private func monotonicSeconds() -> Double {
    var time = timespec()
    clock_gettime(CLOCK_MONOTONIC, &time)
    return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
}

import RemindavCMicroHTTPD
import RemindavHTTP
import Synchronization

extension ConnectionTable {
    func send(_ refusal: Refusal, on connection: OpaquePointer) -> MHD_Result {
        let advice =
            switch refusal {
            case .misdirected where !self.hostAdvice.isEmpty: "\(self.hostAdvice)\n"
            case .contentTooLarge: "The text is too long: at most \(self.limits.bodyBytes) bytes are possible.\n"
            default: ""
            }
        return self.send(
            status: refusal.rawValue,
            headers: [("Content-Type", "text/plain; charset=utf-8"), ("Connection", "close")],
            body: Array("\(refusal.rawValue) \(refusal.phrase)\n\(advice)".utf8),
            on: connection
        )
    }

    func send(_ response: Response, on connection: OpaquePointer) -> MHD_Result {
        if let stream = response.stream { return self.send(response, stream, on: connection) }
        return self.send(status: response.status, headers: response.fieldsToSend, body: response.body, on: connection)
    }

    private func send(_ response: Response, _ stream: BodyStream, on connection: OpaquePointer) -> MHD_Result {
        self.waiting.withLock { $0.hasNoDeadline(UInt(bitPattern: connection)) }
        let isClosing = self.state.withLock { state in
            state.streams.insert(stream)
            return state.isClosing
        }
        if isClosing { stream.end() }
        // `closeBody` releases this reference.
        let sender = Unmanaged.passRetained(StreamSender(stream, self, LibraryPointer(pointer: connection)))
        let created = self.library.pointee.create_response_from_callback(
            UInt64.max,
            StreamSender.blockBytes,
            readBody,
            sender.toOpaque(),
            closeBody
        )
        guard let created else {
            closeBody(context: sender.toOpaque())
            return .NO
        }
        return self.queue(created, status: response.status, headers: response.fieldsToSend, on: connection)
    }

    private func send(
        status: Int,
        headers: [(name: String, value: String)],
        body: [UInt8],
        on connection: OpaquePointer
    ) -> MHD_Result {
        let created = body.withUnsafeBytes { bytes in
            self.library.pointee.create_response_from_buffer(
                bytes.count,
                UnsafeMutableRawPointer(mutating: bytes.baseAddress),
                .RESPMEM_MUST_COPY
            )
        }
        guard let created else { return .NO }
        return self.queue(created, status: status, headers: headers, on: connection)
    }

    private func queue(
        _ created: OpaquePointer,
        status: Int,
        headers: [(name: String, value: String)],
        on connection: OpaquePointer
    ) -> MHD_Result {
        defer { self.library.pointee.destroy_response(created) }
        // The library refuses a header that contains a line end. In that case, no answer is sent.
        for (name, value) in headers where self.library.pointee.add_response_header(created, name, value) == .NO {
            return .NO
        }
        return self.library.pointee.queue_response(connection, UInt32(status), created)
    }
}

/// Sends a body that is written over time; libmicrohttpd stores a reference to this object.
private final class StreamSender: Sendable {
    let stream: BodyStream
    let table: ConnectionTable
    private let connection: LibraryPointer
    static let blockBytes = 4096

    init(_ stream: BodyStream, _ table: ConnectionTable, _ connection: LibraryPointer) {
        self.stream = stream
        self.table = table
        self.connection = connection
    }

    /// Copies the next bytes to libmicrohttpd; without any, suspends the connection until there are some.
    func read(_ target: UnsafeMutableRawBufferPointer) -> Int {
        let (library, connection) = (self.table.library, self.connection)
        let piece = self.stream.read(target.count) {
            library.pointee.suspend_connection(connection.pointer)
            return { [self] in self.resume() }
        }
        switch piece {
        case .bytes(let bytes):
            target.copyBytes(from: bytes)
            return bytes.count
        case .none: return 0
        case .end: return Self.endOfBody
        }
    }

    private func resume() { self.table.library.pointee.resume_connection(self.connection.pointer) }

    // MHD_CONTENT_READER_END_OF_STREAM
    private static let endOfBody = -1

    func close() {
        self.stream.close()
        self.table.state.withLock { state in _ = state.streams.remove(self.stream) }
    }
}

private func readBody(
    context: UnsafeMutableRawPointer?,
    position: UInt64,
    buffer: UnsafeMutablePointer<CChar>?,
    size: Int
) -> Int {
    guard let context, let buffer else { return 0 }
    return Unmanaged<StreamSender>.fromOpaque(context).takeUnretainedValue()
        .read(UnsafeMutableRawBufferPointer(start: buffer, count: size))
}

private func closeBody(context: UnsafeMutableRawPointer?) {
    guard let context else { return }
    Unmanaged<StreamSender>.fromOpaque(context).takeRetainedValue().close()
}

extension Response {
    /// The headers, without those that libmicrohttpd writes itself.
    ///
    /// After a status of 400 to 499, the connection is closed, because the bytes behind a bad request may be a smuggled
    /// request (RFC 9112 §11.2). libmicrohttpd 0.9 does not detect every smuggled request.
    fileprivate var fieldsToSend: [(name: String, value: String)] {
        let fields = self.headers.filter { !Self.framing.contains($0.name) }.map { ($0.name.wire, $0.value) }
        return (400..<500).contains(self.status) ? fields + [("Connection", "close")] : fields
    }

    private static let framing: Set<HeaderName> = [.contentLength, .transferEncoding, "Connection", "Date"]
}

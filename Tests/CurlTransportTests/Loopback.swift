import Glibc

/// A server on loopback that sends the bytes of the test, for the lifetime of this value.
///
/// Each connection has a thread. The handler gets the request as text and the number of the connection, from 1. It
/// returns the pieces to send, the delay before each, and whether the connection then ends.
///
/// `@unchecked Sendable`: a lock protects the mutable state.
final class Loopback: @unchecked Sendable {
    struct Reply: Sendable {
        var pieces: [[UInt8]]
        var pauseMilliseconds: UInt32 = 0
        var closes = false

        init(_ text: String, closes: Bool = false) {
            self.pieces = [Array(text.utf8)]
            self.closes = closes
        }

        init(pieces: [[UInt8]], pauseMilliseconds: UInt32 = 0, closes: Bool = false) {
            self.pieces = pieces
            self.pauseMilliseconds = pauseMilliseconds
            self.closes = closes
        }

        static func ok(_ body: String, headers: String = "") -> Reply {
            Reply("HTTP/1.1 200 OK\r\nContent-Length: \(body.utf8.count)\r\n\(headers)\r\n\(body)")
        }
    }

    struct Seen: Sendable {
        let connection: Int
        let text: String
    }

    private let handler: @Sendable (Seen) -> Reply
    private let listener: Int32
    private var lock = pthread_mutex_t()
    private var requests: [Seen] = []
    private var connections = 0
    let port: Int

    var url: String { "http://127.0.0.1:\(self.port)" }

    init(_ handler: @escaping @Sendable (Seen) -> Reply) {
        self.handler = handler
        pthread_mutex_init(&self.lock, nil)
        self.listener = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        let listener = self.listener
        withUnsafeMutablePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
                _ = bind(listener, address, length)
                _ = listen(listener, 64)
                _ = getsockname(listener, address, &length)
            }
        }
        self.port = Int(UInt16(bigEndian: address.sin_port))
        Self.detach { [self] in self.accept() }
    }

    /// Stops listening.
    ///
    /// Connections end with their clients.
    func stop() { shutdown(self.listener, Int32(SHUT_RDWR)) }

    var seen: [Seen] { self.locked { self.requests } }
    var connectionCount: Int { self.locked { self.connections } }

    private func locked<Result>(_ body: () -> Result) -> Result {
        pthread_mutex_lock(&self.lock)
        defer { pthread_mutex_unlock(&self.lock) }
        return body()
    }

    private func accept() {
        while true {
            let client = acceptConnection(self.listener, nil, nil)
            guard client >= 0 else { break }
            let number = self.locked {
                self.connections += 1
                return self.connections
            }
            Self.detach { [self] in self.serve(client, number) }
        }
        close(self.listener)
    }

    private func serve(_ client: Int32, _ number: Int) {
        defer { close(client) }
        var buffer: [UInt8] = []
        while let request = Self.readRequest(client, &buffer) {
            let seen = Seen(connection: number, text: request)
            self.locked { self.requests.append(seen) }
            let reply = self.handler(seen)
            for piece in reply.pieces {
                if reply.pauseMilliseconds > 0 { usleep(reply.pauseMilliseconds * 1000) }
                guard Self.write(client, piece) else { return }
            }
            if reply.closes { return }
        }
    }

    private static func write(_ client: Int32, _ bytes: [UInt8]) -> Bool {
        var sent = 0
        while sent < bytes.count {
            let count = bytes.withUnsafeBytes {
                send(client, $0.baseAddress?.advanced(by: sent), bytes.count - sent, Int32(MSG_NOSIGNAL))
            }
            guard count > 0 else { return false }
            sent += count
        }
        return true
    }

    /// Reads one request with a body of its Content-Length.
    private static func readRequest(_ client: Int32, _ buffer: inout [UInt8]) -> String? {
        while true {
            let text = String(decoding: buffer, as: UTF8.self)
            if let end = text.range(of: "\r\n\r\n") {
                let head = text[..<end]
                let length =
                    head.split(separator: "\r\n").first { $0.lowercased().hasPrefix("content-length:") }
                    .flatMap { Int($0.drop { $0 != ":" }.dropFirst().filter(\.isNumber)) } ?? 0
                let total = head.utf8.count + 4 + length
                if buffer.count >= total {
                    let request = String(decoding: buffer[..<total], as: UTF8.self)
                    buffer.removeFirst(total)
                    return request
                }
            }
            var chunk = [UInt8](repeating: 0, count: 65536)
            let count = recv(client, &chunk, chunk.count, 0)
            guard count > 0 else { return nil }
            buffer.append(contentsOf: chunk[..<count])
        }
    }

    private static func detach(_ body: @escaping @Sendable () -> Void) {
        final class Box {
            let body: @Sendable () -> Void
            init(_ body: @escaping @Sendable () -> Void) { self.body = body }
        }
        var thread = pthread_t()
        let box = Unmanaged.passRetained(Box(body)).toOpaque()
        pthread_create(
            &thread,
            nil,
            { object in
                if let object { Unmanaged<Box>.fromOpaque(object).takeRetainedValue().body() }
                return nil
            },
            box
        )
        pthread_detach(thread)
    }
}

/// The C function `accept`, with a name that no method hides.
private func acceptConnection(
    _ listener: Int32,
    _ address: UnsafeMutablePointer<sockaddr>?,
    _ length: UnsafeMutablePointer<socklen_t>?
) -> Int32 {
    accept(listener, address, length)
}

extension String {
    /// Returns the start of a text, without Foundation.
    fileprivate func range(of text: String) -> String.Index? {
        let bytes = Array(self.utf8)
        let wanted = Array(text.utf8)
        guard bytes.count >= wanted.count else { return nil }
        for start in 0...(bytes.count - wanted.count) where bytes[start...].starts(with: wanted) {
            return self.utf8.index(self.utf8.startIndex, offsetBy: start)
        }
        return nil
    }
}

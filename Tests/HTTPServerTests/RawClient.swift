import Dispatch
import Glibc

/// A socket to a server on 127.0.0.1 that sends exactly the given bytes.
final class RawClient: Sendable {
    private let socket: Int32
    /// The client has its own thread, because the global queues have only one thread for each core.
    private let queue = DispatchQueue(label: "raw client")

    /// The test fails if the server sends nothing for this number of seconds.
    private static let patienceSeconds = 40

    init(port: UInt16) {
        self.socket = Glibc.socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        var patience = timeval(tv_sec: Self.patienceSeconds, tv_usec: 0)
        setsockopt(self.socket, SOL_SOCKET, SO_RCVTIMEO, &patience, socklen_t(MemoryLayout<timeval>.size))
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = port.bigEndian
        address.sin_addr.s_addr = inet_addr("127.0.0.1")
        _ = withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                connect(self.socket, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
            }
        }
    }

    deinit { self.leave() }

    /// Closes the connection without reading the answer.
    func leave() { shutdown(self.socket, Int32(SHUT_RDWR)) }

    func send(_ text: String) { self.send(Array(text.utf8)) }

    func send(_ bytes: [UInt8]) {
        var sent = 0
        while sent < bytes.count {
            let count = bytes[sent...].withUnsafeBytes {
                Glibc.send(self.socket, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
            }
            guard count > 0 else { return }
            sent += count
        }
    }

    /// Reads until the server closes the connection, outside Swift's own threads, which the handlers need.
    func readAll() async -> RawAnswer { await self.read { _ in false } }

    /// Reads one answer of a connection that stays open.
    func readOne() async -> RawAnswer { await self.read(until: \.isComplete) }

    /// Reads until the answer contains the text.
    func readUntil(_ text: String) async -> RawAnswer {
        await self.read { String(decoding: $0.bytes, as: UTF8.self).contains(text) }
    }

    private func read(until isEnough: @escaping @Sendable (RawAnswer) -> Bool) async -> RawAnswer {
        await withCheckedContinuation { continuation in
            self.queue.async {
                var answer = RawAnswer(bytes: [])
                var chunk = [UInt8](repeating: 0, count: 65536)
                while !isEnough(answer) {
                    let count = recv(self.socket, &chunk, chunk.count, 0)
                    guard count > 0 else { break }
                    answer.bytes.append(contentsOf: chunk[..<count])
                }
                continuation.resume(returning: answer)
            }
        }
    }
}

/// The answer of a server, as bytes.
struct RawAnswer: Sendable {
    var bytes: [UInt8]

    private static let headEnd = Array("\r\n\r\n".utf8)

    /// The status; 0 without a status line.
    var status: Int {
        let words = self.head.split(separator: " ", maxSplits: 2)
        return words.count > 1 && words[0].hasPrefix("HTTP/1.") ? Int(words[1]) ?? 0 : 0
    }

    var head: String { String(decoding: self.bytes[..<(self.bodyStart ?? self.bytes.count)], as: UTF8.self) }

    var body: String { String(decoding: self.bytes[(self.bodyStart ?? self.bytes.count)...], as: UTF8.self) }

    /// The values of a header, its name in lower case.
    func header(_ name: String) -> [String] {
        self.head.split(separator: "\r\n").dropFirst().compactMap { line in
            guard let colon = line.firstIndex(of: ":"), line[..<colon].lowercased() == name else { return nil }
            return String(line[line.index(after: colon)...].drop { $0 == " " })
        }
    }

    var isComplete: Bool {
        guard let start = self.bodyStart else { return false }
        let length = self.header("content-length").first.flatMap { Int($0) } ?? 0
        return self.bytes.count - start >= length
    }

    private var bodyStart: Int? {
        guard self.bytes.count >= 4 else { return nil }
        return (0...(self.bytes.count - 4)).first { self.bytes[$0...].starts(with: Self.headEnd) }.map { $0 + 4 }
    }
}

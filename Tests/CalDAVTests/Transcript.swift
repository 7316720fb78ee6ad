import RemindavHTTP
import RemindavTestSupport

/// A conversation with a server, read from `Fixtures/dav`.
///
/// `#` starts a comment. `>` lines are a request: method and path (or URL), then header fields that must be there, an
/// empty line, and lines that must stand in the body. `<` lines are its answer: status, header fields, an empty line,
/// body. `!` instead of an answer is a ``TransportError/Code`` by name.
struct Transcript {
    struct Exchange {
        var method = ""
        var target = ""
        var headers: [HeaderField] = []
        var bodyLines: [String] = []
        var answer: Result<Response, TransportError> = .failure(TransportError(.interrupted))
    }

    var exchanges: [Exchange] = []

    init(fixture: String) throws {
        self.init(bytes: try Fixture.bytes("dav/\(fixture).http"))
    }

    init(bytes: [UInt8]) {
        let lines = bytes.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
        var index = 0
        func block(_ mark: Character) -> [ArraySlice<UInt8>] {
            var block: [ArraySlice<UInt8>] = []
            while index < lines.count, let first = lines[index].first, first == mark.asciiValue {
                block.append(
                    lines[index].dropFirst().first == 32 ? lines[index].dropFirst(2) : lines[index].dropFirst()
                )
                index += 1
            }
            return block
        }
        while index < lines.count {
            guard let first = lines[index].first, first == UInt8(ascii: ">") else {
                index += 1
                continue
            }
            var exchange = Exchange()
            let (start, headers, body) = Self.parts(block(">"))
            let words = start.split(separator: " ")
            exchange.method = String(words[0])
            exchange.target = String(words[1])
            exchange.headers = headers
            exchange.bodyLines = body.map { String(decoding: $0, as: UTF8.self) }
            if index < lines.count, lines[index].first == UInt8(ascii: "!") {
                let name = String(decoding: block("!")[0], as: UTF8.self)
                let code = TransportError.Code.allCases.first { "\($0)" == name }
                exchange.answer = .failure(TransportError(code ?? .badRequest, host: "dav.example.org"))
            } else {
                let (status, fields, lines) = Self.parts(block("<"))
                let bytes = Array(lines.joined(separator: [UInt8(ascii: "\n")]))
                exchange.answer = .success(Response(status: Int(status) ?? 0, headers: Headers(fields), body: bytes))
            }
            self.exchanges.append(exchange)
        }
    }

    private static func parts(
        _ lines: [ArraySlice<UInt8>]
    ) -> (start: String, headers: [HeaderField], body: [ArraySlice<UInt8>]) {
        let start = String(decoding: lines.first ?? [], as: UTF8.self)
        var headers: [HeaderField] = []
        var rest = lines.dropFirst()
        while let line = rest.popFirst(), !line.isEmpty {
            let text = String(decoding: line, as: UTF8.self)
            let pair = text.split(separator: ":", maxSplits: 1).map(String.init)
            headers.append(
                HeaderField(name: HeaderName(pair[0]), value: pair.count > 1 ? String(pair[1].drop { $0 == " " }) : "")
            )
        }
        return (start, headers, Array(rest))
    }
}

/// A transport that replays a transcript, and records the requests that differ from it.
actor ReplayTransport: Transport {
    static let origin = "https://dav.example.org"

    private var waiting: [Transcript.Exchange]
    private(set) var surprises: [String] = []
    private(set) var authorizations: [String] = []

    init(_ transcript: Transcript) {
        self.waiting = transcript.exchanges
    }

    /// The exchanges that were never requested.
    var leftOver: [String] { self.waiting.map { "\($0.method) \($0.target)" } }

    func send(_ request: Request) async throws(TransportError) -> Response {
        self.authorizations.append(request.headers[.authorization] ?? "")
        guard let index = self.waiting.firstIndex(where: { Self.fits($0, request) }) else {
            let expected = self.waiting.first.map { "\($0.method) \($0.target) \($0.headers)" } ?? "nothing"
            self.surprises.append("\(request.method) \(request.url) \(request.headers)\nwhere \(expected) was expected")
            throw TransportError(.badRequest)
        }
        return try self.waiting.remove(at: index).answer.get()
    }

    private static func fits(_ exchange: Transcript.Exchange, _ request: Request) -> Bool {
        let url = exchange.target.hasPrefix("/") ? self.origin + exchange.target : exchange.target
        let body = String(decoding: request.body, as: UTF8.self)
        return exchange.method == request.method && url == request.url
            && exchange.headers.allSatisfy { $0.value == (request.headers[$0.name] ?? "") }
            && exchange.bodyLines.allSatisfy { body.contains($0) }
    }
}

/// Reads a form with files, piece by piece (`multipart/form-data`, RFC 7578; the syntax is that of RFC 2046 §5.1).
package struct MultipartParser: Sendable {
    /// The header of a part.
    package struct Part: Hashable, Sendable {
        /// The name of the field.
        package let name: String
        /// The name of the file; `nil` for a field with text.
        package let file: String?
    }

    package enum Event: Equatable, Sendable {
        case part(Part)
        /// The next bytes of the present part.
        case content([UInt8])
        case end
    }

    package struct Malformed: Error, Hashable, Sendable {}

    private enum Phase: Sendable {
        /// Before the first boundary, or in the content of a part.
        case content(isPart: Bool)
        case behindBoundary
        case header
        case over
    }

    /// A line end and the boundary, which end the content of a part.
    private let delimiter: [UInt8]
    private var phase = Phase.content(isPart: false)
    // The first boundary has no line end before it.
    private var buffer: [UInt8] = [0x0D, 0x0A]

    /// The header of a part has a name and a type; browsers send up to about 500 bytes.
    private static let maximumHeaderBytes = 8192
    /// The maximum length of a boundary (RFC 2046 §5.1.1).
    private static let maximumBoundaryBytes = 70

    /// - Parameter contentType: the header field; `nil` is returned if it is not that of a form with files.
    package init?(contentType: String) {
        let parameters = Self.parameters(contentType)
        guard parameters.value.lowercased() == "multipart/form-data",
            let boundary = parameters.parameters["boundary"],
            (1...Self.maximumBoundaryBytes).contains(boundary.utf8.count)
        else { return nil }
        self.delimiter = [0x0D, 0x0A, 0x2D, 0x2D] + Array(boundary.utf8)
    }

    /// Reads the next bytes of the body.
    package mutating func read(_ bytes: [UInt8]) throws(Malformed) -> [Event] {
        self.buffer += bytes
        var events: [Event] = []
        while try self.step(&events) {}
        return events
    }

    /// Whether the last boundary was read.
    package var isComplete: Bool {
        if case .over = self.phase { true } else { false }
    }

    /// Reads one element; returns `false` if more bytes are needed.
    private mutating func step(_ events: inout [Event]) throws(Malformed) -> Bool {
        switch self.phase {
        case .over:
            self.buffer = []
            return false
        case .content(let isPart):
            let found = self.place(of: self.delimiter)
            // The end of the buffer may be the beginning of a boundary.
            let count = found ?? max(0, self.buffer.count - self.delimiter.count + 1)
            if isPart, count > 0 { events.append(.content(Array(self.buffer[..<count]))) }
            self.buffer.removeFirst(count + (found == nil ? 0 : self.delimiter.count))
            if found == nil { return false }
            if isPart { events.append(.end) }
            self.phase = .behindBoundary
        case .behindBoundary:
            // Spaces may follow a boundary.
            let line = self.buffer.drop { $0 == 0x20 || $0 == 0x09 }
            guard line.count > 1 else { return false }
            let isLast = line.starts(with: [0x2D, 0x2D])
            guard isLast || line.starts(with: [0x0D, 0x0A]) else { throw Malformed() }
            // The line end also ends the last line of the header, so that an empty header is found.
            self.buffer = Array(line)
            self.phase = isLast ? .over : .header
        case .header:
            guard let end = self.place(of: [0x0D, 0x0A, 0x0D, 0x0A]) else {
                guard self.buffer.count <= Self.maximumHeaderBytes else { throw Malformed() }
                return false
            }
            events.append(.part(try Self.part(self.buffer[..<end])))
            self.buffer.removeFirst(end + 4)
            self.phase = .content(isPart: true)
        }
        return true
    }

    private func place(of pattern: [UInt8]) -> Int? {
        var start = 0
        while let index = self.buffer[start...].firstIndex(of: pattern[0]) {
            guard index + pattern.count <= self.buffer.count else { return nil }
            if self.buffer[index...].starts(with: pattern) { return index }
            start = index + 1
        }
        return nil
    }

    private static func part(_ header: ArraySlice<UInt8>) throws(Malformed) -> Part {
        // Browsers write names in UTF-8.
        for line in String(decoding: header, as: UTF8.self).split(separator: "\r\n") {
            let parts = line.split(separator: ":", maxSplits: 1)
            guard parts.count == 2, parts[0].lowercased() == "content-disposition" else { continue }
            let (value, parameters) = Self.parameters(String(parts[1]))
            guard value.lowercased() == "form-data", let name = parameters["name"] else { continue }
            return Part(name: name, file: parameters["filename"])
        }
        throw Malformed()
    }

    // value = token *( ";" name "=" ( token / quoted-string ) )
    private static func parameters(_ text: String) -> (value: String, parameters: [String: String]) {
        var rest = text[...]
        func trimmed(_ part: some StringProtocol) -> String {
            String(part.drop { $0 == " " || $0 == "\t" }.reversed().drop { $0 == " " || $0 == "\t" }.reversed())
        }
        let value = trimmed(rest.prefix { $0 != ";" })
        rest = rest.drop { $0 != ";" }.dropFirst()
        var parameters: [String: String] = [:]
        while !rest.isEmpty {
            let name = trimmed(rest.prefix { $0 != "=" && $0 != ";" }).lowercased()
            rest = rest.drop { $0 != "=" && $0 != ";" }
            guard rest.first == "=" else {
                rest = rest.dropFirst()
                continue
            }
            rest = rest.dropFirst().drop { $0 == " " }
            var text = ""
            if rest.first == "\"" {
                rest = rest.dropFirst()
                while let character = rest.popFirst(), character != "\"" { text.append(character) }
                rest = rest.drop { $0 != ";" }.dropFirst()
                // A browser writes these characters as in an address, and no backslashes (HTML, form submission).
                text = text.replacing("%22", with: "\"").replacing("%0D", with: "\r").replacing("%0A", with: "\n")
            } else {
                text = trimmed(rest.prefix { $0 != ";" })
                rest = rest.drop { $0 != ";" }.dropFirst()
            }
            if parameters[name] == nil { parameters[name] = text }
        }
        return (value, parameters)
    }
}

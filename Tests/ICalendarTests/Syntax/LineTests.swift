import RemindavTestSupport
import Testing

@testable import RemindavICalendar

@Suite("the eight-byte search finds the same lines as a byte-by-byte search")
struct LineTests {
    static let fixtures = (try? Fixture.names(in: "ics", endingWith: ".ics")) ?? []

    /// A logical line by a simple implementation of RFC 5545 §3.1.
    struct Line: Hashable {
        var number: Int
        var content: [UInt8]
        /// The name; `nil` without a name before a colon.
        var name: [UInt8]?
        var value: [UInt8]?

        init(number: Int, content: [UInt8]) {
            self.number = number
            self.content = content
            let name = content.prefix(while: \.isNameCharacter)
            guard !name.isEmpty, name.count < content.count else { return }
            guard content[name.count] == UInt8(ascii: ":") || content[name.count] == UInt8(ascii: ";") else { return }
            var isQuoted = false
            for (place, byte) in content.enumerated().dropFirst(name.count) {
                if byte == UInt8(ascii: "\"") { isQuoted.toggle() }
                if byte == UInt8(ascii: ":"), !isQuoted {
                    self.name = Array(name)
                    self.value = Array(content[(place + 1)...])
                    return
                }
            }
        }

        static func all(_ bytes: [UInt8]) -> [Line] {
            let lineFeed: UInt8 = bytes.contains(0x0A) ? 0x0A : 0x0D
            var lines: [(number: Int, content: [UInt8])] = []
            var rest = bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? bytes.dropFirst(3) : bytes[...]
            var number = 0
            while !rest.isEmpty {
                let end = rest.firstIndex(of: lineFeed) ?? rest.endIndex - 1
                var physical = rest[...end]
                rest = rest[(end + 1)...]
                number += 1
                if physical.last == 0x0A { physical.removeLast() }
                if physical.last == 0x0D { physical.removeLast() }
                let isFolded = physical.first?.isFold == true && lines.last?.content.isEmpty == false
                if isFolded {
                    lines[lines.count - 1].content += physical.dropFirst()
                } else {
                    lines.append((number, Array(physical)))
                }
            }
            return lines.map { Line(number: $0.number, content: $0.content) }
        }
    }

    private static func check(_ bytes: [UInt8]) {
        let document = ICalendarDocument(bytes)
        #expect(document.bytes == bytes)
        let storage = document.storage
        let found = storage.lines.indices.dropLast().filter { storage.lines[$0].kind != .blank }
        var rest = Line.all(bytes)[...]
        for index in found {
            let (record, next) = (storage.lines[index], storage.lines[index + 1])
            let blank = rest.prefix { $0.number < record.number }
            let isBlank = blank.allSatisfy { $0.content.isEmpty }
            #expect(isBlank)
            let lines = rest.dropFirst(blank.count).prefix { $0.number < next.number }
            rest = rest.dropFirst(blank.count + lines.count)
            guard let line = lines.first else {
                Issue.record("no line \(record.number)")
                continue
            }
            #expect(Int(record.number) == line.number)
            if !record.flags.isDisjoint(with: .isOdd) {
                let glue = Array((record.flags.contains(.isTorn) ? "\\n" : "").utf8)
                let parts = record.flags.contains(.isTorn) ? lines.map(\.content) : Self.withoutSoftBreaks(lines)
                #expect(Array(storage.content(index)) == Array(parts.joined(separator: glue)))
                continue
            }
            #expect(lines.count == 1)
            #expect(Array(storage.content(index)) == line.content)
            guard record.kind != .bad else { continue }
            #expect(Array(storage.value(index)) == line.value)
            #expect(line.name.map { storage.name(index).wire.utf8.elementsEqual($0) } == true)
        }
        let isRestBlank = rest.allSatisfy { $0.content.isEmpty }
        #expect(isRestBlank)
        let bounds = storage.lines.map { Int($0.start) }
        #expect(bounds == bounds.sorted() && bounds.last == bytes.count)
    }

    /// Returns the lines of a quoted-printable text without their `=`; a folded line has no soft break.
    private static func withoutSoftBreaks(_ lines: ArraySlice<Line>) -> [[UInt8]] {
        lines.map { line in
            var content = line.content
            while content.last == UInt8(ascii: "=") { content.removeLast() }
            return content
        }
    }

    @Test("in unchanged fixtures, and with a byte removed, doubled or inserted", arguments: Cases.sample(fixtures))
    func mutated(fixture: String) throws {
        let bytes = try Fixture.bytes("ics/\(fixture)")
        Self.check(bytes)
        var state = UInt64(bytes.count)
        for byte in Array("\r\n \t:;\"\u{FF}Aa-".utf8) + [0] {
            state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            let place = Int(state >> 33) % bytes.count
            Self.check(Array(bytes[..<place]) + [byte] + bytes[place...])
            Self.check(Array(bytes[..<place]) + bytes[(place + 1)...])
            Self.check(Array(bytes[...place]) + bytes[place...])
            Self.check(Array(bytes[..<place]))
        }
    }

    @Test("a document over the limit is kept but not parsed")
    func tooLarge() {
        var limits = ParseLimits.standard
        limits.documentBytes = 10
        let bytes = Array("BEGIN:VTODO\nEND:VTODO\n".utf8)
        let document = ICalendarDocument(bytes, limits: limits)
        #expect(document.bytes == bytes)
        #expect(document.components.isEmpty && document.all(.vtodo).isEmpty)
        #expect(document.issues.map(\.code) == [.documentTooLarge])
    }

    @Test("one long line, many parameters, many folds and empty components take linear time")
    func large() {
        let count = 20_000
        for text in [
            "BEGIN:VTODO\nSUMMARY:\(String(repeating: "x", count: count * 10))\nEND:VTODO\n",
            "BEGIN:VTODO\nSUMMARY\(String(repeating: ";A=b", count: count)):c\nEND:VTODO\n",
            "BEGIN:VTODO\nSUMMARY:\(String(repeating: "\n x", count: count))\nEND:VTODO\n",
            "BEGIN:VTODO\nS\(String(repeating: "\n x", count: count)):c\nEND:VTODO\n",
            String(repeating: "BEGIN:A\nEND:A\n", count: count),
            String(repeating: "BEGIN:VTODO\n", count: count),
            String(repeating: "\n", count: count),
        ] {
            Self.check(Array(text.utf8))
        }
    }

    @Test("a stream is split equally for every chunk boundary", arguments: ["\r\n", "\n", "\r"])
    func splitPoints(end: String) {
        let text = """
            BEGIN:VCALENDAR|VERSION:2.0|X-FOLDED:a| b|begin:vtodo|UID:1|SUMMARY:x| y|BEGIN:VALARM|END:VALARM|\
            END:VTODO|rubbish|BEGIN:VTODO|UID:2|BEGIN:VTODO|UID:3|END: VTODO |END:VCALENDAR|BEGIN:VEVENT|UID:4
            """
        let bytes = Array(text.replacing("|", with: end).utf8)
        let whole = Self.parts(bytes, cutAt: bytes.count)
        #expect(whole.count == 9)
        for place in 1..<bytes.count { #expect(Self.parts(bytes, cutAt: place) == whole) }
    }

    private static func parts(_ bytes: [UInt8], cutAt place: Int) -> [String] {
        var splitter = ComponentSplitter()
        let parts = splitter.push(Array(bytes[..<place])) + splitter.push(Array(bytes[place...])) + splitter.finish()
        return parts.map { part in
            switch part {
            case .calendarBegin(let line): "begin \(line)"
            case .calendarEnd: "end"
            case .property(let bytes, let line): "property \(line) \(String(decoding: bytes, as: UTF8.self))"
            case .component(let name, let bytes, let line):
                "component \(name) \(line) \(String(decoding: bytes, as: UTF8.self))"
            case .issue(let issue): "issue \(issue)"
            }
        }
    }
}

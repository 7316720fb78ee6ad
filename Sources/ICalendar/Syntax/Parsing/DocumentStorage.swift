/// The lines of a component and its relation to other components: 20 bytes.
struct ComponentRecord: Sendable {
    var begin: UInt32
    /// The index of the END line; if the END is missing, it is the index of the line after the last line.
    var end: UInt32
    var parent: Int32
    var next: UInt32
    var name: UInt16
    var isEnded: Bool
}

final class DocumentStorage: Sendable {
    static let noParent: Int32 = -1
    let source: [UInt8]
    /// The lines, and one more record for the end of the bytes.
    let lines: [LineRecord]
    let components: [ComponentRecord]
    let issues: [ParseIssue]
    let limits: ParseLimits
    let lineFeed: UInt8

    init(_ source: [UInt8], limits: ParseLimits, firstLine: Int) {
        var builder = ComponentBuilder(source, limits: limits, firstLine: firstLine)
        builder.build()
        self.source = source
        self.lines = builder.lines
        self.components = builder.components
        self.issues = builder.allIssues
        self.limits = limits
        self.lineFeed = builder.lineFeed
    }

    func range(_ line: Int) -> Range<Int> { Int(self.lines[line].start)..<Int(self.lines[line + 1].start) }

    /// The bytes of a line without its line end; a folded line is unfolded at each call.
    func content(_ line: Int, from offset: Int = 0) -> ArraySlice<UInt8> {
        let range = self.range(line)
        let source = self.source
        let bytes = source.span
        if self.lines[line].flags.contains(.isFolded) { return self.joined(line, range).dropFirst(offset) }
        return source[(range.lowerBound + offset)..<bytes.trimmingLineEnd(range)]
    }

    private func joined(_ line: Int, _ range: Range<Int>) -> [UInt8] {
        let flags = self.lines[line].flags
        if flags.isDisjoint(with: .isOdd) { return self.source.unfolded(range, self.lineFeed) }
        if flags.contains(.isTorn) { return self.source.joiningTorn(range, self.lineFeed) }
        return self.source.joiningSoftBreaks(range, self.lineFeed)
    }

    func value(_ line: Int) -> ArraySlice<UInt8> { self.content(line, from: Int(self.lines[line].value)) }

    /// Whether any byte follows the colon, even if it only belongs to a fold or a soft line break.
    func hasValue(_ line: Int) -> Bool {
        let range = self.range(line)
        let source = self.source
        let bytes = source.span
        return bytes.trimmingLineEnd(range) - range.lowerBound > Int(self.lines[line].value)
    }

    func name(_ line: Int) -> Name {
        let record = self.lines[line]
        if record.flags.contains(.isUsualSpelling) { return NameTable.standard.names[Int(record.name)] }
        let wire = self.content(line).prefix(while: \.isNameCharacter)
        return Name(number: record.name, wire: String(decoding: wire, as: UTF8.self))
    }

    func matches(line: Int, _ name: Name) -> Bool {
        guard self.lines[line].name == name.number else { return false }
        guard name.number == NameTable.unknown else { return true }
        return self.content(line).prefix(while: \.isNameCharacter).isName(name)
    }

    func componentName(_ component: Int) -> Name {
        let record = self.components[component]
        let wire = self.value(Int(record.begin)).trimmingFolds
        if record.name != NameTable.unknown {
            let usual = NameTable.standard.names[Int(record.name)]
            if wire.elementsEqual(usual.wire.utf8) { return usual }
        }
        return Name(number: record.name, wire: String(decoding: wire, as: UTF8.self))
    }

    func matches(_ component: Int, _ name: Name) -> Bool {
        let record = self.components[component]
        guard record.name == name.number else { return false }
        return name.number != NameTable.unknown || self.value(Int(record.begin)).trimmingFolds.isName(name)
    }

    func children(_ first: Int, _ end: Int) -> [Component] {
        var result: [Component] = []
        var index = first
        while index < end {
            result.append(Component(storage: self, index: index))
            index = Int(self.components[index].next)
        }
        return result
    }
}

extension ArraySlice<UInt8> {
    var trimmingFolds: Self { self.drop(while: \.isFold).prefix { !$0.isFold } }

    func isName(_ name: Name) -> Bool {
        self.count == name.wire.utf8.count && zip(self, name.wire.utf8).allSatisfy { $0.capital == $1.capital }
    }
}

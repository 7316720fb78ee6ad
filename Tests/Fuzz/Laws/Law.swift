/// Something that holds for every input, whoever made it.
///
/// The fuzzer looks for an input that breaks one, the mutations try each byte of each fixture, and what was once found
/// is kept in `Fixtures/fuzz/` and tried by the unit tests.
public struct Law: Sendable {
    /// The word that the fuzzer is called with, and the folder of its fixtures.
    public let name: String
    private let body: @Sendable (_ input: [UInt8]) throws(BrokenLaw) -> Void

    init(_ name: String, _ body: @escaping @Sendable (_ input: [UInt8]) throws(BrokenLaw) -> Void) {
        self.name = name
        self.body = body
    }

    /// Tries the law on `input`.
    ///
    /// - Throws: what does not hold.
    public func check(_ input: [UInt8]) throws(BrokenLaw) { try self.body(input) }

    /// All of them: one libFuzzer target each.
    public static let all: [Law] = [.lines, .components, .values, .rules, .zones, .roundTrip, .reading]

    /// Content lines: their parts, their folds, and what is written from them.
    static let lines = Law("lines", LineLaw.check)
    /// Components: the whole document and the splitter tell the same, in whatever pieces the stream comes.
    static let components = Law("components", ComponentLaw.check)
    /// Values of every type: what was read is written and read again as the same.
    static let values = Law("values", ValueLaw.check)
    /// Rules with a zone: occurrences ascend, and each way of asking for them gives the same.
    static let rules = Law("rules", RuleLaw.check)
    /// Zones: moments to local times and back, and the VTIMEZONE that is written of a zone.
    static let zones = Law("zones", ZoneLaw.check)
    /// The whole stream: what is not edited stays as it is.
    static let roundTrip = Law("round-trip", RoundTripLaw.check)
    /// A whole file as commands read it: its values, its rules with its own zones.
    static let reading = Law("reading", ReadingLaw.check)
}

/// What does not hold, for a person.
public struct BrokenLaw: Error, CustomStringConvertible {
    /// A sentence, with the values that disagree.
    public let description: String
}

/// - Throws: ``BrokenLaw`` when `holds` is false.
func demand(_ holds: Bool, _ sentence: @autoclosure () -> String) throws(BrokenLaw) {
    if !holds { throw BrokenLaw(description: sentence()) }
}

/// - Throws: ``BrokenLaw`` with both values when they differ.
func demandEqual<Value: Equatable>(
    _ lhs: Value,
    _ rhs: Value,
    _ sentence: @autoclosure () -> String
) throws(BrokenLaw) {
    if lhs != rhs { throw BrokenLaw(description: "\(sentence()): \(difference(show(lhs), show(rhs)))") }
}

/// - Throws: ``BrokenLaw`` with the first line that differs.
func demandEqual(
    _ lhs: [UInt8],
    _ rhs: [UInt8],
    _ sentence: @autoclosure () -> String
) throws(BrokenLaw) {
    if lhs != rhs { throw BrokenLaw(description: "\(sentence()): \(difference(show(lhs), show(rhs)))") }
}

/// Two texts from a little before the place where they part.
private func difference(_ lhs: String, _ rhs: String) -> String {
    let lhs = Array(lhs.unicodeScalars)
    let rhs = Array(rhs.unicodeScalars)
    let common = zip(lhs, rhs).prefix { $0 == $1 }.count
    let parts = [lhs, rhs].map { text in
        String(String.UnicodeScalarView(text[max(common - 60, 0)..<min(common + 120, text.count)]))
    }
    return "‹\(parts[0])› and ‹\(parts[1])›"
}

/// A value in words; bytes as the text that they are.
func show(_ value: Any) -> String {
    switch value {
    case let bytes as [UInt8]: String(decoding: bytes, as: UTF8.self).debugDescription
    case let bytes as ArraySlice<UInt8>: show(Array(bytes))
    default: String(reflecting: value)
    }
}

/// Numbers that depend on the input and on nothing else, for choices that must be the same when it is tried again.
struct InputNumbers: RandomNumberGenerator {
    private var state: UInt64 = 0xcbf2_9ce4_8422_2325

    init(_ input: [UInt8]) {
        for byte in input { self.state = (self.state ^ UInt64(byte)) &* 0x0000_0100_0000_01b3 }
    }

    mutating func next() -> UInt64 {
        self.state &+= 0x9e37_79b9_7f4a_7c15
        var mixed = self.state
        mixed = (mixed ^ (mixed >> 30)) &* 0xbf58_476d_1ce4_e5b9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94d0_49bb_1331_11eb
        return mixed ^ (mixed >> 31)
    }
}

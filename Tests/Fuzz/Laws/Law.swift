/// A condition that holds for every input.
///
/// The fuzzer searches for inputs that break a law, and the mutations change each byte of each fixture. Found inputs are
/// kept in `Fixtures/fuzz/`, and the unit tests read them.
public struct Law: Sendable {
    /// The argument of the fuzzer, and the folder of the fixtures.
    public let name: String
    private let body: @Sendable (_ input: [UInt8]) throws(BrokenLaw) -> Void

    init(_ name: String, _ body: @escaping @Sendable (_ input: [UInt8]) throws(BrokenLaw) -> Void) {
        self.name = name
        self.body = body
    }

    /// Tries the law on `input`.
    ///
    /// - Throws: the broken condition.
    public func check(_ input: [UInt8]) throws(BrokenLaw) { try self.body(input) }

    /// All laws.
    public static let all: [Law] = [.lines, .components, .values, .rules, .zones, .roundTrip, .reading]

    /// Content lines: their parts, their folds, and their written form.
    static let lines = Law("lines", LineLaw.check)
    /// Components: the whole document and the splitter give the same result, for any division of the stream into pieces.
    static let components = Law("components", ComponentLaw.check)
    /// Values of every type: a written value is read as the same value.
    static let values = Law("values", ValueLaw.check)
    /// Rules with a zone: occurrences ascend, and all functions for them give the same result.
    static let rules = Law("rules", RuleLaw.check)
    /// Zones: moments to local times and back, and the written VTIMEZONE of a zone.
    static let zones = Law("zones", ZoneLaw.check)
    /// The whole stream: unedited content stays unchanged.
    static let roundTrip = Law("round-trip", RoundTripLaw.check)
    /// A whole file, read as the commands do: its values, and its rules with its own time zones.
    static let reading = Law("reading", ReadingLaw.check)
}

/// A broken condition, with a description.
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

/// The parts of two texts around their first difference.
private func difference(_ lhs: String, _ rhs: String) -> String {
    let lhs = Array(lhs.unicodeScalars)
    let rhs = Array(rhs.unicodeScalars)
    let common = zip(lhs, rhs).prefix { $0 == $1 }.count
    let parts = [lhs, rhs].map { text in
        String(String.UnicodeScalarView(text[max(common - 60, 0)..<min(common + 120, text.count)]))
    }
    return "‹\(parts[0])› and ‹\(parts[1])›"
}

/// Returns the description of a value; bytes are shown as text.
func show(_ value: Any) -> String {
    switch value {
    case let bytes as [UInt8]: String(decoding: bytes, as: UTF8.self).debugDescription
    case let bytes as ArraySlice<UInt8>: show(Array(bytes))
    default: String(reflecting: value)
    }
}

/// Random numbers that depend only on the input, so that a repeated test makes the same choices.
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

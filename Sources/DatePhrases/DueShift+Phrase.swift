import RemindavICalendar
package import RemindavReminders

extension DueShift {
    /// The shift that a phrase states: `+1w`, `-2d`, `due+1w`, `later 1w`, `earlier 2 days`, `1 week later`.
    ///
    /// - Returns: `nil` if the text has another form, such as `in 1 week`, which counts from now.
    /// - Throws: for a sign or a word of a shift without a length that can be understood.
    package static func read(_ text: String) throws(PhraseError) -> Self? {
        // shift = [ "due" ] sign length / ( "later" / "earlier" ) length / length ( "later" / "earlier" )
        var words = text.lowercased().split { $0 == " " || $0 == "\t" }
        var isEarlier: Bool?
        if let place = [0, words.count - 1].first(where: { words.count > 1 && Self.directions[words[$0]] != nil }) {
            isEarlier = Self.directions[words.remove(at: place)]
        }
        var length = words.joined(separator: " ")
        let isSigned = isEarlier == nil
        if isSigned {
            if length.hasPrefix("due") { length = String(length.dropFirst(3)).trimmingSpaces }
            guard let sign = length.first, sign == "+" || sign == "-" else { return nil }
            length = String(length.dropFirst()).trimmingSpaces
            isEarlier = sign == "-"
        }
        guard length.first?.isPhraseDigit == true || !isSigned else { return nil }
        if isSigned, length.hasSuffix("m"), let count = Vocabulary.positive(String(length.dropLast()), digits: 4) {
            throw PhraseError(
                .badWhen,
                "'\(text)' can mean months or minutes. Write '\(count) months later' or '\(count) minutes later'."
            )
        }
        guard let shift = Self.length(length) else {
            throw PhraseError(
                .badWhen,
                "'\(text)' is no shift of the due time. Write for example +1w, -2d or 'later 3h'."
            )
        }
        return isEarlier == true ? shift.negated : shift
    }

    private static let directions: [Substring: Bool] = ["later": false, "earlier": true]

    private static func length(_ text: String) -> Self? {
        switch WhenParser.read("in \(text)").value {
        case .later(let seconds) where seconds > 0: .seconds(seconds)
        case .day(.days(let days), .whole): .days(days)
        case .day(.months(let months), .whole): .months(months)
        default: nil
        }
    }

    private var negated: Self {
        switch self {
        case .months(let months): .months(-months)
        case .days(let days): .days(-days)
        case .seconds(let seconds): .seconds(-seconds)
        }
    }
}

/// A number that may be an hour: the 9 of `tomorrow 9`.
struct BareHour {
    private let text: String
    private let number: Int

    /// - Returns: `nil` for anything but a number from 0 to 24.
    init?(_ word: some StringProtocol) {
        guard let number = Vocabulary.number(String(word), digits: 2), number <= 24 else { return nil }
        self.text = String(word)
        self.number = number
    }

    /// `Write 'tomorrow at 9' or 'tomorrow 9am'.`; `nil` if `day` is not a day.
    func advice(behind day: String) -> String? {
        let whole = "\(day) at \(self.text)"
        var parser = WhenParser(whole)
        guard case .understood(.day(let phrase, .clock)) = parser.reading(), phrase != .soonest else { return nil }
        let short = (1...12).contains(self.number) ? " or '\(day) \(self.number)am'" : ""
        return "Write '\(whole)'\(short)."
    }
}

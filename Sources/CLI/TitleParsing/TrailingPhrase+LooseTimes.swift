import ICalendar

/// Ambiguous times and days at the end of a title; then no date is taken and none is assumed.
extension TrailingPhraseReader {
    /// The correct form for `17:30`, `3-4pm`, `10m`, `25. Dezember`; `nil` for anything else.
    func hintOfLooseTime() -> String? {
        let end = self.words.count
        let last = self.bare(end - 1)
        if let english = Self.foreignWords[last] { return "'\(last)': Words are English: '\(english)'." }
        if Self.isClock(last) { return "If '\(last)' is a time, write 'at \(last)'." }
        if last.contains("-"), let start = Self.beginning(ofRange: last) {
            return "If '\(last)' is a time, write 'at \(start)'."
        }
        return self.countAndUnit.map { "If '\($0)' is when it is due, write 'in \($0)'." }
    }

    /// The correct form for `the 1st`, which may also be the first of several things; `nil` for anything else.
    func hintOfOrdinal() -> String? {
        let end = self.words.count
        guard end > 2 else { return nil }
        let last = self.bare(end - 1)
        let day = Int(last.prefix { $0.isPhraseDigit })
        if self.bare(end - 2) == "the", let day, 1...31 ~= day, last == "\(day)\(day.ordinalLetters)" {
            return "If 'the \(last)' is a day, write 'on the \(last)'."
        }
        return nil
    }

    /// `17:30`: with an hour of one digit it is as often a verse or a score.
    private static func isClock(_ word: String) -> Bool {
        var parser = WhenParser("at \(word)")
        guard word.utf8.count == 5, word.contains(":"), case .understood = parser.reading() else { return false }
        return true
    }

    /// `9am` of `9am-5pm`; `nil` for words that are not a range of times, or have neither `am` nor `pm`.
    private static func beginning(ofRange word: String) -> String? {
        guard word.hasSuffix("am") || word.hasSuffix("pm") else { return nil }
        var parser = WhenParser("today \(word)", caution: .alone)
        guard case .understood(.day(_, .clock(let time))) = parser.reading() else { return nil }
        return time.hoursAndMinutes
    }

    /// `10m` or `10 min` at the end: how long it takes, or when it is due.
    private var countAndUnit: String? {
        let end = self.words.count
        for start in [end - 2, end - 1] where start > 0 && self.words[start].form == .plain {
            let text = (start..<end).map { self.bare($0) }.joined(separator: " ")
            guard text.first?.isPhraseDigit == true, !Self.needsMore(self.bare(start - 1)) else { continue }
            var parser = WhenParser(text)
            switch parser.reading() {
            case .understood(.later), .understood(.day(.days, .whole)): return text
            default: continue
            }
        }
        return nil
    }

    /// Months and days of the week in the languages of the neighbours, where they differ from the English word.
    static let foreignWords: [String: String] = {
        let months = [
            "january": "januar jänner janvier enero gennaio januari janeiro",
            "february": "februar février febrero febbraio februari fevereiro",
            "march": "märz mars marzo maart março", "april": "avril abril aprile", "may": "mai mayo maggio mei maio",
            "june": "juni juin junio giugno junho", "july": "juli juillet julio luglio julho",
            "august": "août agosto augustus", "september": "septembre septiembre settembre setembro",
            "october": "oktober octobre octubre ottobre outubro", "november": "novembre noviembre novembro",
            "december": "dezember décembre diciembre dicembre dezembro",
        ]
        let days = [
            "monday": "montag lundi lunes lunedì maandag", "tuesday": "dienstag mardi martes martedì dinsdag",
            "wednesday": "mittwoch mercredi miércoles mercoledì woensdag",
            "thursday": "donnerstag jeudi jueves giovedì donderdag",
            "friday": "freitag vendredi viernes venerdì vrijdag",
            "saturday": "samstag samedi sábado sabato zaterdag",
            "sunday": "sonntag dimanche domingo domenica zondag",
        ]
        var english: [String: String] = [:]
        for (name, words) in months.merging(days, uniquingKeysWith: { first, _ in first }) {
            for word in words.split(separator: " ") { english[String(word)] = name }
        }
        return english
    }()
}

enum Table {
    /// The rows as text in columns; the last column may have any width.
    static func text(_ rows: [[String]]) -> StyledText { StyledText(self.lines(rows).joined(separator: "\n")) }

    /// - Parameter widest: the maximum width of a column; a longer cell moves the rest of its row to the right.
    static func lines(_ rows: [[String]], widest: Int = .max) -> [String] {
        let clean = rows.map { $0.map { Sanitizer.line($0) } }
        let count = clean.map(\.count).max() ?? 0
        let widths = (0..<count).map { column in
            min(widest, clean.map { column < $0.count ? DisplayWidth.columns($0[column]) : 0 }.max() ?? 0)
        }
        return clean.map { row in
            row.enumerated().map { column, text in
                column == row.count - 1 ? text : DisplayWidth.pad(text, to: widths[column])
            }.joined(separator: "  ")
        }
    }
}

import RemindavBridge

extension EditSummary {
    private static let valueColumns = 60

    /// A summary for a terminal, with values of limited width.
    static func forTerminal(_ text: LocalText) -> Self {
        Self(text: text) { DisplayWidth.fit(Sanitizer.line($0), into: Self.valueColumns) }
    }
}

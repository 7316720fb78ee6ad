extension Output {
    /// A longer list is not useful on a terminal.
    private static let shownIssues = 20

    /// Reports the first unreadable lines of a file and the number of others.
    ///
    /// - Parameters:
    ///   - count: how many there are in all.
    ///   - name: of the file.
    ///   - advice: where the others are; `nil` when nowhere.
    func complain(
        about issues: [(line: Int, message: String)],
        of count: Int,
        in name: String,
        advice: String? = nil
    ) {
        for issue in issues.prefix(Self.shownIssues) {
            self.complain("\(Sanitizer.line(name)), line \(issue.line): \(Sanitizer.line(issue.message)).")
        }
        guard count > Self.shownIssues else { return }
        self.complain("… and \(count - Self.shownIssues) more\(advice.map { "; \($0)" } ?? "").")
    }
}

import RemindavHTML

/// A problem of a whole page, which a screen reader says at once; nothing for `nil`.
struct ProblemLine: Part {
    private let problem: String?
    init(_ problem: String?) { self.problem = problem }

    var body: some HTML {
        if let problem = self.problem { p(.class("err"), .role(.alert)) { problem } }
    }
}

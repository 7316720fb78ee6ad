/// How a server of this model behaves, within what real ones do.
struct Profile: CustomStringConvertible {
    enum Tags: CaseIterable { case counter, content, weak }
    enum Tokens: CaseIterable { case epochs, numbers, opaque, none }
    enum Refusal: CaseIterable { case forbidden, conflict, precondition, bare, failure, empty }
    enum Rewriting: CaseIterable { case none, sorting, folding, adding, stripping }

    /// What entity tags are made of.
    var tags = Tags.counter
    /// What sync tokens look like.
    var tokens = Tokens.epochs
    /// What is said to a token that is not known.
    var refusal = Refusal.forbidden
    /// What becomes of a text that is written.
    var rewriting = Rewriting.none
    /// Whether the answer to a PUT names the new entity tag.
    var tellsTagOfPut = true
    /// Whether a multistatus says which properties are missing.
    var tellsMissing = true
    /// Whether hrefs are whole URLs.
    var namesHost = false
    /// Whether CR is kept in texts inside XML.
    var keepsCarriageReturns = false
    /// How often, in hundredths, an answer is odd although nothing is broken: a member doubled, left out of a multiget, or
    /// without its entity tag.
    var oddity = 0
    /// How many collections there are at first.
    var lists = 1

    /// Whether calendar-query is answered.
    ///
    /// What says no more than 400 to a token says no more than 403 to a query.
    var answersQueries: Bool { self.refusal != .bare }

    init() {}

    /// One of all.
    init(_ random: inout SeededGenerator) {
        self.init()
        if random.oneIn(3) { self.tags = random.pick(Tags.allCases) ?? .counter }
        self.tokens = random.pick(Tokens.allCases) ?? .epochs
        self.refusal = random.pick(Refusal.allCases) ?? .forbidden
        if random.oneIn(3) { self.rewriting = random.pick(Rewriting.allCases) ?? .none }
        self.tellsTagOfPut = !random.oneIn(4)
        self.tellsMissing = random.oneIn(2)
        self.namesHost = random.oneIn(6)
        self.keepsCarriageReturns = random.oneIn(3)
        self.oddity = random.oneIn(3) ? 25 : 0
        self.lists = random.oneIn(3) ? 2 : 1
    }

    var description: String {
        "tags \(self.tags), tokens \(self.tokens), unknown token \(self.refusal), rewriting \(self.rewriting), "
            + "PUT tells tag \(self.tellsTagOfPut), oddity \(self.oddity), \(self.lists) lists"
    }

    /// Simpler ones, for finding out what a failure needs.
    var simpler: [Self] {
        var all: [Self] = []
        func add(_ change: (inout Self) -> Void) {
            var copy = self
            change(&copy)
            all.append(copy)
        }
        if self.tags != .counter { add { $0.tags = .counter } }
        if self.tokens != .epochs { add { $0.tokens = .epochs } }
        if self.refusal != .forbidden { add { $0.refusal = .forbidden } }
        if self.rewriting != .none { add { $0.rewriting = .none } }
        if !self.tellsTagOfPut { add { $0.tellsTagOfPut = true } }
        if self.namesHost { add { $0.namesHost = false } }
        if self.oddity > 0 { add { $0.oddity = 0 } }
        if self.lists > 1 { add { $0.lists = 1 } }
        return all
    }
}

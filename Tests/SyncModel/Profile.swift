/// How a server of this model behaves, within what real ones do.
struct Profile: CustomStringConvertible {
    enum Tags: CaseIterable { case counter, content, weak }
    enum Tokens: CaseIterable { case epochs, numbers, opaque, none }
    enum Refusal: CaseIterable { case forbidden, conflict, precondition, bare, failure, empty }
    enum Trash: CaseIterable { case none, hidden, restorable }
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
    /// Whether it refuses some texts, and the same texts each time.
    var refusesSome = false
    /// How many collections there are at first.
    var lists = 1
    /// What it does to texts besides.
    var alteration: Alteration?

    /// Whether what was deleted goes to a trash that keeps its UID, and whether clients can see the trash.
    var trash = Trash.none
    /// Whether a delta names the highest operation of each member, so that what was removed and came back is called
    /// removed.
    var folds = false

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
        self.refusesSome = random.oneIn(6)
    }

    /// The same with one of the ways to alter texts, as the server or as a whole list suits it.
    func altering(_ alteration: Alteration) -> Self {
        var copy = self
        copy.alteration = alteration
        switch alteration {
        case .altersWithTag:
            copy.rewriting = .adding
            copy.tellsTagOfPut = true
        case .masks: copy.lists = 1
        // The publication has to succeed as a whole.
        case .damagesWholeLists:
            copy.refusesSome = false
            // Without X- properties there is nothing to shorten.
            if copy.rewriting == .stripping { copy.rewriting = .none }
        case .dropsPriority, .cutsTexts: break
        }
        return copy
    }

    /// What came into the model later is drawn from numbers of its own, so that older histories stay what they were.
    mutating func drawTrash(_ random: inout SeededGenerator) {
        if random.oneIn(3) { self.trash = random.oneIn(3) ? .hidden : .restorable }
        // A server that tells two lies at once, of a removal and in the answer to the question about it, is not meant.
        self.folds = random.oneIn(3) && self.oddity == 0
    }

    var description: String {
        "tags \(self.tags), tokens \(self.tokens), unknown token \(self.refusal), rewriting \(self.rewriting), "
            + "trash \(self.trash), folds \(self.folds), "
            + "PUT tells tag \(self.tellsTagOfPut), oddity \(self.oddity), \(self.lists) lists"
            + (self.refusesSome ? ", refuses some texts" : "")
            + (self.alteration.map { ", \($0)" } ?? "")
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
        if self.trash != .none { add { $0.trash = .none } }
        if self.folds { add { $0.folds = false } }
        if self.oddity > 0 { add { $0.oddity = 0 } }
        if self.refusesSome { add { $0.refusesSome = false } }
        if self.alteration != nil { add { $0.alteration = nil } }
        if self.lists > 1 { add { $0.lists = 1 } }
        return all
    }
}

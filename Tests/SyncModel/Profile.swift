/// The behaviour of a server of this model, within that of real ones.
struct Profile: CustomStringConvertible {
    enum Tags: CaseIterable { case counter, content, weak }
    enum Tokens: CaseIterable { case epochs, numbers, opaque, none }
    enum Refusal: CaseIterable { case forbidden, conflict, precondition, bare, failure, empty }
    enum Trash: CaseIterable { case none, hidden, restorable }
    enum Rewriting: CaseIterable { case none, sorting, folding, adding, stripping }

    /// The source of the entity tags.
    var tags = Tags.counter
    /// The form of the sync tokens.
    var tokens = Tokens.epochs
    /// The answer to an unknown token.
    var refusal = Refusal.forbidden
    /// The alteration of a written text.
    var rewriting = Rewriting.none
    /// Whether the answer to a PUT has the new entity tag.
    var tellsTagOfPut = true
    /// Whether a multistatus lists the missing properties.
    var tellsMissing = true
    var namesHost = false
    /// Whether CR is kept in texts inside XML.
    var keepsCarriageReturns = false
    /// Percentage of odd answers without any disturbance: a member twice, left out of a multiget, or without its entity
    /// tag.
    var oddity = 0
    /// Whether it refuses some texts, always the same ones.
    var refusesSome = false
    /// Number of collections at the start.
    var lists = 1
    /// Further alterations of texts.
    var alteration: Alteration?

    /// Whether deleted items go to a trash that keeps their UIDs, and whether clients can see the trash.
    var trash = Trash.none
    /// Whether a delta reports the highest operation of each member, so that a restored item is reported as removed.
    var folds = false

    /// Whether calendar-query is answered.
    ///
    /// A server that answers a token with a bare 400 answers a query with a bare 403.
    var answersQueries: Bool { self.refusal != .bare }

    init() {}

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

    /// The same with one of the ways to alter texts, with the settings that it needs.
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

    /// Later additions to the model use random numbers of their own, so that older histories stay the same.
    mutating func drawTrash(_ random: inout SeededGenerator) {
        if random.oneIn(3) { self.trash = random.oneIn(3) ? .hidden : .restorable }
        // A server with two false statements, about a removal and in the answer to the second request, is out of scope.
        self.folds = random.oneIn(3) && self.oddity == 0
    }

    var description: String {
        "tags \(self.tags), tokens \(self.tokens), unknown token \(self.refusal), rewriting \(self.rewriting), "
            + "trash \(self.trash), folds \(self.folds), "
            + "PUT tells tag \(self.tellsTagOfPut), oddity \(self.oddity), \(self.lists) lists"
            + (self.refusesSome ? ", refuses some texts" : "")
            + (self.alteration.map { ", \($0)" } ?? "")
    }

    /// Simpler ones, to find the properties that a failure needs.
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

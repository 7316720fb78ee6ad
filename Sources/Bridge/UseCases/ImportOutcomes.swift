import Store

/// What becomes of each object while a stream is imported: a byte for each, since a stream may have millions.
struct ImportOutcomes {
    enum Fate: UInt8, CaseIterable { case added = 1, updated, unchanged, skipped }

    /// The bytes of a run of numbers.
    ///
    /// Numbers of one stream lie close together, those of a store may not.
    private var pages: [Int64: [UInt8]] = [:]
    private var counts = [Int](repeating: 0, count: Fate.allCases.count + 1)

    private static let pageSize: Int64 = 4096
    /// Set in a byte when the series itself has been met, not only one of its occurrences.
    private static let isMet: UInt8 = 0x80

    /// How many objects have a fate.
    var total: Int { self.counts.reduce(0, +) }

    /// How many objects have that one.
    func count(_ fate: Fate) -> Int { self.counts[Int(fate.rawValue)] }

    subscript(id: ObjectID) -> Fate? {
        get { Fate(rawValue: self[id.rawValue] & ~Self.isMet) }
        set {
            if let old = self[id] { self.counts[Int(old.rawValue)] -= 1 }
            if let newValue { self.counts[Int(newValue.rawValue)] += 1 }
            self[id.rawValue] = self[id.rawValue] & Self.isMet | (newValue?.rawValue ?? 0)
        }
    }

    /// Notes that the stream has the object.
    ///
    /// - Returns: whether it does for the first time.
    mutating func meet(_ id: ObjectID) -> Bool {
        let byte = self[id.rawValue]
        self[id.rawValue] = byte | Self.isMet
        return byte & Self.isMet == 0
    }

    private subscript(number: Int64) -> UInt8 {
        get { self.pages[number / Self.pageSize]?[Int(number % Self.pageSize)] ?? 0 }
        set {
            let page = number / Self.pageSize
            if self.pages[page] == nil { self.pages[page] = [UInt8](repeating: 0, count: Int(Self.pageSize)) }
            self.pages[page]?[Int(number % Self.pageSize)] = newValue
        }
    }
}

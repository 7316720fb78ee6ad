/// The notes of an imported reminder, without the texts that the import added to them.
struct RecordedNotes {
    struct Piece: Hashable {
        let text: String
        /// The index of the text of the record that this piece is; `nil` for a text that the user added.
        let part: Int?
    }

    /// The pieces in the order of the notes.
    private let pieces: [Piece]

    /// - Parameters:
    ///   - notes: the present notes.
    ///   - parts: the texts of the record that an import adds behind the notes, such as comments.
    ///   - program: the name in front of values that could not be read.
    init(_ notes: String, parts: [String], program: String) {
        let lines = notes.split(separator: "\n", omittingEmptySubsequences: false)
        var places: [Substring: [Int]] = [:]
        for (place, line) in lines.enumerated() where place == 0 || lines[place - 1].isEmpty {
            places[line, default: []].append(place)
        }
        var pieces: [Piece] = []
        func add(_ lines: ArraySlice<Substring>) {
            let text = Self.text(lines, without: program)
            if !text.isEmpty { pieces.append(Piece(text: text, part: nil)) }
        }
        // The last place of a text is its own one, because an import adds the texts behind the notes.
        var end = lines.count
        for (index, part) in parts.enumerated().reversed() where part.contains(where: { !$0.isWhitespace }) {
            let own = part.withLineFeeds.split(separator: "\n", omittingEmptySubsequences: false)
            while let last = places[own[0]]?.last, last >= end { places[own[0]]?.removeLast() }
            let found = places[own[0]]?.suffix(Self.maximumPlaces).last { place in
                place + own.count <= end && lines[place..<place + own.count].elementsEqual(own)
            }
            guard let found else { continue }
            add(lines[(found + own.count)..<end])
            pieces.append(Piece(text: part, part: index))
            end = found
        }
        add(lines[..<end])
        self.pieces = pieces.reversed()
    }

    /// The number of lines that may begin a text of the record; hostile notes could repeat one line very often.
    private static let maximumPlaces = 16

    /// The lines as a text without empty lines at its ends; the first line of a paragraph with an unread value is removed.
    private static func text(_ lines: ArraySlice<Substring>, without program: String) -> String {
        var kept: [Substring] = []
        for place in lines.indices {
            let beginsParagraph = place == lines.startIndex || lines[place - 1].isEmpty
            if beginsParagraph, lines[place].hasPrefix("\(program), ") {
                // The empty line above would otherwise separate the paragraphs twice.
                if kept.last?.isEmpty ?? false { kept.removeLast() }
            } else {
                kept.append(lines[place])
            }
        }
        let isBlank = { (line: Substring) in line.allSatisfy(\.isWhitespace) }
        let end = kept.lastIndex { !isBlank($0) }.map { $0 + 1 } ?? 0
        return kept[..<end].drop(while: isBlank).joined(separator: "\n")
    }

    /// The text in front of the texts of the record; `nil` if there is none.
    var text: String? { self.pieces.first.flatMap { $0.part == nil ? $0.text : nil } }

    /// The texts of the record that the notes still have, and the texts that the user added behind them.
    var behind: [Piece] { Array(self.text == nil ? self.pieces[...] : self.pieces.dropFirst()) }

    /// The notes without the texts of the record; `nil` if nothing remains.
    var withoutParts: String? {
        let texts = self.pieces.filter { $0.part == nil }.map(\.text)
        return texts.isEmpty ? nil : texts.joined(separator: "\n\n")
    }
}

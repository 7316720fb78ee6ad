import RemindavReminders

/// Edits the text of the settings file; all other lines keep their bytes.
struct SettingsEditor {
    /// The lines with their line ends.
    private var lines: [[UInt8]] = []
    private let mark: [UInt8]

    init(_ bytes: [UInt8]) {
        self.mark = bytes.starts(with: Self.byteOrderMark) ? Self.byteOrderMark : []
        var line: [UInt8] = []
        for byte in bytes.dropFirst(self.mark.count) {
            line.append(byte)
            guard byte == Self.lineFeed else { continue }
            self.lines.append(line)
            line = []
        }
        if !line.isEmpty { self.lines.append(line) }
    }

    var bytes: [UInt8] { self.mark + self.lines.flatMap { $0 } }

    /// Writes a value into the line of the setting, or into a new last line, and removes further lines of the setting.
    /// - Returns: the number of the line, counted from 1.
    mutating func set(_ name: String, to value: String) -> Int {
        guard let index = self.lines.firstIndex(where: { Self.name(of: $0) == name }) else {
            if let last = self.lines.indices.last, self.lines[last].last != Self.lineFeed {
                self.lines[last] += self.lineEnd
            }
            self.lines.append(Array("\(name) = \(value)".utf8) + self.lineEnd)
            return self.lines.count
        }
        let line = self.lines[index]
        let valueStart = (line.firstIndex(of: UInt8(ascii: "=")) ?? line.startIndex) + 1
        let spaces = line[valueStart...].prefix { $0 == UInt8(ascii: " ") || $0 == UInt8(ascii: "\t") }
        let last = line.lastIndex { $0 != Self.lineFeed && $0 != Self.carriageReturn } ?? line.startIndex
        self.lines[index] =
            Array(line[..<valueStart]) + Array(spaces) + Array(value.utf8) + Array(line[(last + 1)...])
        self.remove(name, after: index)
        return index + 1
    }

    /// Removes all lines of a setting.
    /// - Returns: whether there was one.
    mutating func unset(_ name: String) -> Bool {
        let count = self.lines.count
        self.remove(name, after: -1)
        return self.lines.count < count
    }

    private mutating func remove(_ name: String, after index: Int) {
        let kept = self.lines.enumerated().filter { $0.offset <= index || Self.name(of: $0.element) != name }
        self.lines = kept.map(\.element)
    }

    /// The line end of the first line; a new file gets line feeds.
    private var lineEnd: [UInt8] {
        self.lines.first?.suffix(2) == [Self.carriageReturn, Self.lineFeed]
            ? [Self.carriageReturn, Self.lineFeed] : [Self.lineFeed]
    }

    private static func name(of line: [UInt8]) -> String? {
        String(validating: line, as: UTF8.self).flatMap { SettingsFile.name(of: $0.trimmingWhiteSpace) }
    }

    private static let byteOrderMark: [UInt8] = [0xEF, 0xBB, 0xBF]
    private static let lineFeed: UInt8 = 0x0A
    private static let carriageReturn: UInt8 = 0x0D
}

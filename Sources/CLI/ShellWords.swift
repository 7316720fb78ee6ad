extension String {
    /// The text as the last word of a printed command; `--` precedes it if it would be read as an option.
    var commandWord: String { self.hasPrefix("-") ? "-- \(self.shellWord)" : self.shellWord }

    /// The text as one word for the shell: in double quotes, unless all of its characters are letters, digits, `-`, `_`,
    /// `.` or `/`.
    var shellWord: String {
        let shown = Sanitizer.line(self)
        let isPlain = shown.utf8.allSatisfy { byte in
            switch byte {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"), 0x80...: true
            case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "_"), UInt8(ascii: "."),
                UInt8(ascii: "/"):
                true
            default: false
            }
        }
        if isPlain, !shown.isEmpty { return shown }
        return "\"" + shown.map { #"\"$`"#.contains($0) ? "\\\($0)" : String($0) }.joined() + "\""
    }
}

extension StringProtocol where SubSequence == Substring {
    /// The text without surrounding white space.
    package var trimmed: Substring {
        var text = self[...]
        while let first = text.first, first.isWhitespace { text.removeFirst() }
        while let last = text.last, last.isWhitespace { text.removeLast() }
        return text
    }
}

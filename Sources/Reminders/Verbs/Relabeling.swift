import RemindavICalendar

extension Reminder {
    /// Whether the main VTODO or an override has the label.
    public func has(_ label: LabelKey) -> Bool {
        self.object.todos.contains { todo in
            todo.all(.categories).contains { $0.textList.contains { LabelKey($0) == label } }
        }
    }

    /// The reminder with one label renamed in all its to-dos, or removed if `name` is `nil`.
    ///
    /// Only this label's value in CATEGORIES changes. If a to-do has the new label already, the old label is removed.
    public func replacing(_ label: LabelKey, with name: String?, in context: EditingContext) -> Reminder {
        self.edit(in: context) { editor in
            for todo in self.object.todos {
                editor.edit(todo) { todo.replace(label, with: name, in: &$0) }
            }
        }
    }
}

extension Component {
    fileprivate func replace(_ label: LabelKey, with name: String?, in editor: inout ComponentEditor) {
        let properties = self.all(.categories)
        let new = name.map { LabelKey($0) }
        // If the to-do has the new label in another spelling, the label is not written a second time.
        var isThere = new == nil || new != label && properties.contains { $0.textList.contains { LabelKey($0) == new } }
        for property in properties {
            let old = TextValue.split(Array(property.value.utf8)[...], at: UInt8(ascii: ","))
            let kept = old.compactMap { piece -> ArraySlice<UInt8>? in
                guard LabelKey(TextValue.decode(piece)) == label else { return piece }
                guard let name, !isThere else { return nil }
                isThere = true
                return piece.prefix { $0 == 0x20 || $0 == 0x09 } + TextValue.escape(name).utf8
            }
            guard kept != old else { continue }
            if kept.allSatisfy(\.isEmpty) {
                editor.remove(property)
            } else {
                let value = Array(kept.joined(separator: CollectionOfOne(UInt8(ascii: ","))))
                editor.replace(property, with: property.line(withValue: value, lineEnd: self.lineEnd))
            }
        }
    }
}

extension Property {
    fileprivate func line(withValue value: [UInt8], lineEnd: [UInt8]) -> [UInt8] {
        let old = Array(self.value.utf8)
        guard self.content.suffix(old.count).elementsEqual(old) else {
            // The original bytes are not UTF-8, so the line is written anew in UTF-8.
            let text = String(decoding: value, as: UTF8.self)
            return ContentLine(self.name, self.parameters, value: text).bytes(lineEnd: lineEnd)
        }
        return ContentLine.fold(self.content.dropLast(old.count) + value, lineEnd: lineEnd)
    }
}

import RemindavBridge

/// The questions of `account add`; if ``isAsking`` is false, options or default answers replace them.
struct AccountQuestions {
    let context: Context
    let found: FoundAccount
    let isAsking: Bool

    func isWanted(_ useCases: UseCases) async throws -> Bool {
        guard self.isAsking else { return true }
        let counted = await useCases.counted(self.found)
        var rows = [["Account", counted.name], ["User", counted.user]]
        if let principal = counted.principal { rows.append(["Principal", principal]) }
        rows += counted.homes.enumerated().map { [$0.offset == 0 ? "Lists at" : "", $0.element] }
        let isNumbered = counted.lists.count > 1
        rows += counted.lists.enumerated().map { index, list in
            let count = list.count.map { ", \($0.counted("item"))" } ?? ""
            let number = isNumbered ? "\(index + 1)  " : ""
            return [index == 0 ? "Lists" : "", "\(number)\(list.name)\(count)\(list.isReadOnly ? ", read only" : "")"]
        }
        if counted.lists.isEmpty { rows.append(["Lists", "none for reminders"]) }
        self.context.output.remark(Table.text(rows))
        return try self.context.confirm("Add this account?", enter: true)
    }

    /// The positions of the lists that `--lists` or the user chooses; `nil` if the user cancels.
    func lists(named names: [String]) throws -> Set<Int>? {
        let all = self.found.lists.map(\.name)
        if !names.isEmpty {
            let places = try names.map { name in
                guard let place = ListChoice.place(named: name, in: all) else { throw self.unknown(name) }
                return place
            }
            return Set(places)
        }
        guard self.isAsking, all.count > 1 else { return Set(all.indices) }
        let question = "Which lists? Numbers or names separated by commas; Enter adds all [all] "
        return try ListChoice.ask(question, in: self.context) { ListChoice.places($0, in: all) }
    }

    /// The default list that `--default` or the user chooses; `nil` if the user cancels.
    func defaultList(named name: String?, among chosen: Set<Int>, _ useCases: UseCases) throws -> DefaultListChoice? {
        let present = try useCases.lists()
        if let name { return try self.named(name, chosen, present) }
        guard self.context.settings.list == nil, self.isAsking else { return .automatic }
        let current = present.first(where: \.isDefault)
        let found = chosen.sorted().filter { !self.found.lists[$0].isReadOnly }
        var choices = found.map { place in
            let name = self.found.lists[place].name
            return (name: name, shown: name, choice: DefaultListChoice.found(place))
        }
        if let current {
            // New reminders on a server reach the other devices, so a list of this computer only is proposed last.
            let isLocal = current.account == nil
            let shown = isLocal ? "\(current.name) (this computer only)" : current.name
            choices.insert((current.name, shown, .existing(current.name)), at: isLocal ? choices.count : 0)
        }
        guard choices.count > 1 else { return choices.first?.choice ?? .automatic }
        let names = choices.map(\.name)
        self.context.output.remark("Which list is the default for new reminders?")
        self.context.output.remark(ListChoice.table(choices.map(\.shown)))
        return try ListChoice.ask("Number or name [1] ", in: self.context) { answer in
            answer.isEmpty ? choices[0].choice : ListChoice.place(of: answer, in: names).map { choices[$0].choice }
        }
    }

    private func named(_ name: String, _ chosen: Set<Int>, _ present: [ListView]) throws -> DefaultListChoice {
        let places = chosen.sorted()
        if let index = ListChoice.place(named: name, in: places.map { self.found.lists[$0].name }) {
            let list = self.found.lists[places[index]]
            guard !list.isReadOnly else { throw UseCaseError(.listIsReadOnly, subject: list.name) }
            return .found(places[index])
        }
        guard let index = ListChoice.place(named: name, in: present.map(\.name)) else { throw self.unknown(name) }
        guard !present[index].isReadOnly else { throw UseCaseError(.listIsReadOnly, subject: name) }
        return .existing(present[index].name)
    }

    private func unknown(_ name: String) -> UsageError {
        let names = self.found.lists.map { "'\(Sanitizer.excerpt($0.name))'" }.joined(separator: ", ")
        let sentence = "The account has no list '\(Sanitizer.excerpt(name))'. It has \(names.isEmpty ? "none" : names)."
        return UsageError(.badValue, sentence, command: AddAccount.page.name)
    }
}

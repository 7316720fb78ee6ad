import Bridge

/// Says what a sync did, list by list.
struct SyncPrinter {
    let output: Output
    let isDryRun: Bool

    /// - Returns: the exit status of the whole sync.
    func print(_ summary: SyncSummary, isJSON: Bool) throws -> ExitStatus {
        if isJSON {
            let lists = summary.lists.map { list in
                JSON(list, error: list.error.map { ErrorMessages.explain($0).sentence })
            }
            try self.output.print(.array(lists))
        } else {
            if self.isDryRun { self.output.remark("Nothing is changed: this is what a sync would do.") }
            for list in summary.lists where list.isFinished {
                try self.output.note("\(Sanitizer.line(list.list)): \(self.sentence(list))")
            }
        }
        self.complain(summary)
        if summary.lists.isEmpty, summary.failedAccounts.isEmpty {
            self.output.remark(
                "There is no list to sync: 'remindav lists add NAME --account ACCOUNT' puts one on the server."
            )
        }
        return self.status(summary)
    }

    private func sentence(_ list: ListSyncReport) -> String {
        let counts = [
            (list.pulled, "received"), (list.pushed, "sent"), (list.merged, "merged"),
            (list.deletedLocally, "deleted here"), (list.deletedRemotely, "deleted on the server"),
            (list.conflicts, list.conflicts == 1 ? "conflict" : "conflicts"), (list.held, "held back"),
        ]
        let words = counts.filter { $0.0 > 0 }.map { "\($0.0) \($0.1)" }
        return words.isEmpty ? "nothing to do" : words.joined(separator: ", ")
    }

    private func complain(_ summary: SyncSummary) {
        for (account, error) in summary.failedAccounts {
            self.output.complain("\(Sanitizer.line(account)): \(ErrorMessages.explain(error).sentence)")
        }
        for list in summary.lists {
            let name = Sanitizer.line(list.list)
            if let error = list.error {
                let count = list.failures > 0 ? "\(list.failures) left out. " : ""
                self.output.complain("\(name): \(count)\(ErrorMessages.explain(error).sentence)")
            }
            if list.held > 0 {
                self.output.complain(
                    """
                    \(name): \(list.held) deletions were held back, since they are a large part of the list. \
                    If they are meant, run 'remindav sync --allow-mass-delete'.
                    """
                )
            }
        }
        if summary.lists.contains(where: { $0.conflicts > 0 }), !self.isDryRun {
            self.output.remark("'remindav conflicts' shows the values that lost.")
        }
    }

    /// Success when everything is done, the first error's status when nothing is.
    ///
    /// In between: partial when some lists failed, refused when only deletions were held back.
    private func status(_ summary: SyncSummary) -> ExitStatus {
        let errors = summary.failedAccounts.map(\.error) + summary.lists.compactMap(\.error)
        if let first = errors.first {
            let isAnyDone = summary.lists.contains { $0.isFinished }
            return isAnyDone ? .partial : ErrorMessages.explain(first).status
        }
        return summary.lists.contains { $0.held > 0 } ? .refused : .success
    }
}

extension ListSyncReport {
    /// Whether all of the list was gone through, though single reminders may have been left out.
    fileprivate var isFinished: Bool { self.error == nil || self.failures > 0 }
}

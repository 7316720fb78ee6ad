import RemindavStore

/// The reminders of a listing.
package struct ReminderListing: Sendable {
    /// The shown reminders.
    package var reminders: [ReminderView]
    /// The number of reminders that match the filter, but are hidden because they start later.
    package let hiddenCount: Int
}

extension UseCases {
    /// The reminders that match a filter, in the order of a listing.
    ///
    /// - Parameter detail: `.line` reads only the fields of a listing, which is much faster.
    package func reminders(matching filter: ReminderFilter, detail: ReminderDetail = .everything) throws
        -> [ReminderView]
    {
        try self.read(filter, detail, hidesLaterStarts: false).reminders
    }

    /// The reminders that a listing with this filter shows, in its order.
    ///
    /// A listing hides the reminders that start later (``ReminderView/startsLater``), unless the filter has a condition
    /// on the start, searches for words, or includes completed reminders. Commands for the reminders of a filter use
    /// the same selection, so that they change no reminder that the listing hides.
    ///
    /// - Parameter detail: as in ``reminders(matching:detail:)``.
    package func listing(_ filter: ReminderFilter, detail: ReminderDetail = .everything) throws -> ReminderListing {
        try self.read(filter, detail, hidesLaterStarts: filter.hidesLaterStarts)
    }

    private func read(
        _ filter: ReminderFilter,
        _ detail: ReminderDetail,
        hidesLaterStarts: Bool
    ) throws -> ReminderListing {
        try self.store.read { snapshot -> ReminderListing in
            var hiddenCount = 0
            var views: [ReminderView] = []
            var keys: [ReminderSortKey] = []
            // Growing the arrays takes longer than all other steps, and counting the rows does too, so a fixed capacity
            // is reserved.
            views.reserveCapacity(Self.usualRoom)
            keys.reserveCapacity(Self.usualRoom)
            try FilteredReading(filter, self.reader, snapshot).forEachView(detail) { view in
                if hidesLaterStarts, view.startsLater {
                    hiddenCount += 1
                    return
                }
                // The key is built here, because later the reminder would be copied out of the array.
                keys.append(ReminderSortKey(view, index: views.count))
                views.append(view)
            }
            views.sort(by: &keys)
            return ReminderListing(reminders: views, hiddenCount: hiddenCount)
        }
    }

    /// The reserved capacity, more than most stores need; unused memory costs nothing.
    private static let usualRoom = 1 << 14
}

import ICalendar
import Recurrence

// Overrides with RANGE=THISANDFUTURE, when the occurrence that they begin with is finished.
extension OccurrenceCompletion {
    /// Where an override for this and all that follow begins from now on.
    struct FutureMove {
        let component: Component
        /// The occurrence that it begins with, `nil` where it has nothing more to describe.
        let beginning: Occurrence?
    }

    /// The overrides that have to begin later: those of the finished occurrence, and those before the new start.
    func futures(from start: CalendarDateOrDateTime?) throws(RecurrenceError) -> [FutureMove] {
        let all = self.series.series.futures
        var moves: [FutureMove] = []
        for (index, future) in all.enumerated() where !future.component.status.isClosed {
            let isPast = start.map { self.isBefore(future.id, $0) } ?? false
            guard isPast || self.isCompleted(future.id) else { continue }
            let hasSuccessor = all.dropFirst(index + 1).contains { later in
                start.map { !self.isBefore($0, later.id) } ?? false
            }
            var beginning: Occurrence?
            var open = try self.series.open(describedBy: future.component)
            while !hasSuccessor, beginning == nil, let occurrence = try open.next() {
                guard let id = occurrence.recurrenceID, !self.isCompleted(id), self.name(id) != self.name(future.id)
                else { continue }
                beginning = occurrence
            }
            moves.append(FutureMove(component: future.component, beginning: beginning))
        }
        return moves
    }

    func apply(_ move: FutureMove, to object: inout ObjectEditor) {
        guard let beginning = move.beginning, let id = beginning.recurrenceID else {
            return object.remove(move.component)
        }
        let focus = self.series.focus(on: beginning)
        object.edit(move.component) { editor in
            var line = ContentLine(.recurrenceID, moment: id)
            line.parameters.insert(Parameter(.range, "THISANDFUTURE"), at: 0)
            editor.set(line)
            editor.write(dates: focus)
            editor.moveAlarms(bySeconds: focus.shift)
        }
    }
}

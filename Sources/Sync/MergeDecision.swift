import ICalendar
import Reminders
import Store

/// Facts about uploads that explain the state of a remote object.
struct UploadEvidence: Sendable {
    /// UIDs of items in a whole-list request with an unknown result.
    var uploadedInBulk: Set<ByteExactString> = []
    /// By UID: the last change that each of those items stated when it was sent.
    var bulkStamps: [ByteExactString: Instant] = [:]
    /// Items that the last sync sent and that the server's changes do not mention, by key of their address.
    var unconfirmed: [String: SyncItem] = [:]
    /// Whether the list was never compared as a whole.
    var isFirstComparison = false

    static func stamps(of texts: [[UInt8]]) -> [ByteExactString: Instant] {
        texts.reduce(into: [:]) { stamps, text in
            if let object = CalendarObject(text), let uid = object.uid { stamps[uid.exact] = object.main.lastChange }
        }
    }
}

/// The result for an item that was changed on both sides.
enum MergeDecision {
    /// The server has the local text already: an interrupted sync sent it.
    ///
    /// The text, if any, is the server's with the local values that the server altered; it is not sent.
    case confirmSent(CalendarObject?)
    /// The local text stays and is sent alone: the server's version has no author of its own.
    case keepLocal
    /// The merged text equals the server's except for time stamps.
    case takeRemote([PropertyConflict])
    case writeMerged(CalendarObject, [PropertyConflict])
    /// The merged text is not readable: the next sync decides again.
    case postpone

    /// `nil` when both texts have to be merged; `base` is the agreed text.
    static func withoutMerge(
        _ local: CalendarObject,
        base: [UInt8]?,
        of item: SyncItem,
        over remote: RemoteObject,
        _ evidence: UploadEvidence
    ) -> Self? {
        let own = OwnValues.put(from: local, into: remote.object)
        if local.meaning == remote.object.meaning { return .confirmSent(own) }
        if self.isStoredShortened(local, own, base, as: remote, evidence) { return .confirmSent(own) }
        return self.isOwnVersion(local, base, of: item, remote, evidence) ? .keepLocal : nil
    }

    static func merging(
        _ local: CalendarObject,
        base: CalendarObject?,
        remote: CalendarObject,
        policy: ConflictPolicy
    ) -> Self {
        let result = ThreeWayMerge.merge(base: base, local: local, remote: remote, policy: policy)
        guard let merged = CalendarObject(result.document) else { return .postpone }
        return merged.unstampedMeaning == remote.unstampedMeaning
            ? .takeRemote(result.conflicts) : .writeMerged(merged, result.conflicts)
    }

    /// Whether the server has the local text with shortened values: a sync sent it and ended before it recorded that.
    ///
    /// While the server has the agreed text, the local edit has not been sent. Items that a whole-list request shortened
    /// are sent again, one by one.
    private static func isStoredShortened(
        _ local: CalendarObject,
        _ own: CalendarObject?,
        _ base: [UInt8]?,
        as remote: RemoteObject,
        _ evidence: UploadEvidence
    ) -> Bool {
        guard !evidence.uploadedInBulk.contains(remote.uid.exact), let own, own.meaning == local.meaning else {
            return false
        }
        guard let base else { return true }
        return CalendarObject(base)?.meaning != remote.object.meaning
    }

    /// Whether no other program wrote the server's version: it is the agreed text, or an item of a whole-list request.
    ///
    /// Radicale rewrites each item of a whole-list request and shortens some values. An item with the time stamp that was
    /// sent has no other author.
    private static func isOwnVersion(
        _ local: CalendarObject,
        _ base: [UInt8]?,
        of item: SyncItem,
        _ remote: RemoteObject,
        _ evidence: UploadEvidence
    ) -> Bool {
        if base == remote.object.document.bytes { return true }
        let uid = remote.uid.exact
        guard evidence.uploadedInBulk.contains(uid), !item.wasThere else { return false }
        let sent = evidence.bulkStamps[uid] ?? local.main.lastChange
        return sent == nil || sent == remote.object.main.lastChange
    }
}

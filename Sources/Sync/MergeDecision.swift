import RemindavICalendar
import RemindavReminders
import RemindavStore

/// The facts about earlier uploads that help to explain the server's version of an object.
struct UploadEvidence: Sendable {
    /// UIDs of objects that were sent in one request for the whole list, with an unknown result.
    var uploadedInBulk: Set<ByteExactString> = []
    /// LAST-MODIFIED (or DTSTAMP) of each object that was sent in one request for the whole list, by UID.
    var bulkStamps: [ByteExactString: Instant] = [:]
    /// Objects that the last sync sent but the server's changes do not mention, by the key of their address.
    var unconfirmed: [String: SyncItem] = [:]
    /// Whether no sync has compared the whole list yet.
    var isFirstComparison = false

    static func stamps(of texts: [[UInt8]]) -> [ByteExactString: Instant] {
        texts.reduce(into: [:]) { stamps, text in
            if let object = CalendarObject(text), let uid = object.uid { stamps[uid.exact] = object.main.lastChange }
        }
    }
}

/// The decision for a reminder that was changed on both sides.
enum MergeDecision {
    /// The server already has the local text, because an interrupted sync sent it.
    ///
    /// If the server shortened values, the associated object is the server's version with the local values restored.
    /// The store gets this object, but it is not sent.
    case confirmSent(CalendarObject?)
    /// The local text is sent unchanged, because no other program wrote the server's version.
    case keepLocal
    /// The merged text equals the server's version except for time stamps, so nothing is sent.
    case acceptRemote([PropertyConflict])
    case writeMerged(CalendarObject, [PropertyConflict])
    /// The merged text cannot be parsed, so the next sync decides again.
    case postpone

    /// Decides without a merge if possible; `nil` means that both texts have to be merged.
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
            ? .acceptRemote(result.conflicts) : .writeMerged(merged, result.conflicts)
    }

    /// Whether the server's version is the local text with shortened values, because an interrupted sync sent the text.
    ///
    /// If the server still has the base, the local edit was not sent. The result is `false` for an object that was sent
    /// in a request for the whole list: if the server shortened the object, it is sent again alone.
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

    /// Whether the server's version is the base, or comes from this program's request for the whole list.
    ///
    /// Then no other program wrote it. Radicale rewrites each object of such a request and shortens some values. If the
    /// object still has the time stamp that was sent, no other program changed it.
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

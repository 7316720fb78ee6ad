"""Breaks the sync on purpose, one fault at a time, in a copy of the sources: the model has to detect each fault.

  python3 Tests/SyncModel/breaks.py            all faults
  python3 Tests/SyncModel/breaks.py 3 7        only these faults
  python3 Tests/SyncModel/breaks.py --list     lists the faults
  python3 Tests/SyncModel/breaks.py --check    only checks that the sources still contain the text of each fault

A fault replaces texts of one file by others. A text that the file does not contain is an error: update it here. Each fault
needs a release build of the changed files. Run the script by hand after changes of the merge, the plan, the executor or the
sync steps of the store.
"""

import pathlib
import shutil
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]
# The copy is kept, so that the next run builds only the changed files.
COPY = ROOT / ".build" / "breaks"
HISTORIES = 20_000

# Description, file, text, and its replacement.
BREAKS = [
    (
        "lists are merged as if they were single values",
        "Sources/Sync/PropertyGroup.swift",
        "if PropertyDefinition.isKnown(names[0]) { return .set }",
        "if PropertyDefinition.isKnown(names[0]) { return .single }",
    ),
    (
        "the sent text is not stored as the base",
        "Sources/Store/Records/SyncSteps.swift",
        "try self.setBase(base, of: object.id)\n        return try self.isUnchanged(object, in: list)",
        "try self.setBase(nil, of: object.id)\n        return try self.isUnchanged(object, in: list)",
    ),
    (
        "a change is sent without a condition",
        "Sources/CalDAV/Writing.swift",
        "case .update(let etag): headers[.ifMatch] = try await self.condition(etag, of: href, in: list)?.wire",
        "case .update(let etag): _ = try await self.condition(etag, of: href, in: list)?.wire",
    ),
    (
        "the token is saved although some objects could not be read",
        "Sources/Sync/FinishingPhase.swift",
        "guard self.isCompleted, learned.isComplete, self.recorder.changedDuringSync.isEmpty,",
        "guard",
    ),
    (
        "a local deletion is forgotten before it is sent",
        "Sources/Sync/FinishingPhase.swift",
        "self.recorder.report.failures.append(failure)\n",
        "self.recorder.report.failures.append(failure)\n"
        "                try context.record { transaction throws(DatabaseError) in\n"
        "                    try transaction.forget(tombstone, in: list)\n"
        "                }\n",
    ),
    (
        "a deletion there overrides an edit here",
        "Sources/Sync/ItemState.swift",
        "case .tracked(local: .modified, remote: .deleted): .push",
        "case .tracked(local: .modified, remote: .deleted): .deleteLocal",
    ),
    (
        "a deletion here overrides an edit there",
        "Sources/Sync/SyncPlan.swift",
        "self.add(object, .tracked(local: .deleted, remote: .modified), nil)\n                self.forgotten.append(tombstone)",
        "self.deletionTags[object.uid.exact] = object.etag\n                _ = tombstone",
    ),
    (
        "the losing value is not stored",
        "Sources/Sync/SyncRecorder+Incoming.swift",
        "try self.record(conflicts, of: item.id, uid: item.uid, in: list, transaction)",
        "_ = conflicts",
    ),
    (
        "alarms are not distinguished by their UIDs",
        "Sources/Sync/ComponentPath.swift",
        'if let uid = component.first(.uid)?.value { return "\\(name)\\nUID\\n\\(uid)" }',
        'if component.name == .valarm { return name }',
    ),
    (
        "a merge drops an unknown property",
        "Sources/Sync/ThreeWayMerge.swift",
        "let ours = group.meanings(local)\n        let theirs = group.meanings(remote)\n        guard ours != theirs",
        "let ours = group.meanings(local)\n        let theirs = group.meanings(remote)\n"
        "        if group.title.hasPrefix(\"X-FOREIGN\") { editor.remove(group.names[0]) }\n        guard ours != theirs",
    ),
    (
        "the base is ignored: every difference counts as a change",
        "Sources/Sync/ThreeWayMerge.swift",
        "if theirs == old || isRewritten { return self.useLocal(group, local, remote, &editor) }",
        "if isRewritten || !isRewritten { return self.useLocal(group, local, remote, &editor) }",
    ),
    (
        "a label that was removed here comes back",
        "Sources/Sync/ThreeWayMerge.swift",
        "let removed = Set(old.keys).subtracting(ours.keys)",
        "let removed = Set(old.keys).subtracting(ours.keys).subtracting(old.keys)",
    ),
    (
        "a change during a request counts as sent",
        "Sources/Store/Records/SyncSteps.swift",
        "dirty = CASE revision WHEN ?5 THEN 0 ELSE 1 END",
        "dirty = CASE WHEN revision < ?5 THEN 1 ELSE 0 END",
    ),
    (
        "a change during a merge is overwritten",
        "Sources/Store/Records/SyncSteps.swift",
        "let sql = \"SELECT 1 FROM calendar_object WHERE id = ?1 AND list = ?2 AND revision = ?3\"",
        "let sql = \"SELECT 1 FROM calendar_object WHERE id = ?1 AND list = ?2 AND revision >= ?3\"",
    ),
    (
        "a truncated text is skipped, and its version counts as read",
        "Sources/Sync/TextFetching.swift",
        "cut: cut.filter { !settled.contains(self.key(of: $0.href)) }",
        "cut: cut.filter { settled.isEmpty && $0.text.isEmpty }",
    ),
    (
        "a list that becomes writable is overwritten with its masked texts",
        "Sources/Store/Records/ListRecord.swift",
        "if becomesWritable { try self.forgetVersions(in: id) }",
        "",
    ),
    (
        "a property that the server drops is dropped here without a report",
        "Sources/Sync/SyncRecorder+Incoming.swift",
        "let dropped = DroppedProperties.conflicts(sent: own, stored: remote.object)",
        "let dropped = DroppedProperties.conflicts(sent: own, stored: own)",
    ),
    (
        "an entity tag is accepted although the server has altered the text",
        "Sources/CalDAV/Writing.swift",
        "let isSame = isEquivalent(item.text)",
        "let isSame = isEquivalent(item.text) || !item.text.isEmpty",
    ),
    (
        "an item that a whole-list request has damaged is merged with the sent text",
        "Sources/Sync/MergeDecision.swift",
        "return self.isOwnVersion(local, base, of: item, remote, evidence) ? .keepLocal : nil",
        "return nil",
    ),
    (
        "a whole-list request is not recorded before it is sent",
        "Sources/Sync/SendingPhase.swift",
        "try context.record { transaction throws(DatabaseError) in try transaction.markFillingBegun(context.list) }",
        "",
    ),
    (
        "any number of deletions is executed",
        "Sources/Sync/SyncPlan.swift",
        "count > self.items && count * 100 > total * self.percent",
        "false",
    ),
    (
        "a failed request is repeated without a pause",
        "Sources/CalDAV/RequestPacing.swift",
        "        self.notBefore = end\n",
        "",
    ),
    (
        "a 503 ends a sync at once",
        "Sources/CalDAV/RequestGate.swift",
        "case 500, 503: !Quirks.lasts(ErrorBody(response))",
        "case 500, 503: false",
    ),
    (
        "the back-off that a server requests is ignored",
        "Sources/Bridge/UseCases/SyncUseCases.swift",
        "!isNow, ServerRest.lasts(until: notBefore, at: self.seconds)",
        "!isNow, false, ServerRest.lasts(until: notBefore, at: self.seconds)",
    ),
    (
        "the user cannot end the back-off that a server requests",
        "Sources/Bridge/UseCases/SyncUseCases.swift",
        "!isNow, ServerRest.lasts(until: notBefore, at: self.seconds)",
        "ServerRest.lasts(until: notBefore, at: self.seconds)",
    ),
    (
        "a refused text is sent again with each sync",
        "Sources/Sync/SendingPhase.swift",
        "let items = try self.recorder.leavingOutRefused(unsent)",
        "let items = unsent",
    ),
    (
        "a failed PUT gives an item another UID (D1)",
        "Sources/Sync/SendingPhase+RefusedUIDs.swift",
        (
            "!contested.upload.item.wasThere && (error.isUIDTaken || error.mayConcernUID && contested.attempt > 1)",
            "trash.refused.contains(uid) || error.isUIDTaken && attempt > 1 && !isTrashUnknown,",
        ),
        ("!contested.upload.item.wasThere && error.mayConcernUID", "trash.refused.contains(uid) || error.mayConcernUID,"),
    ),
    (
        "an item counts as removed because a delta reports it so (D2)",
        "Sources/Sync/LearningPhase.swift",
        "guard !delta.removed.isEmpty else { return delta }",
        "guard delta.removed.count < 0 else { return delta }",
    ),
    (
        "a new item with a failed PUT counts as moved to another list (D3)",
        "Sources/Sync/SendingPhase.swift",
        "if item.wasThere || wasSynchronized {",
        "if item.wasThere || wasSynchronized || true {",
    ),
    (
        "an item in the server's trash is not restored (D4)",
        "Sources/CalDAV/Discovery.swift",
        "if isHome, member.properties[ResourceType.self]?.isTrash == true {",
        "if !isHome, member.properties[ResourceType.self]?.isTrash == true {",
    ),
]


def run(command, folder, **options):
    return subprocess.run(command, cwd=folder, text=True, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, **options)


def place_of(number):
    """The file and its text, with the fault in it; None when the fault has no place there, or several."""
    _, path, old, new = BREAKS[number]
    text = (ROOT / path).read_text()
    for before, after in zip(*([one] if isinstance(one, str) else one for one in (old, new))):
        if text.count(before) != 1:
            return None
        text = text.replace(before, after)
    return path, text


def build(folder):
    return run(["swift", "build", "-c", "release", "--product", "SyncModel"], folder)


def main(arguments):
    if "--list" in arguments:
        for number, fault in enumerate(BREAKS):
            print(number, fault[0])
        return 0
    lost = [fault[0] for number, fault in enumerate(BREAKS) if place_of(number) is None]
    for name in lost:
        print(f"no longer found in the sources: {name}")
    if lost or "--check" in arguments:
        return 1 if lost else 0
    numbers = [int(word) for word in arguments] or range(len(BREAKS))
    missed = 0
    COPY.mkdir(parents=True, exist_ok=True)
    for path in ["Sources", "Tests", "docs/examples", "Package.swift"]:
        if (ROOT / path).is_dir():
            # Files that were deleted here are deleted in the copy.
            shutil.rmtree(COPY / path, ignore_errors=True)
            shutil.copytree(ROOT / path, COPY / path, symlinks=True)
        else:
            shutil.copy2(ROOT / path, COPY / path)
    answer = build(COPY)
    if answer.returncode != 0:
        print(answer.stdout[-2000:])
        return 1
    for number in numbers:
        path, text = place_of(number)
        (COPY / path).write_text(text)
        answer = build(COPY)
        if answer.returncode != 0:
            print(f"{number} {BREAKS[number][0]}: does not build\n{answer.stdout[-2000:]}", flush=True)
            missed += 1
        else:
            model = COPY / ".build/release/SyncModel"
            answer = run([model, "--faults"], COPY)
            if answer.returncode == 0:
                answer = run([model, "--count", str(HISTORIES), "--until-broken"], COPY)
            words = answer.stdout.strip().splitlines()[0] if answer.returncode != 0 else "NOT CAUGHT"
            missed += answer.returncode == 0
            print(f"{number} {BREAKS[number][0]}: {words[:150]}", flush=True)
        shutil.copy2(ROOT / path, COPY / path)
    print(f"{len(numbers)} faults, {missed} not caught")
    return 1 if missed else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))

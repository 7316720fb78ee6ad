"""Breaks the sync on purpose, one fault at a time, in a copy of the sources: the model, or a test, has to detect it.

  python3 Tests/SyncModel/breaks.py            all faults
  python3 Tests/SyncModel/breaks.py 3 7        only these faults
  python3 Tests/SyncModel/breaks.py --list     lists the faults
  python3 Tests/SyncModel/breaks.py --check    only checks that the sources still contain the text of each fault

A fault replaces texts of one file by others. A text that the file does not contain is an error: update it here. Each fault
needs a release build of the changed files; a fault with a test on PostgreSQL needs a debug build of all tests. Run the
script by hand after changes of the merge, the plan, the executor, the sync steps of the store, or the leases of a host.
"""

import pathlib
import shutil
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]
# The copy is kept, so that the next run builds only the changed files.
COPY = ROOT / ".build" / "breaks"
HISTORIES = 20_000

MODEL = ".build/release/SyncModel"
ON_SERVER = ["python3", "Tests/postgres.py"]
# The commands that must detect a fault: one of them fails.
SYNC = [[MODEL, "--faults"], [MODEL, "--count", str(HISTORIES), "--until-broken"]]
WORKERS = [[MODEL, "--workers", "--count", str(HISTORIES), "--until-broken"]]
WORKERS_ON_SERVER = [[*ON_SERVER, MODEL, "--workers", "--count", "300", "--until-broken"]]


def tests(*names):
    """The commands for tests on PostgreSQL."""
    runner = [".build/debug/remindavPackageTests.xctest", "--testing-library", "swift-testing", "--no-parallel"]
    return [[*ON_SERVER, *runner, "--filter", name] for name in names]


# Description, file, text, its replacement, and the commands; SYNC without commands.
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
    (
        "a write of a run does not check its fence",
        "Sources/PostgresStore/TenantDatabase.swift",
        "guard found == fences.count, fences",
        "guard found <= fences.count, fences",
        WORKERS_ON_SERVER,
    ),
    (
        "a takeover does not wait for a write that has checked its fence",
        "Sources/PostgresStore/TenantLease.swift",
        "ORDER BY tenant, kind, item FOR SHARE OF work",
        "ORDER BY tenant, kind, item",
        tests("WorkDirectoryTests/takeoverDuringWrite"),
    ),
    (
        "a request that changes the server begins at any time",
        "Sources/Hosting/LeaseTerms.swift",
        "<= .seconds(self.seconds - self.writeSeconds)",
        "<= .seconds(self.seconds * self.writeSeconds)",
        WORKERS,
    ),
    (
        "the search for due servers begins without the minute",
        "Sources/PostgresStore/WorkDirectory.swift",
        "rows.map { $0[4] }.min().map { $0 - LeaseTerms.markSeconds })",
        "rows.map { $0[4] }.min())",
        tests("WorkDirectoryTests/lateCommit"),
    ),
    (
        "the history of the database is not compared",
        "Sources/PostgresStore/TenantDatabase.swift",
        "fences.allSatisfy({ $0.generation == generation }) else",
        "fences.allSatisfy({ $0.generation <= generation }) else",
        tests("WorkDirectoryTests/history"),
    ),
    (
        "a worker extends the leases of runs that it has lost",
        "Sources/PostgresStore/WorkDirectory.swift",
        "AS mine (tenant, kind, item, fence) JOIN work USING (tenant, kind, item, fence)\"\n        let answers",
        "AS mine (tenant, kind, item, ignored) JOIN work USING (tenant, kind, item)\"\n        let answers",
        tests("LeaseHistoriesTests"),
    ),
    (
        "a run is ended by a worker that has lost it",
        "Sources/PostgresStore/WorkDirectory.swift",
        (
            "JOIN work USING (tenant, kind, item, fence) ORDER BY tenant, kind, item FOR UPDATE OF work SKIP LOCKED)",
            "WHERE (work.tenant, work.kind, work.item, work.fence) = (done.tenant, done.kind, done.item, done.fence)",
        ),
        (
            "JOIN work USING (tenant, kind, item) ORDER BY tenant, kind, item FOR UPDATE OF work SKIP LOCKED)",
            "WHERE (work.tenant, work.kind, work.item) = (done.tenant, done.kind, done.item)",
        ),
        tests("WorkDirectoryTests/passwordChangesDuringRun"),
    ),
]


def run(command, folder, **options):
    return subprocess.run(command, cwd=folder, text=True, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, **options)


def place_of(number):
    """The file and its text, with the fault in it; None when the fault has no place there, or several."""
    _, path, old, new, *_ = BREAKS[number]
    text = (ROOT / path).read_text()
    for before, after in zip(*([one] if isinstance(one, str) else one for one in (old, new))):
        if text.count(before) != 1:
            return None
        text = text.replace(before, after)
    return path, text


def commands(number):
    return BREAKS[number][4] if len(BREAKS[number]) > 4 else SYNC


def build(folder, wanted):
    """Builds the programs of some commands; returns the output of a failed build, and None after a successful one."""
    builds = []
    if any(MODEL in command for command in wanted):
        builds.append(["swift", "build", "-c", "release", "--product", "SyncModel"])
    if any(MODEL not in command for command in wanted):
        builds.append(["swift", "build", "--build-tests"])
    for command in builds:
        answer = run(command, folder)
        if answer.returncode != 0:
            return answer.stdout[-2000:]
    return None


def complaint(output):
    """The line of an output that states the failure."""
    lines = output.strip().splitlines()
    return next((line for line in lines if "✘" in line), lines[0] if lines else "ended without output")


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
    obstacle = build(COPY, [command for number in numbers for command in commands(number)])
    if obstacle:
        print(obstacle)
        return 1
    for number in numbers:
        path, text = place_of(number)
        (COPY / path).write_text(text)
        words = "NOT CAUGHT"
        obstacle = build(COPY, commands(number))
        if obstacle:
            words = f"does not build\n{obstacle}"
        else:
            for command in commands(number):
                answer = run(command, COPY)
                if answer.returncode != 0:
                    words = complaint(answer.stdout)[:150]
                    break
        missed += words == "NOT CAUGHT" or obstacle is not None
        print(f"{number} {BREAKS[number][0]}: {words}", flush=True)
        shutil.copy2(ROOT / path, COPY / path)
    print(f"{len(numbers)} faults, {missed} not caught")
    return 1 if missed else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))

"""Breaks the alarms on purpose, one fault at a time, in a copy of the sources: the model has to detect each fault.

  python3 Tests/AlarmModel/breaks.py            all faults
  python3 Tests/AlarmModel/breaks.py 3 7        only these faults
  python3 Tests/AlarmModel/breaks.py --list     lists the faults
  python3 Tests/AlarmModel/breaks.py --check    only checks that the sources still contain the text of each fault

A fault replaces one text of one file by another, as in Tests/SyncModel/breaks.py.
"""

import pathlib
import shutil
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]
# The copy is kept, so that the next run builds only the changed files.
COPY = ROOT / ".build" / "breaks"

# Description, file, text, and its replacement.
BREAKS = [
    (
        "an alarm may fire half a minute early",
        "Sources/Notifications/AlarmScheduler.swift",
        "self.fire(reminder, known, after: max(processed, looked), upTo: now)",
        "self.fire(reminder, known, after: max(processed, looked), upTo: now.adding(seconds: 30))",
    ),
    (
        "delivered alarms fire again",
        "Sources/Notifications/AlarmScheduler+Alarms.swift",
        "alarms.map(DeliveredAlarm.init).filter { !delivered.contains($0) }",
        "alarms.map(DeliveredAlarm.init).filter { _ in delivered.count >= 0 }",
    ),
    (
        "a clock that is set back is not detected",
        "Sources/Notifications/AlarmScheduler.swift",
        "if now < processed { return try self.stepBack(to: now, from: processed, world) }",
        "if now < processed { return }",
    ),
    (
        "alarms that a wrong clock delivered too early stay delivered",
        "Sources/Notifications/AlarmScheduler.swift",
        "self.prune(before: processed.adding(seconds: -SchedulerLimits.memorySeconds), after: future)",
        "self.prune(before: processed.adding(seconds: -SchedulerLimits.memorySeconds))",
    ),
    (
        "a change of the zone removes the record of deliveries",
        "Sources/Notifications/AlarmScheduler+Alarms.swift",
        "            self.moveDelivered(reminder) { $0.fires >= start ? move($0) : $0 }\n",
        "",
    ),
    (
        "alarms that a change of the zone skips are lost",
        "Sources/Notifications/AlarmScheduler+Alarms.swift",
        ".filter { $0.fires <= now && !delivered.contains($0) && new.plan.alarm($0) != nil }",
        ".filter { $0.fires <= now && !delivered.contains($0) && new.plan.alarm($0) == nil }",
    ),
    (
        "the notification of a completed reminder stays",
        "Sources/Notifications/AlarmScheduler+Alarms.swift",
        "        if let shown = slot.shown, known.plan.alarm(shown) == nil { slot.leave() }\n",
        "",
    ),
    (
        "a notification is shown before the state is saved",
        "Sources/Notifications/AlarmScheduler.swift",
        "return (self.changes.isEmpty ? [] : [.save(self.changes)]) + self.effects",
        "return self.effects + (self.changes.isEmpty ? [] : [.save(self.changes)])",
    ),
    (
        "requested notifications count as shown after the loss of the service",
        "Sources/Notifications/Screen.swift",
        "if display.token != nil, waits { self.waiting.insert(reminder) }",
        "_ = (display, waits)",
    ),
    (
        "no wake-up is set for the end of quiet hours",
        "Sources/Notifications/Screen.swift",
        "var waitsForQuiet: Bool { !self.held.isEmpty || self.summary.isStale }",
        "var waitsForQuiet: Bool { false }",
    ),
    (
        "each missed alarm gets its own notification",
        "Sources/Notifications/AlarmScheduler+Showing.swift",
        "if late.count > SchedulerLimits.maximumMissed { self.summarize(&late) }",
        "",
    ),
    (
        "after a repetition the next alarm is not computed",
        "Sources/Notifications/AlarmScheduler.swift",
        "            self.fire(reminder, known, after: max(processed, looked), upTo: now)\n"
        "            self.pend(reminder, known, after: now)",
        "            self.fire(reminder, known, after: max(processed, looked), upTo: now)",
    ),
    (
        "unshown alarms that are in the future again stay delivered",
        "Sources/Notifications/AlarmScheduler+Alarms.swift",
        "        slot.unshown.removeAll { $0.fires > now && !requested.contains($0) }\n",
        "        _ = requested\n",
    ),
    (
        "old unshown alarms are removed",
        "Sources/Notifications/AlarmScheduler.swift",
        "if isWrong { self.drop(reminder) } else { self.rememberUnshown(reminder) }",
        "if isWrong { self.drop(reminder) }",
    ),
    (
        "alarms between a change and its scan do not fire",
        "Sources/Notifications/AlarmScheduler+Alarms.swift",
        "if let since {",
        "if let since, since > now {",
    ),
    (
        "the end of an occurrence removes other unshown alarms",
        "Sources/Notifications/AlarmScheduler+Alarms.swift",
        "guard slot.alarm != nil else { return self.drop(reminder) }\n"
        "        if slot != old { self.record(.slot(reminder, slot)) }\n"
        "        if let notification",
        "guard slot.alarm != nil, slot == old else { return self.drop(reminder) }\n"
        "        if let notification",
    ),
    (
        "a notification of a lost service counts as shown, and is delivered by the fallback in quiet hours",
        "Sources/Notifications/AlarmScheduler+Showing.swift",
        "if isNews || self.notification(of: reminder) == nil { self.place(reminder, .held) }",
        "if self.records.slots[reminder]?.notification == nil { self.place(reminder, .held) }\n"
        "                _ = isNews",
    ),
    (
        "a failed fallback is not repeated",
        "Sources/Notifications/AlarmScheduler+Answers.swift",
        "            if self.records.slots[reminder]?.place == .own { self.screen.waiting.insert(reminder) }\n",
        "            if self.service != nil { self.screen.waiting.insert(reminder) }\n",
    ),
    (
        "an unwritten acknowledgement delays later alarms",
        "Sources/Notifications/NotificationAction.swift",
        "return alarm.fires <= moment",
        "return alarm.fires <= moment || alarm.fires > moment",
    ),
    (
        "reminders of a shown summary count as unshown",
        "Sources/Notifications/AlarmScheduler+Answers.swift",
        "            slot.show(alarms)\n            // The summary",
        "            _ = alarms\n            // The summary",
    ),
    (
        "floating times do not move with the local zone",
        "Sources/Notifications/AlarmScheduler+Alarms.swift",
        ": self.next.dependentOnLocalZone {",
        ": Array(self.next.dependentOnLocalZone.dropLast()) {",
    ),
    (
        "after a clock is set back the next alarms are not computed again",
        "Sources/Notifications/NextAlarms.swift",
        "self.times.filter { $0.value.looked > now }.keys.sorted()",
        "self.times.filter { $0.value.looked > now.adding(seconds: 3600) }.keys.sorted()",
    ),
    (
        "a changed time for all-day reminders counts only at the next start",
        "Sources/Notifications/AlarmScheduler.swift",
        "            try self.change(\\.alarms, to: settings.alarms, now, world)\n",
        "",
    ),
    (
        "a time for all-day reminders that changed while the program did not run is not detected",
        "Sources/Notifications/AlarmScheduler.swift",
        "            try self.change(\\.alarms, to: self.settings.alarms, now, world)\n",
        "",
    ),
    (
        "alarms at the due time fire although they are switched off",
        "Sources/Notifications/AlarmScheduler+Alarms.swift",
        "for reminder in isOfAll ? self.next.reminders.sorted() : self.next.dependentOnLocalZone {",
        "for reminder in isOfAll ? [] : self.next.dependentOnLocalZone {",
    ),
    (
        "missed alarms are shown although they are switched off",
        "Sources/Notifications/AlarmScheduler+Alarms.swift",
        "        guard self.settings.showsMissed || !last.isLate(now) else { return }\n",
        "",
    ),
    (
        "notifications make a sound although sounds are switched off",
        "Sources/Notifications/AlarmScheduler+Showing.swift",
        "appearance: self.settings.appearance.silenced(unless: !slot",
        "appearance: NotificationAppearance().silenced(unless: !slot",
    ),
    (
        "an alarm that is shown late covers later ones that are not listed",
        "Sources/Notifications/DeliveryState.swift",
        "self.unlisted = isBeforeListed ? self.unlisted.map { max($0, last.fires.adding(seconds: 1)) } : nil",
        "self.unlisted = isBeforeListed ? nil : nil",
    ),
    (
        "two alarms that move to one moment stay two",
        "Sources/Notifications/AlarmScheduler+Alarms.swift",
        "slot.unshown = slot.unshown.map(move).filter { seen.insert($0).inserted }",
        "slot.unshown = slot.unshown.map(move).filter { seen.insert($0).inserted || true }",
    ),
]


def run(command, folder, **options):
    return subprocess.run(command, cwd=folder, text=True, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, **options)


def place_of(number):
    """The file and its text, with the fault in it; None when the fault has no place there, or several."""
    _, path, old, new = BREAKS[number]
    text = (ROOT / path).read_text()
    return (path, text.replace(old, new)) if text.count(old) == 1 else None


def build(folder):
    return run(["swift", "build", "-c", "release", "--product", "AlarmModel"], folder)


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
            answer = run([COPY / ".build/release/AlarmModel", "--until-broken", "--histories", "2000"], COPY)
            words = answer.stdout.strip().splitlines()[0] if answer.returncode != 0 else "NOT CAUGHT"
            missed += answer.returncode == 0
            print(f"{number} {BREAKS[number][0]}: {words[:150]}", flush=True)
        shutil.copy2(ROOT / path, COPY / path)
    print(f"{len(numbers)} faults, {missed} not caught")
    return 1 if missed else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))

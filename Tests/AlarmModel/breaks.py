"""Breaks what rings on purpose, one fault at a time, in a copy of the sources: each has to be caught by the model.

  python3 Tests/AlarmModel/breaks.py            all of them
  python3 Tests/AlarmModel/breaks.py 3 7        only these
  python3 Tests/AlarmModel/breaks.py --list     what they are
  python3 Tests/AlarmModel/breaks.py --check    only whether each still has its place in the sources

As Tests/SyncModel/breaks.py: a fault is one text of one file that is replaced by another.
"""

import pathlib
import shutil
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]
# Stays, so that the next time only what has changed is built.
COPY = ROOT / ".build" / "breaks"

# What is broken, in which file, which text, and what takes its place.
BREAKS = [
    (
        "half a minute early is early enough",
        "Sources/Notifications/AlarmScheduler.swift",
        "self.fire(reminder, known, after: processed, upTo: now)",
        "self.fire(reminder, known, after: processed, upTo: now.adding(seconds: 30))",
    ),
    (
        "what was told rings again",
        "Sources/Notifications/AlarmScheduler+Alarms.swift",
        "alarms.map(DeliveredAlarm.init).filter { !delivered.contains($0) }",
        "alarms.map(DeliveredAlarm.init).filter { _ in delivered.count >= 0 }",
    ),
    (
        "nobody sees that the clock was put back",
        "Sources/Notifications/AlarmScheduler.swift",
        "if now < processed { return try self.stepBack(to: now, from: processed, world) }",
        "if now < processed { return }",
    ),
    (
        "what a wrong clock told ahead of time stays told",
        "Sources/Notifications/AlarmScheduler.swift",
        "self.prune(before: processed.adding(seconds: -SchedulerLimits.memorySeconds), after: future)",
        "self.prune(before: processed.adding(seconds: -SchedulerLimits.memorySeconds))",
    ),
    (
        "what was told is forgotten on a journey",
        "Sources/Notifications/AlarmScheduler+Alarms.swift",
        "            self.moveDelivered(reminder) { $0.fires >= start ? move($0) : $0 }\n",
        "",
    ),
    (
        "what a journey has left out is lost",
        "Sources/Notifications/AlarmScheduler+Alarms.swift",
        ".filter { $0.fires <= now && !delivered.contains($0) && new.plan.alarm($0) != nil }",
        ".filter { $0.fires <= now && !delivered.contains($0) && new.plan.alarm($0) == nil }",
    ),
    (
        "the notification of what is completed stays",
        "Sources/Notifications/AlarmScheduler+Alarms.swift",
        "        if let shown = slot.shown, known.plan.alarm(shown) == nil { slot.leave() }\n",
        "",
    ),
    (
        "it is shown first and kept then",
        "Sources/Notifications/AlarmScheduler.swift",
        "return (self.changes.isEmpty ? [] : [.save(self.changes)]) + self.effects",
        "return self.effects + (self.changes.isEmpty ? [] : [.save(self.changes)])",
    ),
    (
        "what was on its way when the service went is taken for shown",
        "Sources/Notifications/Screen.swift",
        "if display.token != nil, waits { self.waiting.insert(reminder) }",
        "_ = (display, waits)",
    ),
    (
        "nobody wakes it at the end of quiet hours",
        "Sources/Notifications/Screen.swift",
        "var waitsForQuiet: Bool { !self.held.isEmpty || self.summary.isStale }",
        "var waitsForQuiet: Bool { false }",
    ),
    (
        "everything that was missed gets a notification of its own",
        "Sources/Notifications/AlarmScheduler+Showing.swift",
        "if late.count > SchedulerLimits.maximumMissed { self.summarize(&late) }",
        "",
    ),
    (
        "after a repetition the reminder is not looked at again",
        "Sources/Notifications/AlarmScheduler.swift",
        "            self.fire(reminder, known, after: processed, upTo: now)\n"
        "            self.pend(reminder, known, after: now)",
        "            self.fire(reminder, known, after: processed, upTo: now)",
    ),
    (
        "what was not shown and is to come again stays told",
        "Sources/Notifications/AlarmScheduler+Alarms.swift",
        "        slot.unshown.removeAll { $0.fires > now && !requested.contains($0) }\n",
        "        _ = requested\n",
    ),
    (
        "what was not shown is forgotten when it was told long ago",
        "Sources/Notifications/AlarmScheduler.swift",
        "if isWrong { self.drop(reminder) } else { self.rememberUnshown(reminder) }",
        "if isWrong { self.drop(reminder) }",
    ),
    (
        "what became due before anybody looked is past",
        "Sources/Notifications/AlarmScheduler+Alarms.swift",
        "if let since {",
        "if let since, since > now {",
    ),
    (
        "what is over takes with it what was not shown",
        "Sources/Notifications/AlarmScheduler+Alarms.swift",
        "guard slot.alarm != nil else { return self.drop(reminder) }\n"
        "        if slot != old { self.record(.slot(reminder, slot)) }\n"
        "        if let notification",
        "guard slot.alarm != nil, slot == old else { return self.drop(reminder) }\n"
        "        if let notification",
    ),
    (
        "a notification of a service that is gone is taken for shown, and told elsewhere at night",
        "Sources/Notifications/AlarmScheduler+Showing.swift",
        "if isNews || self.notification(of: reminder) == nil { self.place(reminder, .held) }",
        "if self.records.slots[reminder]?.notification == nil { self.place(reminder, .held) }\n"
        "                _ = isNews",
    ),
    (
        "what could not be told elsewhere is not told again",
        "Sources/Notifications/AlarmScheduler+Answers.swift",
        "            if self.records.slots[reminder]?.place == .own { self.screen.waiting.insert(reminder) }\n",
        "            if self.service != nil { self.screen.waiting.insert(reminder) }\n",
    ),
    (
        "what was seen to and is not written holds back what comes later",
        "Sources/Notifications/DeliveryState.swift",
        "return alarm.fires <= moment",
        "return alarm.fires <= moment || alarm.fires > moment",
    ),
    (
        "what was on a summary is taken for what nobody has seen",
        "Sources/Notifications/AlarmScheduler+Answers.swift",
        "            slot.show(alarms)\n            // The summary",
        "            _ = alarms\n            // The summary",
    ),
    (
        "what is on the clock on the wall stays where it was",
        "Sources/Notifications/AlarmScheduler+Alarms.swift",
        ": self.next.dependentOnLocalZone {",
        ": Array(self.next.dependentOnLocalZone.dropLast()) {",
    ),
    (
        "a clock that is put back leaves what was looked at",
        "Sources/Notifications/NextAlarms.swift",
        "self.times.filter { $0.value.looked > now }.keys.sorted()",
        "self.times.filter { $0.value.looked > now.adding(seconds: 3600) }.keys.sorted()",
    ),
    (
        "another hour for whole days counts at the next start",
        "Sources/Notifications/AlarmScheduler.swift",
        "            try self.change(\\.alarms, to: settings.alarms, now, world)\n",
        "",
    ),
    (
        "another hour for whole days that was chosen while nothing ran is not seen",
        "Sources/Notifications/AlarmScheduler.swift",
        "            try self.change(\\.alarms, to: self.settings.alarms, now, world)\n",
        "",
    ),
    (
        "what rings when it is due goes on so, where that is switched off",
        "Sources/Notifications/AlarmScheduler+Alarms.swift",
        "for reminder in isOfAll ? self.next.reminders.sorted() : self.next.dependentOnLocalZone {",
        "for reminder in isOfAll ? [] : self.next.dependentOnLocalZone {",
    ),
    (
        "what was missed is shown, where that is switched off",
        "Sources/Notifications/AlarmScheduler+Alarms.swift",
        "        guard self.settings.showsMissed || !last.isLate(now) else { return }\n",
        "",
    ),
    (
        "it makes a sound, where that is switched off",
        "Sources/Notifications/AlarmScheduler+Showing.swift",
        "makesSound: self.settings.makesSound && !slot.unshown.isEmpty",
        "makesSound: !slot.unshown.isEmpty",
    ),
    (
        "two that are at one moment for another hour are two",
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
            # What is gone from here is gone from there.
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

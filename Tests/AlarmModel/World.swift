import Foundation
import RemindavICalendar
import RemindavNotifications
import RemindavRecurrence
import RemindavReminders
import RemindavTestSupport

/// All reminders, in the form of the model and as texts.
final class World {
    private struct Reading {
        let version: Int
        let alarmBasis: AlarmBasis
        let reminder: FiringReminder
    }

    private struct Listing {
        let version: Int
        let rings: [Life.Ring]
    }

    static let mutedList = "silent"
    static let mutedLabel = "hush"

    let clocks: [String: Clock]
    private let database: ZoneDatabase
    private(set) var lives: [ReminderID: Life] = [:]
    var listIsMuted = false
    var labelIsMuted = false
    private var readings: [ReminderID: Reading] = [:]
    private var listings: [AlarmBasis: [ReminderID: Listing]] = [:]
    private var resolvers: [String: TimeZoneResolver] = [:]
    private var born = 0

    init(clocks: [String: Clock], database: ZoneDatabase) {
        self.clocks = clocks
        self.database = database
    }

    func add(_ life: Life) -> ReminderID {
        self.born += 1
        let id = ReminderID(Int64(self.born))
        self.lives[id] = life
        return id
    }

    func change(_ reminder: ReminderID, _ body: (inout Life) -> Void) {
        guard var life = self.lives[reminder] else { return }
        body(&life)
        life.version += 1
        self.lives[reminder] = life
    }

    func delete(_ reminder: ReminderID) {
        self.lives[reminder] = nil
        self.readings[reminder] = nil
        for alarmBasis in self.listings.keys { self.listings[alarmBasis]?[reminder] = nil }
    }

    func isMuted(_ reminder: ReminderID) -> Bool {
        guard let life = self.lives[reminder] else { return false }
        return life.isInMutedList && self.listIsMuted || life.hasMutedLabel && self.labelIsMuted
    }

    /// Returns all alarms of a reminder, for a local zone and the alarm settings.
    func rings(_ reminder: ReminderID, _ alarmBasis: AlarmBasis) -> [Life.Ring] {
        guard let life = self.lives[reminder], let wall = self.clocks[alarmBasis.local] else { return [] }
        if let known = self.listings[alarmBasis]?[reminder], known.version == life.version { return known.rings }
        let rings = life.rings(wall, self.clocks, alarmBasis.alarms)
        // Listings for earlier settings are rarely needed again.
        if self.listings.count > 3, self.listings[alarmBasis] == nil { self.listings = [:] }
        self.listings[alarmBasis, default: [:]][reminder] = Listing(version: life.version, rings: rings)
        return rings
    }

    func name(of reminder: ReminderID, _ occurrence: Int) -> String? {
        self.lives[reminder]?.name(occurrence, self.clocks)
    }

    func zones(_ local: String) -> TimeZoneResolver {
        if let known = self.resolvers[local] { return known }
        let zones = TimeZoneResolver(database: self.database, calendar: nil, local: local)
        self.resolvers[local] = zones
        return zones
    }

    /// Returns the reminder as the program reads it from its text.
    func reading(_ reminder: ReminderID, _ alarmBasis: AlarmBasis) -> FiringReminder? {
        guard let life = self.lives[reminder] else { return nil }
        if let known = self.readings[reminder], known.version == life.version, known.alarmBasis == alarmBasis {
            return known.reminder
        }
        guard let text = Reminder(ICalendarDocument(life.text("r\(reminder)"))) else { return nil }
        let reading = FiringReminder(
            plan: AlarmPlan(
                text,
                zones: self.zones(alarmBasis.local),
                settings: alarmBasis.alarms
            ),
            list: life.isInMutedList ? Self.mutedList : "list",
            listName: "list",
            labels: life.hasMutedLabel ? [Self.mutedLabel] : [],
            priority: text.priority
        )
        self.readings[reminder] = Reading(version: life.version, alarmBasis: alarmBasis, reminder: reading)
        return reading
    }

    var source: ReminderSource {
        ReminderSource(reminder: { self.reading($0, $1) }, zones: { self.zones($0) })
    }
}

extension Clock {
    /// The forty zones and UTC, with the offsets of ICU.
    static func all() -> [String: Clock] {
        let names = PeerZone.names + ["UTC"]
        return Dictionary(
            uniqueKeysWithValues: names.compactMap { name in
                TimeZone(identifier: name).map { zone in
                    let peer = PeerZone(name) { utc in
                        Int64(zone.secondsFromGMT(for: Date(timeIntervalSince1970: TimeInterval(utc))))
                    }
                    return (name, Clock(peer))
                }
            }
        )
    }

    /// The tzdata of this machine, which the program reads.
    static func database() -> ZoneDatabase {
        let folder = ProcessInfo.processInfo.environment["TZDIR"] ?? "/usr/share/zoneinfo"
        return ZoneDatabase { name in FileManager.default.contents(atPath: "\(folder)/\(name)").map(Array.init) }
    }
}

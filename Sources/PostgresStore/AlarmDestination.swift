package import RemindavStore

/// The destinations of a tenant's alarms.
package struct AlarmDestination: Hashable, Sendable {
    /// An email address; `nil` for no mail.
    package var mail: String?
    /// Whether a sealed secret has the address for push messages.
    package var hasPush = false
    /// The hours without messages, such as `22:00-07:00`; `nil` for none.
    package var quietHours: String?

    package init(mail: String? = nil, hasPush: Bool = false, quietHours: String? = nil) {
        self.mail = mail
        self.hasPush = hasPush
        self.quietHours = quietHours
    }

    /// The maximum number of bytes of an email address (RFC 5321 §4.5.3.1.3, without the brackets).
    private static let maximumMailBytes = 254

    /// Returns an email address in the form `user@example.org`; `nil` for any other text.
    ///
    /// Spaces, quotes and brackets, which could change the fields of a message, are not accepted.
    package static func mail(_ text: String) -> String? {
        let parts = text.split(separator: "@", omittingEmptySubsequences: false)
        guard parts.count == 2, text.utf8.count <= self.maximumMailBytes,
            parts.allSatisfy({ part in !part.isEmpty && part.utf8.allSatisfy(self.isMailByte) })
        else { return nil }
        return text
    }

    // atext (RFC 5322 §3.2.3) and "."
    private static func isMailByte(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"):
            true
        default: "!#$%&'*+-/=?^_`{|}~.".utf8.contains(byte)
        }
    }

    /// Whether alarms are sent at all.
    package var isOn: Bool { self.mail != nil || self.hasPush }
}

/// The parts of an alarm destination to change; a part that is `nil` stays.
///
/// For the mail and the quiet hours, `.some(nil)` removes the part.
package struct AlarmDestinationChange: Sendable {
    package var mail: String??
    /// Whether a sealed secret has the address for push messages.
    package var hasPush: Bool?
    package var quietHours: String??

    package init(mail: String?? = nil, hasPush: Bool? = nil, quietHours: String?? = nil) {
        self.mail = mail
        self.hasPush = hasPush
        self.quietHours = quietHours
    }
}

extension TenantDirectory {
    /// The destination of a tenant's alarms; without messages if the tenant has none.
    package func alarmDestination(of tenant: TenantID) throws(DatabaseError) -> AlarmDestination {
        let sql = "SELECT mail, push, quiet_hours FROM alarm_destination WHERE tenant = ?1"
        return try self.pool.rows(sql, [.integer(tenant.rawValue)], Self.alarmDestination).first ?? AlarmDestination()
    }

    private static func alarmDestination(_ row: Row) -> AlarmDestination {
        AlarmDestination(
            mail: row.textIfPresent("mail"),
            hasPush: row.integer("push") != 0,
            quietHours: row.textIfPresent("quiet_hours")
        )
    }

    /// Changes the destination of a tenant's alarms, and lets a process check the alarms soon.
    ///
    /// If there was no destination, alarms from before the call are not sent. A part outside of the change keeps the
    /// value that another process may have written.
    ///
    /// - Returns: the new destination.
    package func change(
        _ change: AlarmDestinationChange,
        of tenant: TenantID
    ) throws(DatabaseError) -> AlarmDestination {
        let connection = try self.pool.take()
        defer { self.pool.give(connection) }
        let number = SQLValue.integer(tenant.rawValue)
        do throws(DatabaseError) {
            _ = try connection.runScript(
                "BEGIN; SELECT set_config('remindav.tenant', '\(tenant.rawValue)', true)"
            )
            let hasDestination =
                "EXISTS (SELECT 1 FROM alarm_destination WHERE tenant = ?1 AND (mail IS NOT NULL OR push))"
            // The run of another process must not write the state that is deleted here. The next run sends the alarms that
            // the last one has not sent.
            let restart = """
                UPDATE work SET fence = fence + 1, leased_until = 0, tries = 0, failures = 0, refusals = 0,
                    stop_reason = NULL, requested_at = never(),
                    next_at = CASE WHEN \(hasDestination) THEN least(next_at, requested_at, moment()) ELSE moment() END
                WHERE tenant = ?1 AND kind = 'alarm' AND stop_reason IS DISTINCT FROM 'suspended'
                """
            _ = try connection.run(restart, [number])
            _ = try connection.run("DELETE FROM delivery WHERE NOT \(hasDestination)", [number])
            let write = """
                INSERT INTO alarm_destination AS old (tenant, mail, push, quiet_hours)
                VALUES (?1, ?2, coalesce(CAST(?3 AS bigint) = 1, false), ?4)
                ON CONFLICT (tenant) DO UPDATE SET
                    mail = CASE WHEN CAST(?5 AS bigint) = 1 THEN excluded.mail ELSE old.mail END,
                    push = coalesce(CAST(?3 AS bigint) = 1, old.push),
                    quiet_hours = CASE WHEN CAST(?6 AS bigint) = 1 THEN excluded.quiet_hours ELSE old.quiet_hours END
                RETURNING mail, push, quiet_hours
                """
            let values: [SQLValue] = [
                number, .text(change.mail ?? nil), change.hasPush.map { .flag($0) } ?? .null,
                .text(change.quietHours ?? nil), .flag(change.mail != nil), .flag(change.quietHours != nil),
            ]
            var destination = AlarmDestination()
            try connection.forEach(write, values) { row in
                destination = Self.alarmDestination(row)
                return true
            }
            _ = try connection.runScript("COMMIT")
            return destination
        } catch {
            connection.rollBack()
            throw error
        }
    }
}

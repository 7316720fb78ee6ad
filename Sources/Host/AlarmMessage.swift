import RemindavHTTP
import RemindavICalendar
import RemindavNotifications
import RemindavReminders

/// A message about an alarm, for mail and for push services.
struct AlarmMessage: Hashable, Sendable {
    /// Identifies the alarm: an alarm that is sent again has the same identifier, so that readers can recognise it.
    let identifier: String
    let title: String
    let body: String
    let priority: Priority
    /// The web page of the reminder; `nil` without web pages.
    let link: String?

    /// - Parameters:
    ///   - alarms: the alarms that the notification shows, by reminder.
    ///   - site: the public address of the web pages; `nil` for none.
    init(
        _ notification: Notification,
        tenant: String,
        alarms: [(reminder: ReminderID, alarms: [DeliveredAlarm])],
        site: String?
    ) {
        let facts = alarms.flatMap { entry in
            entry.alarms.map { "\(entry.reminder) \($0.occurrence ?? "") \($0.fires.secondsSince1970)" }
        }
        let hash = SHA256(([tenant] + facts).joined(separator: "\n").utf8)
        self.identifier = String(hash.hexadecimal.prefix(Self.identifierLength))
        self.title = notification.text.title
        self.body = notification.text.body
        self.priority = notification.priority
        self.link = site.map { site in notification.reminder.map { "\(site)/r/\($0)" } ?? "\(site)/" }
    }

    init(identifier: String, title: String, body: String) {
        (self.identifier, self.title, self.body) = (identifier, title, body)
        (self.priority, self.link) = (.undefined, nil)
    }

    /// The number of characters of an identifier; RFC 8030 §5.4 allows 32 for a topic.
    private static let identifierLength = 32

    // MARK: Mail

    /// The message in the format of RFC 5322, with CRLF line ends.
    ///
    /// - Parameters:
    ///   - sender: the address in the field `From`; its domain is also that of the identifier.
    ///   - moment: the time in the field `Date`.
    func mail(from sender: String, to recipient: String, at moment: Instant) -> [UInt8] {
        let domain = sender.split(separator: "@").last.map(String.init) ?? "localhost"
        var lines = [
            "Date: \(Self.date(moment))",
            "From: Remindav <\(sender)>",
            "To: <\(recipient)>",
            "Subject: \(Self.encodedWords(self.title))",
            "Message-ID: <\(self.identifier)@\(domain)>",
            // Programs that answer while their user is away must not answer this message (RFC 3834).
            "Auto-Submitted: auto-generated",
        ]
        if self.priority == .high { lines.append("Importance: high") }
        lines += [
            "MIME-Version: 1.0", "Content-Type: text/plain; charset=utf-8", "Content-Transfer-Encoding: base64", "",
        ]
        let text = [self.body, self.link ?? ""].filter { !$0.isEmpty }.joined(separator: "\n\n") + "\n"
        let encoded = Array(
            Base64.encode(
                Array(
                    text.split(separator: "\n", omittingEmptySubsequences: false)
                        .joined(separator: "\r\n").utf8
                )
            ).utf8
        )
        // A line has at most 76 characters (RFC 2045 §6.8).
        for start in stride(from: 0, to: encoded.count, by: 76) {
            lines.append(String(decoding: encoded[start..<min(start + 76, encoded.count)], as: UTF8.self))
        }
        return Array((lines.joined(separator: "\r\n") + "\r\n").utf8)
    }

    /// A date and time of RFC 5322 §3.3, in UTC.
    private static func date(_ moment: Instant) -> String {
        let days = ["Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"]
        let months = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"]
        let time = CalendarDateTime(utc: moment)
        func two(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }
        let clock = [time.time.hour, time.time.minute, time.time.second].map(two).joined(separator: ":")
        let (date, month) = (time.date, months[time.date.month - 1])
        return "\(days[date.weekday.rawValue]), \(date.day) \(month) \(date.year) \(clock) +0000"
    }

    /// The text as encoded words of RFC 2047, each on its own line; short ASCII text stays readable.
    static func encodedWords(_ text: String) -> String {
        let isPlain = text.utf8.count <= 60 && text.utf8.allSatisfy { (32...126).contains($0) } && !text.contains("=?")
        guard !isPlain else { return text }
        var words: [String] = []
        var part: [UInt8] = []
        // An encoded word has at most 75 characters, of which 63 are left for base64 text of 45 bytes; no character is
        // divided between two words.
        for scalar in text.unicodeScalars {
            let bytes = Array(String(scalar).utf8)
            if part.count + bytes.count > 45 {
                words.append(Base64.encode(part))
                part = []
            }
            part += bytes
        }
        words.append(Base64.encode(part))
        return words.map { "=?utf-8?B?\($0)?=" }.joined(separator: "\r\n ")
    }

    // MARK: Push

    /// The request that publishes the message at an address of ntfy or UnifiedPush.
    func push(to address: String) -> Request {
        var headers: Headers = [.contentType: "text/plain; charset=utf-8"]
        // ntfy shows the title; it accepts encoded words.
        headers["Title"] = Self.encodedWords(self.title).replacing("\r\n ", with: " ")
        headers["Priority"] = self.priority == .high ? "high" : "default"
        if let link { headers["Click"] = link }
        // The fields of RFC 8030: a message that is sent again replaces the first one while that is not received yet.
        headers["TTL"] = String(Self.lifetimeSeconds)
        headers["Urgency"] = self.priority == .high ? "high" : "normal"
        headers["Topic"] = self.identifier
        // An application with a UnifiedPush address receives only the body.
        let text = Self.bounded([self.title, self.body].filter { !$0.isEmpty }.joined(separator: "\n"))
        var request = Request(method: "POST", url: address, headers: headers, body: Array(text.utf8))
        request.isSmall = true
        request.isOnce = true
        return request
    }

    /// The seconds for which a push service keeps a message for a device that is off: a day.
    private static let lifetimeSeconds = 86_400
    /// ntfy makes a longer message an attachment, and UnifiedPush refuses it.
    private static let maximumPushBytes = 3000

    private static func bounded(_ text: String) -> String {
        guard text.utf8.count > self.maximumPushBytes else { return text }
        var bytes = Array(text.utf8.prefix(self.maximumPushBytes))
        // The last character may be incomplete.
        while let last = bytes.last, last & 0xC0 == 0x80 { bytes.removeLast() }
        if let last = bytes.last, last >= 0xC0 { bytes.removeLast() }
        return String(decoding: bytes, as: UTF8.self) + "…"
    }
}

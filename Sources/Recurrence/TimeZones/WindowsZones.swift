import RemindavICalendar

/// The names of time zones in Windows, which Outlook and Exchange write into TZID.
///
/// Source: Unicode CLDR, `common/supplemental/windowsZones.xml` at commit 062dc06 (Windows 7e11800): all rows of
/// territory 001, and their display names. Names that tzdata has renamed since then have the new form.
enum WindowsZones {
    /// The zoneinfo name of a Windows time zone, in any case; the name may end with `Daylight Time`.
    static func zoneinfoName(of name: String) -> String? {
        guard name.utf8.count <= self.maximumLength else { return nil }
        let lowered = name.lowercased()
        if let known = self.byName[lowered] { return known }
        return self.byName[lowered.replacing(" daylight time", with: " standard time")]
    }

    /// The zoneinfo name for a display name of Windows: `(UTC+01:00) Cairo`.
    ///
    /// The offset is ignored: Windows now writes UTC instead of GMT, and laws have changed offsets. An unknown list of
    /// places is accepted if all its known places are in one zone, as in `Rom, Stockholm, Wien` (German).
    static func zoneinfoName(ofDisplayed name: String) -> String? {
        guard name.utf8.count <= self.maximumLength, let places = self.places(of: name) else { return nil }
        if let known = self.byPlaces[places.joined(separator: ", ")] { return known }
        let zones = Set(places.compactMap { self.byPlace[$0] ?? nil })
        return zones.count == 1 ? zones.first : nil
    }

    /// The largest number of bytes in a name; the longest name of Windows has 73.
    static let maximumLength = 128

    /// The places after the offset in parentheses; `nil` without such an offset.
    private static func places(of name: String) -> [String]? {
        let text = name.filter { $0 != "\\" }.lowercased().replacing(" and ", with: " & ")
        guard text.hasPrefix("(utc") || text.hasPrefix("(gmt"), let close = text.firstIndex(of: ")") else { return nil }
        // CDO, a library of Exchange, writes `(GMT+01.00) Sarajevo/Warsaw/Zagreb`.
        return text[text.index(after: close)...].split { $0 == "," || $0 == "/" || $0 == ";" }
            .map { String($0).trimmingSpaces }
            .filter { !$0.isEmpty }
    }

    private static let byName = Dictionary(
        (Self.rows.map { ($0.name, $0.zone) } + Self.olderNames.map { ($0, $1) }).map { ($0.0.lowercased(), $0.1) },
        uniquingKeysWith: { first, _ in first }
    )

    private static let byPlaces = Dictionary(
        (Self.rows.map { ($0.places, $0.zone) } + Self.olderPlaces.map { ($0, $1) }).map { (Self.key($0.0), $0.1) },
        uniquingKeysWith: { first, _ in first }
    )

    /// The zoneinfo name of each place; `nil` for a place in two time zones: two towns are named La Paz.
    private static let byPlace: [String: String?] = {
        var zones: [String: String?] = [:]
        for row in Self.rows {
            for place in Self.key(row.places).split(separator: ", ").map(String.init) {
                zones[place] = zones.keys.contains(place) ? .some(nil) : row.zone
            }
        }
        return zones
    }()

    private static func key(_ places: String) -> String {
        Self.places(of: "(utc)\(places)")?.joined(separator: ", ") ?? ""
    }

    // swift-format-ignore
    static let rows: [(name: String, zone: String, places: String)] = [
        ("Dateline Standard Time", "Etc/GMT+12", "International Date Line West"),
        ("UTC-11", "Etc/GMT+11", "Coordinated Universal Time-11"),
        ("Aleutian Standard Time", "America/Adak", "Aleutian Islands"),
        ("Hawaiian Standard Time", "Pacific/Honolulu", "Hawaii"),
        ("Marquesas Standard Time", "Pacific/Marquesas", "Marquesas Islands"),
        ("Alaskan Standard Time", "America/Anchorage", "Alaska"),
        ("UTC-09", "Etc/GMT+9", "Coordinated Universal Time-09"),
        ("Pacific Standard Time (Mexico)", "America/Tijuana", "Baja California"),
        ("UTC-08", "Etc/GMT+8", "Coordinated Universal Time-08"),
        ("Pacific Standard Time", "America/Los_Angeles", "Pacific Time (US & Canada)"),
        ("US Mountain Standard Time", "America/Phoenix", "Arizona"),
        ("Mountain Standard Time (Mexico)", "America/Mazatlan", "Chihuahua, La Paz, Mazatlan"),
        ("Mountain Standard Time", "America/Denver", "Mountain Time (US & Canada)"),
        ("Yukon Standard Time", "America/Whitehorse", "Yukon"),
        ("Central America Standard Time", "America/Guatemala", "Central America"),
        ("Central Standard Time", "America/Chicago", "Central Time (US & Canada)"),
        ("Easter Island Standard Time", "Pacific/Easter", "Easter Island"),
        ("Central Standard Time (Mexico)", "America/Mexico_City", "Guadalajara, Mexico City, Monterrey"),
        ("Canada Central Standard Time", "America/Regina", "Saskatchewan"),
        ("SA Pacific Standard Time", "America/Bogota", "Bogota, Lima, Quito, Rio Branco"),
        ("Eastern Standard Time (Mexico)", "America/Cancun", "Chetumal"),
        ("Eastern Standard Time", "America/New_York", "Eastern Time (US & Canada)"),
        ("Haiti Standard Time", "America/Port-au-Prince", "Haiti"),
        ("Cuba Standard Time", "America/Havana", "Havana"),
        ("US Eastern Standard Time", "America/Indiana/Indianapolis", "Indiana (East)"),
        ("Turks And Caicos Standard Time", "America/Grand_Turk", "Turks and Caicos"),
        ("Paraguay Standard Time", "America/Asuncion", "Asuncion"),
        ("Atlantic Standard Time", "America/Halifax", "Atlantic Time (Canada)"),
        ("Venezuela Standard Time", "America/Caracas", "Caracas"),
        ("Central Brazilian Standard Time", "America/Cuiaba", "Cuiaba"),
        ("SA Western Standard Time", "America/La_Paz", "Georgetown, La Paz, Manaus, San Juan"),
        ("Pacific SA Standard Time", "America/Santiago", "Santiago"),
        ("Newfoundland Standard Time", "America/St_Johns", "Newfoundland"),
        ("Tocantins Standard Time", "America/Araguaina", "Araguaina"),
        ("E. South America Standard Time", "America/Sao_Paulo", "Brasilia"),
        ("SA Eastern Standard Time", "America/Cayenne", "Cayenne, Fortaleza"),
        ("Argentina Standard Time", "America/Argentina/Buenos_Aires", "City of Buenos Aires"),
        ("Greenland Standard Time", "America/Nuuk", "Greenland"),
        ("Montevideo Standard Time", "America/Montevideo", "Montevideo"),
        ("Magallanes Standard Time", "America/Punta_Arenas", "Punta Arenas"),
        ("Saint Pierre Standard Time", "America/Miquelon", "Saint Pierre and Miquelon"),
        ("Bahia Standard Time", "America/Bahia", "Salvador"),
        ("UTC-02", "Etc/GMT+2", "Coordinated Universal Time-02"),
        ("Azores Standard Time", "Atlantic/Azores", "Azores"),
        ("Cape Verde Standard Time", "Atlantic/Cape_Verde", "Cabo Verde Is."),
        ("UTC", "Etc/UTC", "Coordinated Universal Time"),
        ("GMT Standard Time", "Europe/London", "Dublin, Edinburgh, Lisbon, London"),
        ("Greenwich Standard Time", "Atlantic/Reykjavik", "Monrovia, Reykjavik"),
        ("Sao Tome Standard Time", "Africa/Sao_Tome", "Sao Tome"),
        ("Morocco Standard Time", "Africa/Casablanca", "Casablanca"),
        ("W. Europe Standard Time", "Europe/Berlin", "Amsterdam, Berlin, Bern, Rome, Stockholm, Vienna"),
        ("Central Europe Standard Time", "Europe/Budapest", "Belgrade, Bratislava, Budapest, Ljubljana, Prague"),
        ("Romance Standard Time", "Europe/Paris", "Brussels, Copenhagen, Madrid, Paris"),
        ("Central European Standard Time", "Europe/Warsaw", "Sarajevo, Skopje, Warsaw, Zagreb"),
        ("W. Central Africa Standard Time", "Africa/Lagos", "West Central Africa"),
        ("Jordan Standard Time", "Asia/Amman", "Amman"),
        ("GTB Standard Time", "Europe/Bucharest", "Athens, Bucharest"),
        ("Middle East Standard Time", "Asia/Beirut", "Beirut"),
        ("Egypt Standard Time", "Africa/Cairo", "Cairo"),
        ("E. Europe Standard Time", "Europe/Chisinau", "Chisinau"),
        ("Syria Standard Time", "Asia/Damascus", "Damascus"),
        ("West Bank Standard Time", "Asia/Hebron", "Gaza, Hebron"),
        ("South Africa Standard Time", "Africa/Johannesburg", "Harare, Pretoria"),
        ("FLE Standard Time", "Europe/Kyiv", "Helsinki, Kyiv, Riga, Sofia, Tallinn, Vilnius"),
        ("Israel Standard Time", "Asia/Jerusalem", "Jerusalem"),
        ("South Sudan Standard Time", "Africa/Juba", "Juba"),
        ("Kaliningrad Standard Time", "Europe/Kaliningrad", "Kaliningrad"),
        ("Sudan Standard Time", "Africa/Khartoum", "Khartoum"),
        ("Libya Standard Time", "Africa/Tripoli", "Tripoli"),
        ("Namibia Standard Time", "Africa/Windhoek", "Windhoek"),
        ("Arabic Standard Time", "Asia/Baghdad", "Baghdad"),
        ("Turkey Standard Time", "Europe/Istanbul", "Istanbul"),
        ("Arab Standard Time", "Asia/Riyadh", "Kuwait, Riyadh"),
        ("Belarus Standard Time", "Europe/Minsk", "Minsk"),
        ("Russian Standard Time", "Europe/Moscow", "Moscow, St. Petersburg"),
        ("E. Africa Standard Time", "Africa/Nairobi", "Nairobi"),
        ("Iran Standard Time", "Asia/Tehran", "Tehran"),
        ("Arabian Standard Time", "Asia/Dubai", "Abu Dhabi, Muscat"),
        ("Astrakhan Standard Time", "Europe/Astrakhan", "Astrakhan, Ulyanovsk"),
        ("Azerbaijan Standard Time", "Asia/Baku", "Baku"),
        ("Russia Time Zone 3", "Europe/Samara", "Izhevsk, Samara"),
        ("Mauritius Standard Time", "Indian/Mauritius", "Port Louis"),
        ("Saratov Standard Time", "Europe/Saratov", "Saratov"),
        ("Georgian Standard Time", "Asia/Tbilisi", "Tbilisi"),
        ("Volgograd Standard Time", "Europe/Volgograd", "Volgograd"),
        ("Caucasus Standard Time", "Asia/Yerevan", "Yerevan"),
        ("Afghanistan Standard Time", "Asia/Kabul", "Kabul"),
        ("West Asia Standard Time", "Asia/Tashkent", "Ashgabat, Tashkent"),
        ("Ekaterinburg Standard Time", "Asia/Yekaterinburg", "Ekaterinburg"),
        ("Pakistan Standard Time", "Asia/Karachi", "Islamabad, Karachi"),
        ("Qyzylorda Standard Time", "Asia/Qyzylorda", "Qyzylorda"),
        ("India Standard Time", "Asia/Kolkata", "Chennai, Kolkata, Mumbai, New Delhi"),
        ("Sri Lanka Standard Time", "Asia/Colombo", "Sri Jayawardenepura"),
        ("Nepal Standard Time", "Asia/Kathmandu", "Kathmandu"),
        ("Central Asia Standard Time", "Asia/Bishkek", "Astana"),
        ("Bangladesh Standard Time", "Asia/Dhaka", "Dhaka"),
        ("Omsk Standard Time", "Asia/Omsk", "Omsk"),
        ("Myanmar Standard Time", "Asia/Yangon", "Yangon (Rangoon)"),
        ("SE Asia Standard Time", "Asia/Bangkok", "Bangkok, Hanoi, Jakarta"),
        ("Altai Standard Time", "Asia/Barnaul", "Barnaul, Gorno-Altaysk"),
        ("W. Mongolia Standard Time", "Asia/Hovd", "Hovd"),
        ("North Asia Standard Time", "Asia/Krasnoyarsk", "Krasnoyarsk"),
        ("N. Central Asia Standard Time", "Asia/Novosibirsk", "Novosibirsk"),
        ("Tomsk Standard Time", "Asia/Tomsk", "Tomsk"),
        ("China Standard Time", "Asia/Shanghai", "Beijing, Chongqing, Hong Kong, Urumqi"),
        ("North Asia East Standard Time", "Asia/Irkutsk", "Irkutsk"),
        ("Singapore Standard Time", "Asia/Singapore", "Kuala Lumpur, Singapore"),
        ("W. Australia Standard Time", "Australia/Perth", "Perth"),
        ("Taipei Standard Time", "Asia/Taipei", "Taipei"),
        ("Ulaanbaatar Standard Time", "Asia/Ulaanbaatar", "Ulaanbaatar"),
        ("Aus Central W. Standard Time", "Australia/Eucla", "Eucla"),
        ("Transbaikal Standard Time", "Asia/Chita", "Chita"),
        ("Tokyo Standard Time", "Asia/Tokyo", "Osaka, Sapporo, Tokyo"),
        ("North Korea Standard Time", "Asia/Pyongyang", "Pyongyang"),
        ("Korea Standard Time", "Asia/Seoul", "Seoul"),
        ("Yakutsk Standard Time", "Asia/Yakutsk", "Yakutsk"),
        ("Cen. Australia Standard Time", "Australia/Adelaide", "Adelaide"),
        ("AUS Central Standard Time", "Australia/Darwin", "Darwin"),
        ("E. Australia Standard Time", "Australia/Brisbane", "Brisbane"),
        ("AUS Eastern Standard Time", "Australia/Sydney", "Canberra, Melbourne, Sydney"),
        ("West Pacific Standard Time", "Pacific/Port_Moresby", "Guam, Port Moresby"),
        ("Tasmania Standard Time", "Australia/Hobart", "Hobart"),
        ("Vladivostok Standard Time", "Asia/Vladivostok", "Vladivostok"),
        ("Lord Howe Standard Time", "Australia/Lord_Howe", "Lord Howe Island"),
        ("Bougainville Standard Time", "Pacific/Bougainville", "Bougainville Island"),
        ("Russia Time Zone 10", "Asia/Srednekolymsk", "Chokurdakh"),
        ("Magadan Standard Time", "Asia/Magadan", "Magadan"),
        ("Norfolk Standard Time", "Pacific/Norfolk", "Norfolk Island"),
        ("Sakhalin Standard Time", "Asia/Sakhalin", "Sakhalin"),
        ("Central Pacific Standard Time", "Pacific/Guadalcanal", "Solomon Is., New Caledonia"),
        ("Russia Time Zone 11", "Asia/Kamchatka", "Anadyr, Petropavlovsk-Kamchatsky"),
        ("New Zealand Standard Time", "Pacific/Auckland", "Auckland, Wellington"),
        ("UTC+12", "Etc/GMT-12", "Coordinated Universal Time+12"),
        ("Fiji Standard Time", "Pacific/Fiji", "Fiji"),
        ("Chatham Islands Standard Time", "Pacific/Chatham", "Chatham Islands"),
        ("UTC+13", "Etc/GMT-13", "Coordinated Universal Time+13"),
        ("Tonga Standard Time", "Pacific/Tongatapu", "Nuku'alofa"),
        ("Samoa Standard Time", "Pacific/Apia", "Samoa"),
        ("Line Islands Standard Time", "Pacific/Kiritimati", "Kiritimati Island"),
    ]

    /// Names that Windows no longer has, and names of standard time that differ from the name of the time zone.
    static let olderNames = [
        "Armenian Standard Time": "Asia/Yerevan", "Cabo Verde Standard Time": "Atlantic/Cape_Verde",
        "Coordinated Universal Time": "Etc/UTC", "GFT Standard Time": "Europe/Athens",
        "Jerusalem Standard Time": "Asia/Jerusalem", "Kamchatka Standard Time": "Asia/Kamchatka",
        "Malay Peninsula Standard Time": "Asia/Singapore", "Mexico Standard Time": "America/Mexico_City",
        "Mexico Standard Time 2": "America/Mazatlan", "Mid-Atlantic Standard Time": "Etc/GMT+2",
        "Novosibirsk Standard Time": "Asia/Novosibirsk", "Prague Bratislava Standard Time": "Europe/Prague",
        "Russia TZ 1 Standard Time": "Europe/Kaliningrad", "Russia TZ 2 Standard Time": "Europe/Moscow",
        "Russia TZ 3 Standard Time": "Europe/Samara", "Russia TZ 4 Standard Time": "Asia/Yekaterinburg",
        "Russia TZ 5 Standard Time": "Asia/Novosibirsk", "Russia TZ 6 Standard Time": "Asia/Krasnoyarsk",
        "Russia TZ 7 Standard Time": "Asia/Irkutsk", "Russia TZ 8 Standard Time": "Asia/Yakutsk",
        "Russia TZ 9 Standard Time": "Asia/Vladivostok", "Russia TZ 10 Standard Time": "Asia/Srednekolymsk",
        "Russia TZ 11 Standard Time": "Asia/Kamchatka", "Warsaw Standard Time": "Europe/Warsaw",
    ]

    /// Lists of places in display names of earlier versions of Windows and Outlook.
    static let olderPlaces = [
        "Almaty, Novosibirsk": "Asia/Novosibirsk", "Anadyr": "Asia/Kamchatka", "Astana, Dhaka": "Asia/Dhaka",
        "Athens, Beirut, Istanbul, Minsk": "Europe/Athens", "Athens, Bucharest, Istanbul": "Europe/Athens",
        "Athens, Istanbul, Minsk": "Europe/Athens", "Baku, Tbilisi, Yerevan": "Asia/Yerevan",
        "Bogota, Lima, Quito": "America/Bogota", "Bucharest": "Europe/Bucharest",
        "Buenos Aires": "America/Argentina/Buenos_Aires", "Buenos Aires, Georgetown": "America/Argentina/Buenos_Aires",
        "Cape Verde Is.": "Atlantic/Cape_Verde", "Caracas, La Paz": "America/Caracas",
        "Casablanca, Monrovia": "Africa/Casablanca", "Dublin, Lisbon, London": "Europe/London",
        "Fiji, Kamchatka, Marshall Is.": "Pacific/Fiji", "Fiji, Marshall Is.": "Pacific/Fiji",
        "Georgetown, La Paz, San Juan": "America/La_Paz", "Greenwich Mean Time": "Europe/London",
        "Greenwich Mean Time : Dublin, Edinburgh, Lisbon, London": "Europe/London",
        "Helsinki, Kiev, Riga, Sofia, Tallinn, Vilnius": "Europe/Kyiv", "Helsinki, Riga, Tallinn": "Europe/Helsinki",
        "Irkutsk, Ulaan Bataar": "Asia/Irkutsk", "Irkutsk, Ulaanbaatar": "Asia/Irkutsk",
        "Islamabad, Karachi, Tashkent": "Asia/Karachi", "Kolkata, Chennai, Mumbai, New Delhi": "Asia/Kolkata",
        "La Paz": "America/La_Paz", "Magadan, Solomon Is., New Caledonia": "Pacific/Guadalcanal",
        "Manaus": "America/Manaus", "Mexico City": "America/Mexico_City", "Mid-Atlantic": "Etc/GMT+2",
        "Midway Island, Samoa": "Pacific/Pago_Pago", "Moscow, St. Petersburg, Volgograd": "Europe/Moscow",
        "Rangoon": "Asia/Yangon", "Sarajevo, Skopje, Sofija, Vilnius, Warsaw, Zagreb": "Europe/Warsaw",
        "Sri Jayawardenapura": "Asia/Colombo", "Tashkent": "Asia/Tashkent",
        "Tijuana, Baja California": "America/Tijuana", "Pacific Time (US & Canada); Tijuana": "America/Los_Angeles",
    ]
}

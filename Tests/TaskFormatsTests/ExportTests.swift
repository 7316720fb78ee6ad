import RemindavICalendar
import RemindavReminders
import Testing

@testable import RemindavTaskFormats

@Suite("exports")
struct ExportTests {
    @Test(
        "a field that a spreadsheet would compute is escaped, and is imported unchanged",
        arguments: [
            ("=1+1", "'=1+1"), ("+49", "'+49"), ("-PT15M", "'-PT15M"), ("@a", "'@a"), ("\tx", "\"'\tx\""),
            ("\rx", "\"'\rx\""),
            ("'=x", "''=x"), ("'x", "'x"), ("''+", "'''+"), ("plain", "plain"), ("", ""), ("a,b", "\"a,b\""),
            ("say \"a\"", "\"say \"\"a\"\"\""), ("two\nlines", "\"two\nlines\""), ("a;b", "\"a;b\""),
        ]
    )
    func field(text: String, expected: String) throws {
        #expect(TableText.field(text) == expected)
        var reader = TableReader(Array("x,\(TableText.field(text))\r\n".utf8), limits: .standard)
        let read = try #require(try reader.rows().first?.fields.last)
        #expect(TableText.restored(read) == text)
    }

    @Test(
        "Markdown, HTML and control characters in a text are escaped",
        arguments: [
            ("a *b* _c_ `d`", #"a \*b\* \_c\_ \`d\`"#), ("<script>", #"\<script\>"#), ("[x](y)", #"\[x\](y)"#),
            ("# head", "\\# head"), ("- item", #"\- item"#), ("1. one", #"1\. one"#), ("12) x", #"12\) x"#),
            ("+ a", #"\+ a"#), ("=====", #"\====="#), ("    code", "code"), ("a\u{1B}[31mb", "a\u{FFFD}\\[31mb"),
            ("a\u{202E}b", "a\u{FFFD}b"), ("a|b & c", #"a\|b \& c"#), ("2026-12-01", "2026-12-01"),
        ]
    )
    func markdown(text: String, expected: String) {
        #expect(MarkdownText.line(text) == expected)
    }

    @Test(
        "the columns keep their order, and each field with one line of text is imported unchanged",
        arguments: ["json", "csv"]
    )
    func lines(form: String) throws {
        var writer = ExportWriter(try #require(ExportForm(rawValue: form)), in: FormatTests.context) { $0 }
        var bytes = writer.beginning
        if form == "csv" {
            let columns =
                "uid,list,title,notes,due,dueZone,start,repeat,repeatFrom,status,completedAt,snoozedUntil,priority,"
                + "parent,location,link,createdAt,updatedAt,labels,alarms\r\n"
            #expect(String(decoding: bytes, as: UTF8.self) == columns)
        }
        var reminder = ExportedReminder(uid: "1", list: "a", title: "b", status: "pending", priority: "none")
        for field in ReminderField.lines { reminder.lines[field.name] = "some \(field.name)" }
        bytes += writer.text(reminder) + writer.end
        let task = try #require(try ParsedTasks(bytes, format: nil, in: FormatTests.context).todos.first)
        for (name, property) in ReminderField.lineProperties {
            #expect(task.lines[property] == "some \(name)")
            #expect(task.properties(now: Instant(secondsSince1970: 0)).contains { $0.name == property })
        }
    }
}

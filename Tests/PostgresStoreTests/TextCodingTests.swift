import RemindavStore
import Testing

@testable import RemindavPostgresStore

@Suite("texts in PostgreSQL")
struct TextCodingTests {
    private static let marker = "\u{10FF00}"

    @Test(
        "a text with U+0000 or with the marker is stored as pairs, and read as before",
        arguments: [
            "\0", "a\0b", "\0\0", "\u{10FF00}", "a\u{10FF00}0", "\u{10FF00}\u{10FF00}\0", "\u{10FF00}1",
            "x\u{10FF01}\0y",
        ]
    )
    func pairs(_ text: String) {
        let stored = Array(text.utf8).withUnsafeBufferPointer { TextCoding.encoded($0) }
        let bytes = stored ?? []
        #expect(!bytes.isEmpty && !bytes.contains(0))
        #expect(bytes.withUnsafeBufferPointer { TextCoding.decoded($0) } == Array(text.utf8))
    }

    @Test("other texts are stored as they are", arguments: ["", "Buy milk", "ä\u{10FF01}\u{F8FF}", "\u{10FFFD}0"])
    func plain(_ text: String) {
        let bytes = Array(text.utf8)
        #expect(bytes.withUnsafeBufferPointer { TextCoding.encoded($0) } == nil)
        #expect(bytes.withUnsafeBufferPointer { TextCoding.decoded($0) } == nil)
    }

    @Test("different texts stay different")
    func injective() {
        let parts = ["", "0", "1", "\0", Self.marker]
        var stored: [[UInt8]: String] = [:]
        for first in parts {
            for second in parts {
                for third in parts {
                    let text = first + second + third
                    let bytes = Array(text.utf8).withUnsafeBufferPointer { TextCoding.encoded($0) } ?? Array(text.utf8)
                    #expect(stored[bytes] == nil || stored[bytes] == text)
                    stored[bytes] = text
                }
            }
        }
    }
}

@Suite("errors of PostgreSQL")
struct PostgresErrorTests {
    @Test(
        "each state has a code of the store",
        arguments: [
            ("23505", DatabaseError.Code.alreadyExists), ("23503", .notFound), ("55P03", .busy), ("57014", .busy),
            ("40001", .busy), ("40P01", .busy), ("53100", .full), ("25006", .unsuitable), ("57P01", .unavailable),
            ("57P03", .unavailable), ("08006", .unavailable), ("53300", .unavailable), ("25P03", .unavailable),
            ("XX001", .corrupt), ("42501", .unsuitable), ("42P01", .other), (nil, .unavailable),
        ] as [(String?, DatabaseError.Code)]
    )
    func codes(state: String?, code: DatabaseError.Code) {
        #expect(DatabaseError(sqlState: state).code == code)
    }

    @Test("the changed table of a statement")
    func tables() {
        #expect(TenantDatabase.table(of: "INSERT INTO list (id) VALUES (?1)") == "list")
        #expect(TenantDatabase.table(of: "UPDATE calendar_object SET title = ?1") == "calendar_object")
        #expect(TenantDatabase.table(of: "DELETE FROM feed") == "feed")
        #expect(TenantDatabase.table(of: "SELECT 1 FROM list") == nil)
    }

    @Test("a server that does not exist is one error, without its address")
    func unreachable() {
        let error = #expect(throws: DatabaseError.self) {
            _ = try PostgresConnection(to: DatabasePlace("host=/nonexistent dbname=x user=y"))
        }
        #expect(error?.code == .unavailable)
    }
}

@Suite("the address of a database")
struct DatabasePlaceTests {
    @Test("a password in an address is found in each form of libpq")
    func passwords() {
        for text in [
            "dbname=x password=y", "host=a PASSWORD = y", "password='a b'", "sslpassword=y", "postgresql://u:p@h/x",
            "postgres://h/x?user=u&password=p", "postgresql://h/x?password=p",
        ] {
            #expect(DatabasePlace(text).hasPassword, "\(text)")
        }
        for text in [
            "service=remindav", "host=/run/postgresql dbname=x user=y", "postgresql://u@h:5433/x", "postgresql://h:1/x",
            "postgresql:///x?host=/run&user=u@v", "passfile=/etc/pass",
        ] {
            #expect(!DatabasePlace(text).hasPassword, "\(text)")
        }
    }
}

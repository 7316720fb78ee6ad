import Testing

@testable import RemindavHTTP

@Suite("forms with files (RFC 7578)")
struct MultipartTests {
    private static let type = "multipart/form-data; boundary=AaB03x"

    private static func parts(_ body: String, pieceBytes: Int = .max, type: String = Self.type) throws -> [String]? {
        var parser = try #require(MultipartParser(contentType: type))
        var parts: [String] = []
        var content: [UInt8] = []
        var rest = Array(body.utf8)[...]
        while !rest.isEmpty {
            for event in try parser.read(Array(rest.prefix(pieceBytes))) {
                switch event {
                case .part(let part): parts.append(part.file.map { "\(part.name) (\($0))" } ?? part.name)
                case .content(let bytes): content += bytes
                case .end:
                    parts.append(String(decoding: content, as: UTF8.self))
                    content = []
                }
            }
            rest = rest.dropFirst(pieceBytes)
        }
        return parser.isComplete ? parts : nil
    }

    private static let form = """
        preamble\r
        --AaB03x\r
        Content-Disposition: form-data; name="token"\r
        \r
        42\r
        --AaB03x  \r
        content-disposition: form-data; name="file"; filename="a;b%22c.ics"\r
        Content-Type: text/calendar\r
        \r
        BEGIN:VCALENDAR\r
        --AaB03\r
        \r\r
        --AaB03x\r
        Content-Disposition: form-data; name=empty; filename=""\r
        \r
        \r
        --AaB03x--\r
        epilogue
        """

    @Test("fields and files are read, in pieces of any size", arguments: [1, 2, 3, 7, 64, 10_000])
    func pieces(bytes: Int) throws {
        let parts = try Self.parts(Self.form, pieceBytes: bytes)
        #expect(
            parts == [
                "token", "42", "file (a;b\"c.ics)", "BEGIN:VCALENDAR\r\n--AaB03\r\n\r", "empty ()", "",
            ]
        )
    }

    @Test("a form of browsers: a quoted boundary, and names in UTF-8")
    func browsers() throws {
        let body =
            "--x y\r\nContent-Disposition: form-data; name=\"file\"; filename=\"Einkäufe.csv\"\r\n\r\na,b\r\n--x y--\r\n"
        #expect(
            try Self.parts(body, type: "Multipart/Form-Data; charset=UTF-8; boundary=\"x y\"") == [
                "file (Einkäufe.csv)", "a,b",
            ]
        )
    }

    @Test(
        "a body with another syntax is refused",
        arguments: [
            "--AaB03x\r\n\r\ntext\r\n--AaB03x--\r\n", "--AaB03xx\r\n",
            "--AaB03x\r\nContent-Disposition: attachment; name=\"a\"\r\n\r\n",
            "--AaB03x\r\nContent-Disposition: form-data\r\n\r\n",
            "--AaB03x\r\nX: " + String(repeating: "a", count: 9000),
        ]
    )
    func malformed(body: String) {
        #expect(throws: MultipartParser.Malformed.self) { try Self.parts(body) }
    }

    @Test("a body that ends early is not complete")
    func cut() throws {
        for length in stride(from: 0, to: Self.form.utf8.count - 13, by: 5) {
            #expect(try Self.parts(String(decoding: Self.form.utf8.prefix(length), as: UTF8.self)) == nil)
        }
    }

    @Test(
        "another type is no form with files",
        arguments: [
            "application/x-www-form-urlencoded", "multipart/form-data", "multipart/form-data; boundary=",
            "multipart/mixed; boundary=x", "multipart/form-data; boundary=" + String(repeating: "x", count: 71), "",
        ]
    )
    func otherTypes(type: String) {
        #expect(MultipartParser(contentType: type) == nil)
    }
}

package import RemindavHTTP
import RemindavICalendar
import RemindavPlatform

/// A file that a browser sent; it has no name on the disk and disappears with this object.
package final class UploadedFile: Sendable {
    /// The name in the browser, for messages.
    package let name: String
    private let file: SpoolFile

    init(name: String, file: SpoolFile) {
        self.name = name
        self.file = file
    }

    /// The source of an import; it can be read several times, but not at the same time.
    package var source: ImportSource {
        ImportSource(name: self.name, isStream: false) {
            try self.file.rewind()
            return ByteSource(name: self.name, fileName: self.name.lastPathPart) { [self] in try self.file.read($0) }
        }
    }
}

/// The fields of a form with files (`multipart/form-data`), and its files.
package struct ReceivedForm: Sendable {
    /// The reason why a form cannot be read.
    package enum Problem: Error, Hashable, Sendable {
        /// The body does not have the form of RFC 7578.
        case malformed
        /// The body ended too early, or had more bytes than the server accepts.
        case incomplete
        case tooManyParts
        /// The fields without files have more bytes than ``maximumFieldBytes``.
        case tooLong
    }

    /// The fields without a file, in their order.
    package private(set) var fields: [(name: String, value: String)] = []
    /// The chosen files, in their order.
    package private(set) var files: [UploadedFile] = []

    /// The maximum number of parts; the form has about ten fields, and a person chooses some files.
    private static let maximumParts = 200
    /// The maximum number of bytes of all fields, which are in memory; files have no such limit.
    package static let maximumFieldBytes = 1 << 20
    private static let pieceBytes = 1 << 16

    fileprivate init() {}
}

extension UseCases {
    /// Reads a form with files; the files are copied to files without a name in the folder of the store.
    ///
    /// - Returns: `nil` for a form of another type.
    /// - Throws: ``ReceivedForm/Problem``, or a `SystemError` if a file cannot be written.
    package func receivedForm(_ request: Request) throws -> ReceivedForm? {
        guard var parser = MultipartParser(contentType: request.headers[.contentType] ?? "") else { return nil }
        var form = ReceivedForm()
        var reading = PartReading(folder: self.configuration.spoolFolder ?? self.configuration.storeFolder) {
            self.configuration.randomBytes(8).hexadecimal
        }
        if let body = request.bodyFile {
            let source = try SpoolFile(path: body.path)
            while true {
                let bytes = try source.read(ReceivedForm.pieceSize)
                if bytes.isEmpty { break }
                try form.add(bytes, &parser, &reading)
            }
        } else {
            try form.add(request.body, &parser, &reading)
        }
        guard parser.isComplete else { throw ReceivedForm.Problem.incomplete }
        return form
    }
}

/// The part that is being read.
private struct PartReading {
    let folder: String
    let fileName: () -> String
    var part: MultipartParser.Part?
    var text: [UInt8] = []
    var file: SpoolFile?
    var parts = 0
    var fieldBytes = 0
    var fileBytes = 0
}

extension ReceivedForm {
    fileprivate static var pieceSize: Int { Self.pieceBytes }

    fileprivate mutating func add(
        _ bytes: [UInt8],
        _ parser: inout MultipartParser,
        _ reading: inout PartReading
    ) throws {
        let events: [MultipartParser.Event]
        do {
            events = try parser.read(bytes)
        } catch {
            throw Problem.malformed
        }
        for event in events {
            switch event {
            case .part(let part):
                reading.parts += 1
                if reading.parts > Self.maximumParts { throw Problem.tooManyParts }
                reading.part = part
                reading.text = []
                reading.fileBytes = 0
                reading.file =
                    part.file == nil
                    ? nil : try SpoolFile(in: reading.folder, name: ".upload-\(reading.fileName())")
            case .content(let bytes):
                if let file = reading.file {
                    try file.write(bytes)
                    reading.fileBytes += bytes.count
                } else {
                    reading.fieldBytes += bytes.count
                    if reading.fieldBytes > Self.maximumFieldBytes { throw Problem.tooLong }
                    reading.text += bytes
                }
            case .end:
                guard let part = reading.part else { break }
                if let file = reading.file {
                    // A browser sends a file without a name and content for an empty file field.
                    if reading.fileBytes > 0 || part.file?.isEmpty == false {
                        self.files.append(UploadedFile(name: part.file ?? "", file: file))
                    }
                } else {
                    self.fields.append((part.name, String(decoding: reading.text, as: UTF8.self)))
                }
                (reading.part, reading.file, reading.text) = (nil, nil, [])
            }
        }
    }
}

import ICalendar

/// What iCalendar can be written as.
package enum ConversionTarget: String, Sendable, CaseIterable {
    /// RFC 7265.
    case jcal
    /// Objects that a script takes apart easily.
    case json
}

extension UseCases {
    /// Writes a file in another form.
    ///
    /// - Parameters:
    ///   - name: what messages call the file.
    ///   - write: takes the answer piece by piece.
    /// - Returns: what could not be read and is left out.
    package static func convert(
        _ bytes: [UInt8],
        named name: String,
        to target: ConversionTarget,
        write: ([UInt8]) throws -> Void
    ) throws -> [IssueView] {
        let document = ICalendarDocument(bytes)
        guard document.isICalendar else { throw UseCaseError.noCalendar(bytes, named: name) }
        switch target {
        case .jcal: try document.writeJCal(write)
        case .json: try document.writePlainJSON(write)
        }
        return document.issues.map { IssueView($0) }
    }
}

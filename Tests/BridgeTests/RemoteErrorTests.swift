import RemindavCalDAV
import RemindavSync
import Testing

@testable import RemindavBridge

@Suite("effects of a server failure on the rest of a sync")
struct RemoteErrorTests {
    @Test(
        "an unsupported method has no effect; only an internal server error may be caused by a UID",
        arguments: [
            (405, RemoteError.Kind.refused, false), (501, .refused, false), (500, .unknownOutcome, true),
            (502, .unknownOutcome, false), (504, .unknownOutcome, false),
        ]
    )
    func serverErrors(status: Int, kind: RemoteError.Kind, mayConcernUID: Bool) {
        let error = RemoteError(CalDAVError(.serverError, status: status))
        #expect(error.kind == kind)
        #expect(error.mayConcernUID == mayConcernUID)
    }
}

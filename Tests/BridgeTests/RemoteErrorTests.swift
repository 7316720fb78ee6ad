import CalDAV
import Sync
import Testing

@testable import Bridge

@Suite("What a failure on the server means for the rest of a sync")
struct RemoteErrorTests {
    @Test(
        "a server that does not know a method has done nothing, and only one that failed itself may have trouble with a UID",
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

import RemindavSQLiteStore
import RemindavStore
import RemindavStoreSupport
import RemindavTestSupport
import Testing

@testable import RemindavBridge
@testable import RemindavPlatform

@Suite("recovery files of rejected texts")
struct RecoveryFilesTests {
    @Test("each text is saved in its own file; if all names are in use, none is overwritten")
    func names() throws {
        let folder = try TemporaryFolder()
        let useCases = UseCases(
            configuration: Configuration(
                storeFolder: folder.path,
                localZone: "UTC",
                zones: Configuration.systemZones(environment: [:]),
                now: { Workplace.now }
            ),
            store: try TestStores.make()
        )
        #expect(try useCases.saveRecoveryFile([1], named: "edit-1") == "\(folder.path)/edit-1.txt")
        for number in 2...999 { try TemporaryFolder.write([], to: "\(folder.path)/edit-1-\(number).txt") }
        #expect(try useCases.saveRecoveryFile([2], named: "edit-1") == "\(folder.path)/edit-1-1000.txt")
        #expect(throws: SystemError.self) { try useCases.saveRecoveryFile([3], named: "edit-1") }
        #expect(SystemFiles.read("\(folder.path)/edit-1-1000.txt", limit: 10) == [2])
        #expect(folder.names.count == 1000)
    }
}

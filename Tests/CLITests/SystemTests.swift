import Glibc
import RemindavBridge
import RemindavTestSupport
import Testing

@testable import RemindavCLI

@Suite("files and streams of the machine")
struct SystemTests {
    private let folder: TemporaryFolder

    init() throws { self.folder = try TemporaryFolder() }

    private func content(_ path: String) throws -> [UInt8] {
        let source = try Files.ofTheMachine.source(path)
        var bytes: [UInt8] = []
        while true {
            let piece = try source.read(3)
            if piece.isEmpty { return bytes }
            bytes += piece
        }
    }

    @Test("a file is written whole and read back in pieces")
    func replace() throws {
        let path = "\(self.folder.path)/out.ics"
        try Files.ofTheMachine.replace(path) { write in
            try write(Array("first ".utf8))
            try write(Array("second".utf8))
        }
        #expect(try self.content(path) == Array("first second".utf8))
        #expect(self.folder.names == ["out.ics"])
    }

    @Test("when writing fails the old file is as it was, and nothing is left over")
    func failure() throws {
        let path = "\(self.folder.path)/out.ics"
        try Files.ofTheMachine.replace(path) { try $0([1, 2, 3]) }
        #expect(throws: CancellationError.self) {
            try Files.ofTheMachine.replace(path) { write in
                try write([4])
                throw CancellationError()
            }
        }
        #expect(try self.content(path) == [1, 2, 3])
        #expect(self.folder.names == ["out.ics"])
    }

    @Test("a replaced file keeps its mode")
    func mode() throws {
        let path = "\(self.folder.path)/secret.ics"
        try Files.ofTheMachine.replace(path) { try $0([1]) }
        #expect(chmod(path, 0o600) == 0)
        try Files.ofTheMachine.replace(path) { try $0([2]) }
        var status = stat()
        #expect(stat(path, &status) == 0)
        #expect(status.st_mode & 0o777 == 0o600)
    }

    @Test("files of a killed process with the same number are no obstacle")
    func leftOver() throws {
        try Files.ofTheMachine.replace("\(self.folder.path)/.remindav-\(getpid())-0.part") { try $0([1]) }
        let path = "\(self.folder.path)/out.ics"
        try Files.ofTheMachine.replace(path) { try $0([2]) }
        #expect(try self.content(path) == [2])
        #expect(self.folder.names.count == 2)
    }

    @Test("a device is written to, not replaced, and a full device is reported")
    func device() {
        #expect(throws: Never.self) { try Files.ofTheMachine.replace("/dev/null") { try $0([1]) } }
        #expect(throws: FileError(code: .diskFull, path: "")) {
            try Files.ofTheMachine.replace("/dev/full") { try $0([1]) }
        }
    }

    @Test("an unreadable value has a reason")
    func unreadable() {
        #expect(throws: FileError(code: .notFound, path: "")) {
            try Files.ofTheMachine.source("\(self.folder.path)/none")
        }
        #expect(throws: FileError(code: .isFolder, path: "")) { try Files.ofTheMachine.source(self.folder.path) }
        #expect(throws: FileError(code: .folderNotFound, path: "")) {
            try Files.ofTheMachine.replace("\(self.folder.path)/none/file") { try $0([1]) }
        }
        #expect(symlink("none", "\(self.folder.path)/link") == 0)
        #expect(throws: FileError(code: .leadsNowhere, path: "")) {
            try Files.ofTheMachine.replace("\(self.folder.path)/link") { try $0([1]) }
        }
    }

    @Test("opening a regular file does not wait for a pipe and does not read a device")
    func plain() throws {
        let path = "\(self.folder.path)/config"
        try #require(mkfifo(path, 0o600) == 0)
        #expect(throws: FileError(code: .notPlain, path: "")) { try Files.ofTheMachine.plainSource(path) }
        #expect(throws: FileError(code: .notPlain, path: "")) { try Files.ofTheMachine.plainSource("/dev/null") }
        #expect(throws: FileError(code: .isFolder, path: "")) { try Files.ofTheMachine.plainSource(self.folder.path) }
        try #require(unlink(path) == 0)
        #expect(throws: FileError(code: .notFound, path: "")) { try Files.ofTheMachine.plainSource(path) }
        try TemporaryFolder.write([1, 2], to: path)
        #expect(try Files.ofTheMachine.plainSource(path).read(10) == [1, 2])
    }

    @Test("a closed pipe and a full disk are different errors")
    func brokenPipe() throws {
        System.ignoreBrokenPipes()
        var ends: [Int32] = [0, 0]
        try #require(pipe(&ends) == 0)
        close(ends[0])
        defer { close(ends[1]) }
        #expect(throws: OutputError(code: .brokenPipe)) { try System.write([1], to: ends[1]) }
        #expect(throws: OutputError(code: .failed)) { try System.write([1], to: -1) }
    }
}

import Glibc
import RemindavTestSupport
import Testing

@testable import RemindavPlatform

@Suite("watched folders")
struct FolderWatchTests {
    @Test("a folder that replaces another under its name is watched instead of it")
    func sameName() throws {
        let folder = try TemporaryFolder()
        let path = "\(folder.path)/a"
        try SystemFiles.makePrivateFolder(path)
        let watch = try FolderWatch()
        #expect(try watch.add(path))
        #expect(try !watch.add(path))
        let standing = open(path, O_RDONLY | O_DIRECTORY)
        try #require(rmdir(path) == 0)
        try SystemFiles.makePrivateFolder(path)
        #expect(try watch.add(path))
        #expect(watch.watched == [[path]])
        try TemporaryFolder.write([1], to: "\(path)/x")
        #expect(watch.changes().files == [path: ["x"]])
        // No process uses the old folder any more.
        close(standing)
        let changes = watch.changes()
        #expect(changes.gone == [] && changes.files == [:])
    }

    @Test("a folder that is watched only for its names reports no writes any more")
    func lessDeep() throws {
        let folder = try TemporaryFolder()
        try TemporaryFolder.write([1], to: "\(folder.path)/x")
        let watch = try FolderWatch()
        #expect(try watch.add(folder.path, .contents))
        #expect(try watch.add(folder.path, .names))
        #expect(try !watch.add(folder.path, .names))
        _ = watch.changes()
        try TemporaryFolder.write([2], to: "\(folder.path)/x")
        #expect(watch.changes().files == [:])
        try TemporaryFolder.write([2], to: "\(folder.path)/y")
        #expect(watch.changes().files == [folder.path: ["y"]])
        #expect(try watch.add(folder.path, .contents))
    }

    @Test("a folder with two names reports under both, as long as one of them is watched")
    func twoNames() throws {
        let folder = try TemporaryFolder()
        let other = "\(folder.path)/."
        let watch = try FolderWatch()
        #expect(try watch.add(folder.path))
        #expect(try watch.add(other))
        #expect(try !watch.add(folder.path))
        #expect(watch.watched == [[folder.path, other]])
        try TemporaryFolder.write([1], to: "\(folder.path)/x")
        #expect(watch.changes().files == [folder.path: ["x"], other: ["x"]])
        watch.removeAll(but: [other])
        try TemporaryFolder.write([1], to: "\(folder.path)/y")
        #expect(watch.changes().files == [other: ["y"]])
    }
}

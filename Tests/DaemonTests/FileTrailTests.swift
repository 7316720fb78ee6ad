import Testing

@testable import Daemon
@testable import Platform

@Suite("The names that lead to the settings file")
struct FileTrailTests {
    /// A file system of folders, files and links, by their path.
    private static func trail(
        to path: String,
        files: Set<String> = [],
        folders: Set<String> = [],
        links: [String: String] = [:],
        others: Set<String> = []
    ) -> FileTrail {
        FileTrail(to: path, linkTarget: { links[$0] }) { place in
            if files.contains(place) { return .file }
            if others.contains(place) { return .other }
            let isFolder = folders.contains(place) || (files.union(others)).contains { $0.hasPrefix("\(place)/") }
            return isFolder ? .folder : nil
        }
    }

    @Test("of a file it is its name in its folder")
    func plain() {
        let trail = Self.trail(to: "/home/ada//.config/./remindav/config", files: ["/home/ada/.config/remindav/config"])
        #expect(trail.names == ["/home/ada/.config/remindav": ["config"]])
        #expect(trail.folder == "/home/ada/.config/remindav")
    }

    @Test("of a file that is not there it is its name, or that of the first folder that is missing")
    func missing() {
        let there = Self.trail(
            to: "/home/ada/.config/remindav/config",
            folders: ["/home", "/home/ada", "/home/ada/.config", "/home/ada/.config/remindav"]
        )
        #expect(there.names == ["/home/ada/.config/remindav": ["config"]])
        #expect(there.folder == "/home/ada/.config/remindav")
        let gone = Self.trail(to: "/home/ada/.config/remindav/config", folders: ["/home", "/home/ada"])
        #expect(gone.names == ["/home/ada": [".config"]])
        #expect(gone.folder == nil)
        let inTheWay = Self.trail(to: "/home/ada/.config/remindav/config", files: ["/home/ada/.config/remindav"])
        #expect(inTheWay.names == ["/home/ada/.config": ["remindav"]])
        #expect(Self.trail(to: "/config").names == ["/": ["config"]])
    }

    @Test("of links it is each of them, and where they lead")
    func links() {
        let file = Self.trail(
            to: "/h/.config/remindav/config",
            files: ["/h/dots/remindav"],
            folders: ["/h/.config", "/h/.config/remindav"],
            links: ["/h/.config/remindav/config": "../../dots/config", "/h/dots/config": "/h/dots/remindav"]
        )
        #expect(file.names == ["/h/.config/remindav": ["config"], "/h/dots": ["config", "remindav"]])
        #expect(file.folder == "/h/dots")
        let folder = Self.trail(
            to: "/h/.config/remindav/config",
            files: ["/h/dots/remindav/config"],
            folders: ["/h/.config"],
            links: ["/h/.config/remindav": "../dots/remindav"]
        )
        #expect(folder.names == ["/h/.config": ["remindav"], "/h/dots/remindav": ["config"]])
        let nowhere = Self.trail(
            to: "/h/.config/config",
            folders: ["/h", "/h/.config"],
            links: ["/h/.config/config": "../dots/config"]
        )
        #expect(nowhere.names == ["/h/.config": ["config"], "/h": ["dots"]])
    }

    @Test("links in a circle are not followed for ever")
    func circle() {
        let trail = Self.trail(to: "/h/a", folders: ["/h"], links: ["/h/a": "b", "/h/b": "a"])
        #expect(trail.names == ["/h": ["a", "b"]])
    }

    @Test("what is written into a device or a pipe is not listened to, only what takes its place")
    func device() {
        let trail = Self.trail(
            to: "/h/config",
            folders: ["/h"],
            links: ["/h/config": "/dev/null"],
            others: ["/dev/null"]
        )
        #expect(trail.names == ["/h": ["config"], "/dev": ["null"]])
        #expect(trail.folder == nil)
        let pipe = Self.trail(to: "/h/config", folders: ["/h"], others: ["/h/config"])
        #expect(pipe.names == ["/h": ["config"]])
        #expect(pipe.folder == nil)
    }

    @Test("other files in the folders do not count, nor the same name elsewhere")
    func touched() {
        let trail = Self.trail(to: "/h/remindav/config", files: ["/h/remindav/config"])
        #expect(trail.isTouched(by: ["/h/remindav": ["config", "x"]]))
        #expect(!trail.isTouched(by: ["/h/remindav": ["config~", ".config.swp"], "/h": ["config"]]))
    }
}

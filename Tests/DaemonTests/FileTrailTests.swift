import Testing

@testable import RemindavDaemon
@testable import RemindavPlatform

@Suite("the watched names of the settings file")
struct FileTrailTests {
    /// Returns the watched names in a simulated file system of folders, files and links.
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

    @Test("for a file it is its name in its folder")
    func plain() {
        let trail = Self.trail(to: "/home/ada//.config/./remindav/config", files: ["/home/ada/.config/remindav/config"])
        #expect(trail.names == ["/home/ada/.config/remindav": ["config"]])
        #expect(trail.folder == "/home/ada/.config/remindav")
    }

    @Test("for a missing file it is its name, or that of the first missing folder")
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

    @Test("for links it is each link and its target")
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

    @Test("circular links end")
    func circle() {
        let trail = Self.trail(to: "/h/a", folders: ["/h"], links: ["/h/a": "b", "/h/b": "a"])
        #expect(trail.names == ["/h": ["a", "b"]])
    }

    @Test("writes to a device or a pipe are ignored; its replacement is not")
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

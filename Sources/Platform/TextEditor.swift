import Dispatch
import Glibc
import Synchronization

/// The reason why a text could not be edited; two errors are equal when their codes are equal.
package struct EditorError: Error, Hashable, Sendable, CustomStringConvertible {
    package enum Code: String, Sendable, CaseIterable {
        case noEditor = "no editor is set, and this terminal does not support vi"
        case notStarted = "the editor could not be started"
        case failed = "the editor ended with an error"
        case interrupted = "interrupted"
        case tooLarge = "the edited text is too large"
        case noFile = "the temporary file for the editor could not be created or no longer exists"
    }

    package let code: Code
    /// The command of the editor, or the path of the file; `nil` when there is none.
    package let subject: String?
    /// The edited text, which the caller saves elsewhere and never prints; `nil` when the file is not readable.
    package let text: [UInt8]?

    package init(_ code: Code, subject: String? = nil, text: [UInt8]? = nil) {
        self.code = code
        self.subject = subject
        self.text = text
    }

    package var description: String { self.code.rawValue }
    package static func == (lhs: Self, rhs: Self) -> Bool { lhs.code == rhs.code }
    package func hash(into hasher: inout Hasher) { hasher.combine(self.code) }
}

/// Runs the user's editor on a text in a temporary file that only this user can read.
package struct TextEditor: Sendable {
    /// The maximum number of bytes that an edit may add; this is also the limit of a content line.
    package static let maximumBytes = 1 << 20
    /// The maximum number of bytes that are read, so that even a text that is too large can be saved elsewhere.
    package static let maximumKeptBytes = 1 << 26
    package let command: String
    /// The folders in which the temporary file may be created, in order of preference.
    let folders: [String]

    /// Finds the editor: VISUAL if the terminal can move the cursor, otherwise EDITOR, otherwise vi; `nil` for none.
    package init?(environment: [String: String]) {
        func value(_ name: String) -> String? { environment[name].flatMap { $0.allSatisfy(\.isWhitespace) ? nil : $0 } }
        let isPlain = (value("TERM") ?? "dumb") == "dumb"
        guard let command = (isPlain ? nil : value("VISUAL")) ?? value("EDITOR") ?? (isPlain ? nil : "vi") else {
            return nil
        }
        self.command = command
        // XDG_RUNTIME_DIR comes first: it is in memory, and only this user can enter it.
        let named = [value("XDG_RUNTIME_DIR"), value("TMPDIR")].compactMap { $0 }.filter { $0.hasPrefix("/") }
        self.folders = named + ["/tmp"]
    }

    /// Lets the user edit a text, and returns the edited text.
    ///
    /// While the editor runs, Ctrl-C affects only the editor. The temporary file is also removed when a signal ends
    /// this program. A thrown error contains the text that the user saved, even if the editor failed.
    package func edit(_ text: [UInt8], named name: String) throws(EditorError) -> [UInt8] {
        let folder = try self.makeFolder()
        // From here on, a signal that ends this program first removes the temporary file.
        let ending = Ending { folder.remove() }
        defer {
            folder.remove()
            ending.cancel()
        }
        let path = "\(folder.path)/\(name)"
        do {
            try SystemFiles.writePrivate(text, to: path)
        } catch {
            throw EditorError(.noFile, subject: path)
        }
        do {
            try self.run(on: path, ending)
        } catch {
            let saved = SystemFiles.read(path, limit: Self.maximumKeptBytes)
            throw EditorError(error.code, subject: error.subject, text: saved)
        }
        guard let edited = SystemFiles.read(path, limit: Self.maximumKeptBytes) else {
            throw EditorError(SystemFiles.exists(path) ? .tooLarge : .noFile, subject: path)
        }
        guard edited.count <= text.count + Self.maximumBytes else {
            throw EditorError(.tooLarge, subject: path, text: edited)
        }
        return edited
    }

    private func makeFolder() throws(EditorError) -> PrivateFolder {
        for parent in self.folders {
            if let folder = PrivateFolder(in: parent) { return folder }
        }
        throw EditorError(.noFile, subject: self.folders[0])
    }

    private func run(on path: String, _ ending: Ending) throws(EditorError) {
        let keys = IgnoredKeys()
        defer { keys.restore() }
        // The shell splits the command into words, as with Git. The path stays one word.
        let words = ["/bin/sh", "-c", "\(self.command) \"$@\"", self.command, path]
        var process: Subprocess?
        let child = ending.editor.start {
            process = try? Subprocess(words, .interactive)
            return process?.id
        }
        guard child != nil, let process else {
            if ending.editor.isEnding { sleep(Self.secondsToEnd) }
            throw EditorError(.notStarted, subject: self.command)
        }
        let end = process.waitForEnd()
        ending.editor.leave()
        // If a signal is ending this program, this thread waits for the end instead of reporting an error.
        if ending.editor.isEnding { sleep(Self.secondsToEnd) }
        switch end {
        case .status(0): break
        // A shell returns 126 for a command that is not executable, 127 for a missing one, 128 + SIGINT after Ctrl-C.
        case .status(126), .status(127): throw EditorError(.notStarted, subject: self.command)
        case .status(128 + SIGINT): throw EditorError(.interrupted, subject: self.command)
        default: throw EditorError(.failed, subject: self.command)
        }
    }

    /// How many seconds a thread waits for a signal that is about to end this program.
    private static let secondsToEnd: UInt32 = 10
}

/// The handler type of `signal(3)`; `nil` is SIG_DFL.
private typealias SignalHandler = @convention(c) (Int32) -> Void

/// The editor process, shared by the thread that runs the editor and the handler of signals.
///
/// ``start(_:)`` and ``end(_:)`` exclude each other, so an editor that was started always receives the signal.
final class RunningEditor: Sendable {
    private struct State {
        var isEnding = false
        var child: pid_t?
    }

    private let state = Mutex(State())
    var isEnding: Bool { self.state.withLock(\.isEnding) }

    /// Starts the editor; returns `nil` when the editor cannot be started or this program is ending.
    func start(_ spawn: () -> pid_t?) -> pid_t? {
        self.state.withLock { state in
            if !state.isEnding { state.child = spawn() }
            return state.child
        }
    }

    /// Forgets the editor's process, which has ended; its number may belong to another process from now on.
    func leave() { self.state.withLock { $0.child = nil } }

    /// Marks this program as ending, and calls `signal` with the editor's process if the editor is running.
    func end(_ signal: (pid_t) -> Void) {
        self.state.withLock { state in
            state.isEnding = true
            if let child = state.child { signal(child) }
        }
    }
}

/// Handles SIGTERM and SIGHUP: forwards them to the editor and removes the temporary file before this program ends.
private final class Ending {
    let editor = RunningEditor()
    private let sources: [(number: Int32, before: SignalHandler?, source: any DispatchSourceSignal)]

    init(cleaning clean: @escaping @Sendable () -> Void) {
        self.sources = [SIGTERM, SIGHUP].compactMap { [editor] number in
            let before = signal(number, SIG_IGN)
            // A signal that is ignored, for example because of `nohup`, stays ignored.
            guard !Self.isIgnoring(before) else { return nil }
            let source = DispatchSource.makeSignalSource(signal: number, queue: .global())
            source.setEventHandler { @Sendable in
                editor.end { _ = kill($0, number) }
                clean()
                _ = signal(number, SIG_DFL)
                kill(getpid(), number)
            }
            source.resume()
            return (number, before, source)
        }
    }

    private static func isIgnoring(_ handler: SignalHandler?) -> Bool {
        unsafe unsafeBitCast(handler, to: Int.self) == unsafeBitCast(SIG_IGN as SignalHandler?, to: Int.self)
    }

    func cancel() {
        for (number, before, source) in self.sources {
            source.cancel()
            _ = signal(number, before)
        }
    }
}

/// A folder that only this user can enter, for the temporary file and the files that the editor creates beside it.
private struct PrivateFolder: Sendable {
    let path: String

    /// Fails when the folder cannot be created.
    init?(in parent: String) {
        var template = Array("\(parent)/remindav-XXXXXX".utf8CString)
        let isMade = unsafe template.withUnsafeMutableBufferPointer { buffer in
            guard let start = buffer.baseAddress else { return false }
            return unsafe mkdtemp(start) != nil
        }
        guard isMade else { return nil }
        self.path = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }

    /// Removes the folder with its files; a second call does nothing.
    func remove() {
        guard let folder = unsafe opendir(self.path) else { return }
        var names: [String] = []
        while let entry = unsafe readdir(folder) {
            let name = unsafe withUnsafePointer(to: &entry.pointee.d_name) { pointer in
                unsafe pointer.withMemoryRebound(to: CChar.self, capacity: Int(NAME_MAX) + 1) {
                    unsafe String(cString: $0)
                }
            }
            if name != ".", name != ".." { names.append(name) }
        }
        unsafe closedir(folder)
        for name in names { SystemFiles.remove("\(self.path)/\(name)") }
        _ = unsafe rmdir(self.path)
    }
}

import Dispatch
import Glibc
import Synchronization

/// Why a person could not edit a text.
///
/// Two errors are equal when their codes are.
package struct EditorError: Error, Hashable, Sendable, CustomStringConvertible {
    /// What went wrong.
    package enum Code: String, Sendable, CaseIterable {
        case noEditor = "no editor is named, and this terminal is too plain for vi"
        case notStarted = "the editor could not be started"
        case failed = "the editor ended with an error"
        case interrupted = "interrupted"
        case tooLarge = "the edited text is too large"
        case noFile = "the file to edit could not be made, or is gone"
    }

    /// What went wrong.
    package let code: Code
    /// The command of the editor, or the file; `nil` when there is none.
    package let subject: String?
    /// What is in the file all the same, for whoever keeps it, and in no message; `nil` when it cannot be had.
    package let text: [UInt8]?

    /// An error about a command or a file.
    package init(_ code: Code, subject: String? = nil, text: [UInt8]? = nil) {
        self.code = code
        self.subject = subject
        self.text = text
    }

    /// What went wrong, without the subject.
    package var description: String { self.code.rawValue }

    /// Whether both have the same code.
    package static func == (lhs: Self, rhs: Self) -> Bool { lhs.code == rhs.code }
    /// Feeds the code.
    package func hash(into hasher: inout Hasher) { hasher.combine(self.code) }
}

/// The person's own editor, for a text in a file that nobody else can read and that is gone afterwards.
package struct TextEditor: Sendable {
    /// Bytes that a text may get more: a content line may have 1 MiB, and nobody types more.
    package static let maximumBytes = 1 << 20
    /// Bytes of a text that are read at all, to be kept where they are too many: somebody may have pasted a whole log.
    package static let maximumKeptBytes = 1 << 26

    /// As the shell reads it: a program, with options where there are some.
    package let command: String
    /// Where the file may be, the best place first.
    let folders: [String]

    /// The editor that the environment names: VISUAL where the terminal can place a cursor, else EDITOR, else vi.
    ///
    /// - Returns: `nil` when none is named and the terminal cannot show vi.
    package init?(environment: [String: String]) {
        func value(_ name: String) -> String? { environment[name].flatMap { $0.allSatisfy(\.isWhitespace) ? nil : $0 } }
        let isPlain = (value("TERM") ?? "dumb") == "dumb"
        guard let command = (isPlain ? nil : value("VISUAL")) ?? value("EDITOR") ?? (isPlain ? nil : "vi") else {
            return nil
        }
        self.command = command
        // The first is in memory, and only this user can enter it.
        let named = [value("XDG_RUNTIME_DIR"), value("TMPDIR")].compactMap { $0 }.filter { $0.hasPrefix("/") }
        self.folders = named + ["/tmp"]
    }

    /// Lets the person edit a text; what it is afterwards.
    ///
    /// While the editor runs, Ctrl-C is its own. The file is removed also when this program is told to end.
    ///
    /// - Parameter name: of the file, without a folder.
    /// - Throws: with what was saved, where that can be read, also when the editor does not end well.
    package func edit(_ text: [UInt8], named name: String) throws(EditorError) -> [UInt8] {
        let folder = try self.makeFolder()
        // From here on nothing of the text is left when this program is told to end, also while it cleans up.
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
        let typed = [SIGINT, SIGQUIT].map { (number: $0, before: signal($0, SIG_IGN)) }
        defer { for (number, before) in typed { _ = signal(number, before) } }
        guard let child = ending.editor.start({ self.spawn(path) }) else {
            if ending.editor.isEnding { sleep(Self.secondsToEnd) }
            throw EditorError(.notStarted, subject: self.command)
        }
        var status: Int32 = 0
        while unsafe waitpid(child, &status, 0) < 0 {
            guard errno == EINTR else { throw EditorError(.failed, subject: self.command) }
        }
        ending.editor.leave()
        // The editor may have ended of the signal that is about to end this program: that is its end, and no other.
        if ending.editor.isEnding { sleep(Self.secondsToEnd) }
        if let code = Self.failure(status) { throw EditorError(code, subject: self.command) }
    }

    /// More than a signal takes to arrive.
    private static let secondsToEnd: UInt32 = 10

    /// What the status of a process that has ended says, as `waitpid` gives it; `nil` when all went well.
    private static func failure(_ status: Int32) -> EditorError.Code? {
        let number = status & 0x7F
        if number != 0 { return number == SIGINT ? .interrupted : .failed }
        switch (status >> 8) & 0xFF {
        case 0: return nil
        // As a shell says that a program is not there, cannot be run, or was ended by Ctrl-C.
        case 126, 127: return .notStarted
        case 130: return .interrupted
        default: return .failed
        }
    }

    /// Starts the editor in our own process group, so that the terminal is its own as it is ours.
    private func spawn(_ path: String) -> pid_t? {
        var attributes = posix_spawnattr_t()
        let environment = unsafe environ
        unsafe posix_spawnattr_init(&attributes)
        defer { unsafe posix_spawnattr_destroy(&attributes) }
        // What this program ignores or holds back would be so in the editor, too.
        var usual = sigset_t()
        unsafe sigemptyset(&usual)
        unsafe posix_spawnattr_setsigmask(&attributes, &usual)
        for number in [SIGINT, SIGQUIT, SIGTERM, SIGHUP, SIGPIPE, SIGTSTP] { unsafe sigaddset(&usual, number) }
        unsafe posix_spawnattr_setsigdefault(&attributes, &usual)
        unsafe posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETSIGMASK))
        // As Git does: the shell splits the command, and the path stays one word whatever is in it.
        let words = ["/bin/sh", "-c", "\(self.command) \"$@\"", self.command, path]
        var arguments = unsafe words.map { unsafe strdup($0) } + [nil]
        defer { unsafe arguments.forEach { unsafe free($0) } }
        var child: pid_t = 0
        let code = unsafe posix_spawn(&child, words[0], nil, &attributes, &arguments, environment)
        return code == 0 ? child : nil
    }
}

/// What `signal` takes and gives; `nil` is SIG_DFL.
private typealias SignalHandler = @convention(c) (Int32) -> Void

/// The editor as this program and the handler of a signal know it.
///
/// It is started and told to end one after the other, so that none is started that is not told.
final class RunningEditor: Sendable {
    private struct State {
        var isEnding = false
        var child: pid_t?
    }

    private let state = Mutex(State())

    /// Whether this program was told to end.
    var isEnding: Bool { self.state.withLock(\.isEnding) }

    /// Starts the editor, unless this program was told to end.
    ///
    /// - Returns: its number, `nil` when it does not run.
    func start(_ spawn: () -> pid_t?) -> pid_t? {
        self.state.withLock { state in
            if !state.isEnding { state.child = spawn() }
            return state.child
        }
    }

    /// The editor has ended, and its number may be another program's.
    func leave() { self.state.withLock { $0.child = nil } }

    /// This program was told to end; `tell` is given the editor, if it runs.
    func end(_ tell: (pid_t) -> Void) {
        self.state.withLock { state in
            state.isEnding = true
            if let child = state.child { tell(child) }
        }
    }
}

/// What is done when this program is told to end while somebody edits: the editor is told as well, the text removed.
private final class Ending {
    let editor = RunningEditor()
    private let sources: [(number: Int32, before: SignalHandler?, source: any DispatchSourceSignal)]

    /// - Parameter clean: removes what must not be left.
    init(cleaning clean: @escaping @Sendable () -> Void) {
        self.sources = [SIGTERM, SIGHUP].compactMap { [editor] number in
            let before = signal(number, SIG_IGN)
            // What is ignored, as by nohup, ends nothing.
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

    /// The signals do again what they did before.
    func cancel() {
        for (number, before, source) in self.sources {
            source.cancel()
            _ = signal(number, before)
        }
    }
}

/// A folder that only this user can enter, for one file and what an editor puts beside it.
private struct PrivateFolder: Sendable {
    let path: String

    /// - Returns: `nil` when none can be made there.
    init?(in parent: String) {
        var template = Array("\(parent)/remindav-XXXXXX".utf8CString)
        let isMade = unsafe template.withUnsafeMutableBufferPointer { buffer in
            guard let start = buffer.baseAddress else { return false }
            return unsafe mkdtemp(start) != nil
        }
        guard isMade else { return nil }
        self.path = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }

    /// Removes it with the files in it; twice is no mistake.
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

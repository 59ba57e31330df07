import CSystem
import Foundation
import Locking
import Processes

/// A child process, and the pipe through which it reports its progress.
///
/// Foundation's `Process` passes on only three descriptors. A driver may print to standard output, so the pipe is a
/// fourth one; what the driver prints goes to standard error.
package final class ChildProcess {
    /// The descriptor of the pipe in the child.
    package static let channel: Int32 = 3

    package let id: pid_t
    private let messages: FileHandle

    private let requests: FileHandle
    /// What came after the last line that was handed over.
    private var rest = Data()
    private let clock = MonotonicClock()
    /// A longer line is none that this program sends.
    private static let longestLine = 1 << 26

    /// Held while a child starts: one that another thread starts meanwhile would inherit the new pipes.
    private static let starting = Lock()

    /// Starts `arguments[0]`, which ``write(_:)`` then talks to, with the variables of this process and those of
    /// `environment`.
    init(_ arguments: [String], environment: [String: String] = [:]) throws(RunError) {
        (id, requests, messages) = try Self.starting.withLock { () throws(RunError) in
            let (input, output) = (try Self.makePipe(), try Self.makePipe())
            defer { for handle in [input.reading, output.writing] { try? handle.close() } }
            let id = try Self.spawn(
                arguments, environment, input: input.reading.fileDescriptor, channel: output.writing.fileDescriptor)
            return (id, input.writing, output.reading)
        }
    }

    /// Starts `arguments[0]` and gives it `input` on standard input, which ends with it.
    package convenience init(
        _ arguments: [String], environment: [String: String] = [:], input: Data
    ) throws(RunError) {
        try self.init(arguments, environment: environment)
        write(input)
        try? requests.close()
    }

    /// Writes to the child's standard input. A child that died breaks the pipe, which waiting for it tells better.
    func write(_ data: Data) {
        var rest = data[...]
        while !rest.isEmpty {
            let written = rest.withUnsafeBytes {
                csystem_write_to_pipe(requests.fileDescriptor, $0.baseAddress, $0.count)
            }
            if written > 0 { rest = rest.dropFirst(written) } else if written == 0 || errno != EINTR { return }
        }
    }

    /// Calls `body` with each line that the child sends, until it closes its end.
    package func forEachLine(_ body: (Data) throws -> Void) rethrows {
        while let line = try? nextLine() { try body(line) }
    }

    /// Waits for the next line that the child sends; nil when it has closed its end.
    ///
    /// - Parameter seconds: How long to wait; nil waits for ever.
    /// - Throws: `Late` if no line has come by then.
    func nextLine(within seconds: Double? = nil) throws(Late) -> Data? {
        let deadline = seconds.map { Double(clock.now()) + $0 * 1e9 }
        while true {
            if let end = rest.firstIndex(of: UInt8(ascii: "\n")) {
                defer { rest = Data(rest[(end + 1)...]) }
                return Data(rest[rest.startIndex..<end])
            }
            if let deadline { try wait(until: deadline) }
            let chunk = messages.availableData
            guard !chunk.isEmpty else { return nil }
            rest.append(chunk)
        }
    }

    /// Thrown when the child does not send a line in time.
    struct Late: Error {}

    private func wait(until deadline: Double) throws(Late) {
        var entry = pollfd(fd: messages.fileDescriptor, events: Int16(POLLIN), revents: 0)
        while rest.count <= Self.longestLine {
            let milliseconds = (deadline - Double(clock.now())) / 1e6
            if milliseconds <= 0 { break }
            // A signal may end the wait early.
            if poll(&entry, 1, Int32(min(milliseconds.rounded(.up), 1e9))) > 0 { return }
        }
        throw Late()
    }

    /// Ends the child at once.
    func end() { kill(id, SIGKILL) }

    /// Waits for the end.
    ///
    /// - Returns: How the child ended, in words; nil if it succeeded.
    package func wait(beforeReaping: () -> Void) -> String? {
        ProcessEnd.await(id)
        beforeReaping()
        var status: Int32 = 0
        while waitpid(id, &status, 0) < 0 && errno == EINTR {}
        return Self.problem(ProcessEnd(status: status))
    }

    /// Returns how a process ended, in words; nil if it succeeded.
    static func problem(_ end: ProcessEnd) -> String? {
        if let signal = end.signal { return "was ended by \(name(ofSignal: signal))" }
        return end.code == 0 ? nil : "ended with exit code \(end.code)"
    }

    /// Makes the kernel end this child process when `parent` ends. If the parent ended before this call, the child has
    /// a new parent already and exits.
    package static func dieWithParent(_ parent: Int32) {
        #if os(Linux)
            _ = csystem_die_with_parent(SIGKILL)
        #endif
        if getppid() != parent { kill(getpid(), SIGKILL) }
    }

    /// Returns the job that the parent gives to this child process, on standard input.
    ///
    /// - Throws: A ``RunError`` if there is none, as when the parent ended before it gave one.
    package static func job<Job: Decodable>(_ type: Job.Type) throws(RunError) -> Job {
        do {
            return try JSONDecoder().decode(type, from: FileHandle.standardInput.readDataToEndOfFile())
        } catch {
            throw RunError(.process, "standard input has no job from another bench: \(JSONFile.reason(error))")
        }
    }

    /// Returns the pipe to the parent, for the child. A program that the child starts, such as the one that prints the
    /// stack after a crash, must not hold it open: the parent would wait for that program.
    package static func channelToParent(_ descriptor: Int32 = channel) -> FileHandle {
        _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
        return FileHandle(fileDescriptor: descriptor, closeOnDealloc: false)
    }

    /// Creates a pipe that a child does not inherit except for the end passed to it: a child with the writing end would
    /// wait for itself.
    private static func makePipe() throws(RunError) -> (reading: FileHandle, writing: FileHandle) {
        var ends: [Int32] = [-1, -1]
        guard pipe(&ends) == 0 else {
            throw RunError(.process, "cannot make a pipe: \(String(cString: strerror(errno)))")
        }
        for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
        let handles = ends.map { FileHandle(fileDescriptor: $0, closeOnDealloc: true) }
        return (handles[0], handles[1])
    }

    static func name(ofSignal signal: Int32) -> String {
        let names: [Int32: String] = [
            SIGHUP: "SIGHUP", SIGINT: "SIGINT", SIGQUIT: "SIGQUIT", SIGILL: "SIGILL", SIGTRAP: "SIGTRAP",
            SIGABRT: "SIGABRT", SIGBUS: "SIGBUS", SIGFPE: "SIGFPE", SIGKILL: "SIGKILL", SIGSEGV: "SIGSEGV",
            SIGPIPE: "SIGPIPE", SIGTERM: "SIGTERM", SIGXCPU: "SIGXCPU", SIGXFSZ: "SIGXFSZ",
        ]
        return names[signal] ?? "signal \(signal)"
    }

    private static func spawn(
        _ arguments: [String], _ environment: [String: String], input: Int32, channel: Int32
    ) throws(RunError) -> pid_t {
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        // What a driver prints is no part of what this program prints.
        if fcntl(STDERR_FILENO, F_GETFD) >= 0 {
            posix_spawn_file_actions_adddup2(&actions, STDERR_FILENO, STDOUT_FILENO)
        } else {
            posix_spawn_file_actions_addopen(&actions, STDOUT_FILENO, "/dev/null", O_WRONLY, 0)
        }
        posix_spawn_file_actions_adddup2(&actions, input, 0)
        posix_spawn_file_actions_adddup2(&actions, channel, Self.channel)
        var attributes = posix_spawnattr_t()
        posix_spawnattr_init(&attributes)
        defer { posix_spawnattr_destroy(&attributes) }
        // Ctrl-C signals the whole process group: the child leaves it to its parent, and so keeps ignoring SIGINT.
        var defaults = sigset_t()
        sigemptyset(&defaults)
        sigaddset(&defaults, SIGTERM)
        sigaddset(&defaults, SIGPIPE)
        posix_spawnattr_setsigdefault(&attributes, &defaults)
        posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGDEF))
        let pointers = arguments.map { strdup($0) } + [nil]
        let own = environment.map { strdup("\($0.key)=\($0.value)") }
        defer { for pointer in pointers + own { free(pointer) } }
        var id: pid_t = 0
        let failure = posix_spawn(
            &id, arguments[0], &actions, &attributes, pointers, own + inherited(besides: environment) + [nil])
        guard failure == 0 else {
            throw RunError(.process, "cannot start \(arguments[0]): \(String(cString: strerror(failure)))")
        }
        return id
    }

    /// Returns the variables of this process, as they are, without those that others replace.
    static func inherited(besides others: [String: String]) -> [UnsafeMutablePointer<CChar>?] {
        var variables: [UnsafeMutablePointer<CChar>?] = []
        var next = environ
        while let variable = next.pointee {
            if others[String(String(cString: variable).prefix { $0 != "=" })] == nil { variables.append(variable) }
            next += 1
        }
        return variables
    }
}

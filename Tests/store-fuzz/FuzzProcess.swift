import Foundation

/// The process of a case, seen from outside.
struct FuzzProcess {
    /// What came of a case.
    enum Verdict: Equatable, CustomStringConvertible {
        case used
        case refused
        /// What is wrong, without what differs from case to case.
        case finding(String)

        var description: String {
            switch self {
            case .used: "used"
            case .refused: "refused"
            case .finding(let kind): kind
            }
        }
    }

    /// Runs this program with `arguments`, its standard error going to the file `log`, and judges how it ended. Blocks.
    static func run(_ arguments: [String], log: String, tracesCrash: Bool) throws -> Verdict {
        let path = CommandLine.arguments[0].contains("/") ? CommandLine.arguments[0] : "/proc/self/exe"
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        posix_spawn_file_actions_addopen(&actions, 2, log, O_WRONLY | O_CREAT | O_TRUNC | O_APPEND, 0o644)
        var environment = ProcessInfo.processInfo.environment
        // Sets and dictionaries in the same order each time.
        environment["SWIFT_DETERMINISTIC_HASHING"] = "1"
        environment["SWIFT_BACKTRACE"] =
            tracesCrash ? "enable=yes,color=no,interactive=no,limit=40,threads=crashed" : "enable=no"
        let words = ([path] + arguments).map { strdup($0) } + [nil]
        let variables = environment.map { strdup("\($0.key)=\($0.value)") } + [nil]
        defer { for pointer in words + variables { free(pointer) } }
        var id: pid_t = 0
        let failure = posix_spawn(&id, path, &actions, nil, words, variables)
        guard failure == 0 else {
            throw FuzzOptions.Mistake(message: "cannot start \(path): \(String(cString: strerror(failure)))")
        }
        var status: Int32 = 0
        var usage = rusage()
        while wait4(id, &status, 0, &usage) < 0, errno == EINTR {}
        return verdict(status, peak: Int(usage.ru_maxrss) * 1_024, log)
    }

    private static func verdict(_ status: Int32, peak: Int, _ log: String) -> Verdict {
        let words = FuzzLog(log)
        switch (status & 0x7F, (status >> 8) & 0xFF) {
        case (0, FuzzCase.Code.used) where peak <= FuzzCase.memory: return .used
        case (0, FuzzCase.Code.refused) where peak <= FuzzCase.memory: return .refused
        case (0, FuzzCase.Code.used), (0, FuzzCase.Code.refused):
            return .finding("more than \(FuzzCase.memory >> 20) MiB of memory in \(words.step)")
        case (0, FuzzCase.Code.wrong): return .finding(words.reason ?? "wrong")
        case (0, let code): return .finding("exit code \(code): \(words.reason ?? words.step)")
        case (SIGXCPU, _), (SIGALRM, _), (SIGKILL, _): return .finding("hang in \(words.step)")
        case (let signal, _): return .finding(words.reason ?? "signal \(signal) in \(words.step)")
        }
    }

}

/// What a case wrote, and what the runtime wrote of its end.
private struct FuzzLog {
    private let lines: [Substring]

    init(_ path: String) {
        let bytes = FileManager.default.contents(atPath: path) ?? Data()
        lines = String(decoding: bytes, as: UTF8.self).split(separator: "\n")
    }

    /// What it was doing.
    var step: String { lines.last { $0.hasPrefix("step: ") }.map { Self.kind($0.dropFirst(6)) } ?? "the beginning" }

    /// What it said was wrong, or where the store's code trapped if there is a stack trace.
    var reason: String? {
        if let said = lines.last(where: { $0.contains("Fatal error: ") || $0.hasPrefix("Wrong: ") }) {
            return Self.kind(said)
        }
        guard let frame = lines.first(where: { $0.contains("/Sources/ManagedStore/") }) else { return nil }
        return frame.split(separator: "/").last.map { "trap at \($0)" }
    }

    /// Without what differs from case to case: numbers in the message, keys, paths.
    private static func kind(_ text: Substring) -> String {
        let parts = text.split(separator: "Fatal error: ", maxSplits: 1)
        let message = parts[parts.count - 1]
            .replacing(#/x-coredata:\/\/[-0-9A-Z]+\/[A-Za-z]+\/p-?[0-9]+(\.[A-Za-z]+)?/#, with: "an object")
            .replacing(#/\/[^ ]*\//#, with: "").replacing(#/-?[0-9]+/#, with: "#")
        return (parts.count == 2 ? "trap at \(parts[0])" : "") + message.prefix(100)
    }
}

import Foundation

/// What `/proc/PID/stat` tells of a process or of one of its threads (proc(5)).
package struct ProcessState {
    let name: String
    let state: Character
    package let parent: pid_t
    let session: pid_t
    let threads: Int

    /// Nil for a process that is not there, and where there is no `/proc`.
    package init?(_ process: pid_t) { self.init("/proc/\(process)/stat") }

    init?(_ path: String) {
        guard let text = ProcText.read(path)?.text, let start = text.firstIndex(of: "("),
            let end = text.lastIndex(of: ")"), start < end
        else { return nil }
        // The state is field 3, the parent 4, the session 6 and the number of threads 20.
        let fields = text[text.index(after: end)...].split(separator: " ")
        guard fields.count > 17, let state = fields[0].first, let parent = pid_t(fields[1]),
            let session = pid_t(fields[3]), let threads = Int(fields[17])
        else { return nil }
        name = String(text[text.index(after: start)..<end])
        (self.state, self.parent, self.session, self.threads) = (state, parent, session, threads)
    }

    /// Whether it runs, or waits for a processor.
    var canRun: Bool { state == "R" }
    /// Whether it waits for storage.
    var awaitsStorage: Bool { state == "D" }

    /// The numbers of all processes.
    static var processes: [pid_t] { names(in: "/proc").compactMap { pid_t($0) } }

    /// The states of the threads of a process, which may be `self`.
    static func threads(of process: String) -> [ProcessState] {
        names(in: "/proc/\(process)/task").compactMap { ProcessState("/proc/\(process)/task/\($0)/stat") }
    }

    private static func names(in folder: String) -> [String] {
        (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
    }
}

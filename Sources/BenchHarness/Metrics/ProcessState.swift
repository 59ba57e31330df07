import Foundation

/// What `/proc/PID/stat` tells of a thread or a process (proc(5)).
struct ProcessState {
    let name: String
    let state: Character
    let parent: pid_t
    let session: pid_t
    let threads: Int

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

    var canRun: Bool { state == "R" }
}

import Foundation

/// The processes of a server on this machine, whose CPU time a client can see.
///
/// What one has used that ended meanwhile is not counted.
struct ServerProcesses: Sendable {
    /// The parent of all others.
    private let parent: pid_t
    private var processes: [pid_t] = []

    init(parent: pid_t) {
        self.parent = parent
        find()
    }

    /// Looks for the processes that there are now.
    mutating func find() {
        processes = [parent] + ProcessState.processes.filter { ProcessState($0)?.parent == parent }
    }

    /// The CPU time of the processes that were found, in nanoseconds.
    var cpu: Int {
        processes.reduce(0) { sum, process in
            var (clock, time) = (clockid_t(), timespec())
            guard clock_getcpuclockid(process, &clock) == 0, clock_gettime(clock, &time) == 0 else { return sum }
            return sum + Int(time.tv_sec) * 1_000_000_000 + Int(time.tv_nsec)
        }
    }
}

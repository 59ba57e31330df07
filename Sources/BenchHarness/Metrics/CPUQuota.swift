import Foundation

/// The limit on the CPU time of a container: a cgroup whose processes all stop for the rest of a period once they have
/// used their share.
enum CPUQuota {
    /// For how long the processes of the cgroup were stopped, in nanoseconds; nil if it has no quota.
    static var throttledNanoseconds: Int? {
        let path = ProcText.read("/proc/self/cgroup")?.cgroupPath ?? "/"
        // A container sees its own cgroup as the root, or the host's path, which does not exist in it.
        let files = ["/sys/fs/cgroup\(path)/cpu.stat", "/sys/fs/cgroup/cpu.stat", "/sys/fs/cgroup/cpu/cpu.stat"]
        return files.lazy.compactMap { ProcText.read($0)?.throttledNanoseconds }.first
    }
}

extension ProcText {
    /// The path of the cgroup in `/proc/self/cgroup`, in version 2 of cgroups.
    var cgroupPath: String? {
        text.split(separator: "\n").first { $0.hasPrefix("0::") }.map { String($0.dropFirst(3)) }
    }

    /// The time in `cpu.stat` for which a cgroup was stopped: version 2 counts microseconds, version 1 nanoseconds.
    var throttledNanoseconds: Int? {
        for line in text.split(separator: "\n") {
            let parts = line.split(separator: " ")
            guard parts.count == 2, let value = Int(parts[1]) else { continue }
            if parts[0] == "throttled_usec" { return value * 1_000 }
            if parts[0] == "throttled_time" { return value }
        }
        return nil
    }
}

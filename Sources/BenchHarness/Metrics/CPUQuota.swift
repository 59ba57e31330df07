import Foundation

/// The limit on the CPU time of a container: a cgroup whose processes all stop for the rest of a period once they have
/// used their share.
enum CPUQuota {
    /// For how long the quotas of this process's cgroup, and of those that it lies in, stopped their processes, in
    /// nanoseconds; nil if the system has no such count.
    static var throttledNanoseconds: Int? {
        let folders = ProcText.read(own)?.processorFolders ?? []
        let times = folders.compactMap { ProcText.read("\($0)/cpu.stat")?.throttledNanoseconds }
        return times.isEmpty ? nil : times.reduce(0, +)
    }

    /// As the time of how many cores the processes may use, by the smallest of these quotas, such as 0.5; nil without a
    /// quota.
    ///
    /// - Parameter read: Reads a file of the system, by its path.
    static func cores(_ read: (String) -> ProcText?) -> Double? {
        let folders = read(own)?.processorFolders ?? []
        return folders.compactMap { folder -> Double? in
            let quota = read("\(folder)/cpu.max") ?? read("\(folder)/cpu.cfs_quota_us")
            let period = read("\(folder)/cpu.cfs_period_us")
            return quota?.quotaCores(periodOfVersion1: period)
        }.min()
    }

    private static let own = "/proc/self/cgroup"
}

extension ProcText {
    /// The folders with the CPU figures of the cgroups in `/proc/self/cgroup`, from the innermost to the root, in
    /// either version of cgroups.
    ///
    /// A container sees its own cgroup as the root, or the host's path, which does not exist in it.
    var processorFolders: [String] {
        text.split(separator: "\n").flatMap { line -> [String] in
            let fields = line.split(separator: ":", maxSplits: 2, omittingEmptySubsequences: false)
            guard fields.count == 3 else { return [] }
            // Version 2 has one hierarchy, and version 1 one for each controller, such as `cpu` or `cpu,cpuacct`.
            let controllers = fields[1].split(separator: ",")
            guard controllers.isEmpty || controllers.contains("cpu") else { return [] }
            let root = controllers.isEmpty ? "/sys/fs/cgroup" : "/sys/fs/cgroup/cpu"
            let folders = fields[2].split(separator: "/")
            return (0...folders.count).reversed().map { depth in
                ([root] + folders.prefix(depth).map(String.init)).joined(separator: "/")
            }
        }
    }

    /// The quota in `cpu.max` over its period, which version 1 of cgroups has in a file of its own; nil for no limit.
    func quotaCores(periodOfVersion1: ProcText?) -> Double? {
        let words = (text + " " + (periodOfVersion1?.text ?? "")).split(whereSeparator: \.isWhitespace)
        guard words.count >= 2, let quota = Double(words[0]), let period = Double(words[1]), quota > 0, period > 0
        else { return nil }
        return quota / period
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

/// Whether runs come from one machine, or from machines that are alike.
struct HostMatch {
    /// The difference in words; nil if no known fact differs.
    let difference: String?
    /// Files without a manifest.
    let unknown: [String]

    init(_ runs: [RecordedRun]) {
        unknown = runs.filter { $0.manifest == nil }.map(\.name)
        let hosts = runs.compactMap { $0.manifest?.host }
        difference = hosts.dropFirst().lazy.compactMap { hosts[0].difference(from: $0) }.first
    }
}

extension HostFacts {
    /// Returns the difference in words; nil if this is the same machine or one like it. A newer kernel does not make
    /// another machine.
    func difference(from other: HostFacts) -> String? {
        if cpuModel != other.cpuModel { return "\(cpuModel ?? "unknown CPU") and \(other.cpuModel ?? "unknown CPU")" }
        if cores != other.cores { return "\(cores) and \(other.cores) cores" }
        // The kernel reserves a varying amount of memory.
        let (gibibytes, others) = (memoryGibibytes, other.memoryGibibytes)
        return gibibytes == others ? nil : "\(gibibytes) and \(others) GiB of memory"
    }

    private var memoryGibibytes: Int { Int((Double(memoryBytes) / Double(1 << 30)).rounded()) }
}

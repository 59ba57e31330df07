/// Whether runs come from one machine, or from machines that are alike.
struct HostMatch {
    /// The difference in words; nil if no known fact differs.
    let difference: String?
    /// Whether all runs are known to come from one boot of one machine.
    let isOneBoot: Bool
    /// Whether some runs are known to come from different boots.
    let isAnotherBoot: Bool
    /// Files without a manifest.
    let unknown: [String]

    init(_ runs: [RecordedRun]) {
        unknown = runs.filter { $0.manifest == nil }.map(\.name)
        let hosts = runs.compactMap { $0.manifest?.host }
        difference = hosts.dropFirst().lazy.compactMap { hosts[0].difference(from: $0) }.first
        let boots = hosts.compactMap(\.boot)
        isOneBoot = difference == nil && boots.count == runs.count && Set(boots).count == 1
        isAnotherBoot = difference == nil && Set(boots).count > 1
    }
}

extension HostFacts {
    /// Returns the difference in words; nil if this is the same machine or one like it. A fact that either side does
    /// not know is no difference. A newer kernel does not make another machine, and neither does another boot.
    func difference(from other: HostFacts) -> String? {
        if cpuModel != other.cpuModel { return "\(cpuModel ?? "unknown CPU") and \(other.cpuModel ?? "unknown CPU")" }
        if cores != other.cores { return "\(cores) and \(other.cores) cores" }
        // The kernel reserves a varying amount of memory.
        let (gibibytes, others) = (memoryGibibytes, other.memoryGibibytes)
        if gibibytes != others { return "\(gibibytes) and \(others) GiB of memory" }
        return identityDifference(from: other)
    }

    private func identityDifference(from other: HostFacts) -> String? {
        // One kernel runs on one machine, and so do all of its containers.
        if let boot, boot == other.boot { return nil }
        if let product, let others = other.product, product != others { return "\(product) and \(others)" }
        if let isVirtual, let others = other.isVirtual, isVirtual != others {
            return "a virtual and a physical machine"
        }
        if let machine, let others = other.machine, machine != others {
            return "machines \(machine) and \(others) of the same kind"
        }
        return nil
    }

    private var memoryGibibytes: Int { Int((Double(memoryBytes) / Double(1 << 30)).rounded()) }
}

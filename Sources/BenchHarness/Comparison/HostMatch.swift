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
    /// not know is no difference, but for the machine after another boot: each job of a CI service may get a virtual
    /// machine of its own, in whose containers nothing else differs. A newer kernel does not make another machine.
    ///
    /// - Parameter countsBoots: Whether another boot is one of an unknown machine.
    func difference(from other: HostFacts, countsBoots: Bool = true) -> String? {
        if let cpuModel, let others = other.cpuModel, cpuModel != others { return "\(cpuModel) and \(others)" }
        if cores != other.cores { return "\(cores) and \(other.cores) cores" }
        if let usableCores, let others = other.usableCores, usableCores != others {
            return "\(Self.text(usableCores)) and \(Self.text(others)) usable cores"
        }
        // The kernel reserves a varying amount of memory.
        let (gibibytes, others) = (memoryGibibytes, other.memoryGibibytes)
        if gibibytes != others { return "\(gibibytes) and \(others) GiB of memory" }
        return identityDifference(from: other, countsBoots)
    }

    private func identityDifference(from other: HostFacts, _ countsBoots: Bool) -> String? {
        // One kernel runs on one machine, and so do all of its containers.
        if let boot, boot == other.boot { return nil }
        if let product, let others = other.product, product != others { return "\(product) and \(others)" }
        if let isVirtual, let others = other.isVirtual, isVirtual != others {
            return "a virtual and a physical machine"
        }
        if let machine, let others = other.machine {
            return machine == others ? nil : "machines \(machine) and \(others) of the same kind"
        }
        return countsBoots && boot != nil && other.boot != nil ? "another boot, and no identity of the machine" : nil
    }

    private var memoryGibibytes: Int { Int((Double(memoryBytes) / Double(1 << 30)).rounded()) }
}

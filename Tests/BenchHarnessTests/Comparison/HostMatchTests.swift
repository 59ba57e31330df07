import Foundation
import Testing

@testable import BenchHarness

@Suite struct HostMatchTests {
    private func host(boot: String? = nil, machine: String? = nil, product: String? = nil) -> HostFacts {
        var host = ComparisonFixture.host()
        (host.boot, host.machine, host.product, host.isVirtual) = (boot, machine, product, nil)
        return host
    }

    private func run(_ host: HostFacts) -> RecordedRun {
        var fixture = ComparisonFixture()
        fixture.manifest = ComparisonFixture.manifest(host: host)
        fixture.add("fetch", durationsMilliseconds: [1])
        return fixture.run
    }

    private func match(_ one: HostFacts, _ other: HostFacts) -> HostMatch { HostMatch([run(one), run(other)]) }

    @Test func whatIsUnknownIsNoDifference() {
        let match = match(host(), host(boot: "1", machine: "m", product: "p"))
        #expect(match.difference == nil && !match.isOneBoot && !match.isAnotherBoot)
    }

    @Test func anotherMachineOfTheSameKindIsAnother() {
        #expect(match(host(boot: "1", machine: "m"), host(boot: "2", machine: "n")).difference != nil)
        #expect(match(host(product: "p"), host(product: "q")).difference == "p and q")
    }

    /// Each container may have an identity of its own.
    @Test func oneBootIsOneMachine() {
        let match = match(host(boot: "1", machine: "m"), host(boot: "1", machine: "n"))
        #expect(match.difference == nil && match.isOneBoot)
    }

    @Test func anotherBootIsTheSameMachineAndSaid() throws {
        let (one, other) = (host(boot: "1", machine: "m"), host(boot: "2", machine: "m"))
        let match = match(one, other)
        #expect(match.difference == nil && match.isAnotherBoot && !match.isOneBoot)
        let comparison = try Comparison(base: [run(one)], new: [run(other)])
        #expect(comparison.baseline == nil)
        #expect(comparison.notes.contains { $0.hasPrefix("another boot: ") })
    }

    /// Jobs of a CI service run in containers of virtual machines that differ in nothing else.
    @Test func anotherBootOfAnUnknownMachineIsAnotherMachine() throws {
        let (one, other) = (host(boot: "1"), host(boot: "2"))
        for (one, other) in [(one, other), (one, host(boot: "2", machine: "m"))] {
            let match = match(one, other)
            #expect(match.difference == "another boot, and no identity of the machine" && !match.isOneBoot)
        }
        #expect(match(one, host(boot: "1")).difference == nil)
    }

    @Test func fewerCoresThatMayBeUsedAreAnotherMachine() {
        let limited = { (allowed: Int?, quota: Double?) in
            var host = self.host()
            (host.cores, host.allowedCores, host.quotaCores) = (4, allowed, quota)
            return host
        }
        let whole = limited(4, nil)
        #expect(match(whole, limited(4, 8)).difference == nil)
        #expect(match(whole, limited(nil, nil)).difference == nil)
        #expect(match(whole, limited(1, nil)).difference == "4 and 1 usable cores")
        #expect(match(limited(2, 0.5), whole).difference == "0.5 and 4 usable cores")
        #expect(limited(2, 2).coresText == "2 of 4 (quota)")
        #expect(limited(1, nil).coresText == "1 of 4 (affinity)" && limited(4, 8).coresText == "4")
    }

    @Test func theAffinityOfTheProcessIsRecorded() {
        let cores = Cores.system
        #expect(HostFacts().allowedCores.map { $0 == cores.allowed.count } != false)
        let (host, isPinned) = cores.pinned(to: cores.allowed.first) { HostFacts() }
        #expect(!isPinned || host.allowedCores == 1)
    }

    @Test func anUnknownProcessorIsNoDifference() {
        var unknown = host()
        unknown.cpuModel = nil
        #expect(match(host(), unknown).difference == nil)
    }

    @Test func aProcessorWithoutANameHasNumbers() {
        let arm =
            "processor\t: 0\nBogoMIPS\t: 243.75\nCPU implementer\t: 0x41\nCPU architecture: 8\nCPU part\t: 0xd40\n"
        #expect(HostFacts.cpuModel(ProcText(text: arm)) == "arm64 0x41 0xd40")
        #expect(HostFacts.cpuModel(ProcText(text: "model name\t: AMD EPYC\n")) == "AMD EPYC")
        #expect(HostFacts.cpuModel(ProcText(text: "processor\t: 0\n")) == nil)
    }

    @Test func manifestsKeepTheIdentity() throws {
        let manifest = ComparisonFixture.manifest(host: host(boot: "1", machine: "m", product: "p"))
        let read = try JSONFile.decode(Manifest.self, JSONFile.text(manifest)).host
        #expect([read.boot, read.machine, read.product] == ["1", "m", "p"])
    }
}

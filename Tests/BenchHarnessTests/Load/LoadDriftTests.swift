import Testing

@testable import BenchHarness

@Suite struct LoadDriftTests {
    private func samples(_ count: Int, _ change: (inout LoadSample, Int) -> Void) -> [LoadSample] {
        var random = SplitMix64(state: 11)
        return (0..<count).map { index in
            var sample = LoadSample()
            sample.seconds = Double(index + 1)
            sample.intervalSeconds = 1
            sample.operations = 1_000 + random.below(50)
            sample.latencyP99 = 5_000_000 + random.below(500_000)
            sample.heapBytes = 20_000_000 + random.below(1_000_000)
            sample.logBytes = 1_000_000 + random.below(1_000_000)
            change(&sample, index)
            return sample
        }
    }

    @Test func steadyLoadHasNone() {
        #expect(LoadDrift.text(samples(60) { _, _ in }) == "none")
    }

    @Test func leakIsFound() throws {
        let leaking = samples(60) { sample, index in sample.heapBytes = sample.heapBytes.map { $0 + index * 100_000 } }
        let drift = try #require(LoadDrift(leaking))
        #expect(drift.drifts.map(\.figure) == ["heap_bytes"])
        #expect(abs(drift.drifts[0].perMinute / 6_000_000 - 1) < 0.1)
        #expect(LoadDrift.text(leaking).hasPrefix("heap_bytes +"))
    }

    @Test func whatTheHarnessKeepsIsNoLeak() {
        let keeping = samples(60) { sample, index in
            sample.heapBytes = sample.heapBytes.map { $0 + index * 100_000 }
            sample.ledgerBytes = index * 100_000
        }
        #expect(LoadDrift.text(keeping) == "none")
    }

    @Test func slowingDownIsFound() throws {
        let slowing = samples(60) { sample, index in
            sample.operations -= index * 4
            sample.latencyP99 = sample.latencyP99.map { $0 + index * 50_000 }
        }
        #expect(try #require(LoadDrift(slowing)).drifts.map(\.figure) == ["throughput_per_s", "latency_p99_ns"])
    }

    @Test func speedingUpIsNoDrift() {
        #expect(LoadDrift.text(samples(60) { sample, index in sample.operations += index * 10 }) == "none")
    }

    @Test func fewSamplesSayNothing() {
        #expect(LoadDrift.text(samples(19) { _, _ in }).hasPrefix("insufficient data"))
    }

    #if compiler(>=6.2) && os(Linux)
        /// The estimate is taken off the heap: too far off, and the harness would find a leak of its own. In a process
        /// of its own, whose heap no other test uses.
        @Test func ledgerKnowsWhatItTakes() async {
            await #expect(processExitsWith: .success) {
                let probe = LinuxMetricProbe()
                var ledger = Ledger()
                // A sanitizer's allocator does not tell.
                guard let before = probe.sample().heapBytes else { return }
                for ordinal in 0..<200_000 {
                    var operation = LoadOperation(.update)
                    operation.changes = [ordinal]
                    operation.change = .attributes([3], revision: 7)
                    ledger.note(operation, start: 1, end: 2, isAcknowledged: true)
                }
                let grown = (probe.sample().heapBytes ?? 0) - before
                precondition(abs(ledger.heapBytes - grown) < grown / 4, "\(ledger.heapBytes) of \(grown)")
            }
        }
    #endif
}

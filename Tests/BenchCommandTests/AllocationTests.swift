import Foundation
import TestSupport
import Testing

@Suite(.ownThreads) struct AllocationTests {
    /// A process of its own, in which nothing else allocates meanwhile.
    @Test func knownAllocationsAreCountedExactly() throws {
        let bench = try BenchBinary()
        let outcome = try bench.run(BenchBinary.known, ["allocations"])
        #expect(outcome.code == 0, "\(outcome.errors)")
        let expected = """
            malloc 1000 24000
            calloc 10 210
            realloc 4 1500
            aligned 2 384
            left out 0 0
            threads 4000 32000
            later threads 4000 32000

            """
        #expect(outcome.output == (Self.isCounted ? expected : "nothing counts\n"))
    }

    /// Each repetition is a process of its own.
    @Test(arguments: ["managed", "sqlite"]) func phasesRepeatTheirAllocations(_ driver: String) throws {
        let bench = try BenchBinary()
        let run = try bench.run(
            "run", BenchBinary.tiny, "--allow-debug", "--quiet", "--driver", driver, "--repetitions", "3", "--output",
            "run.csv")
        #expect(run.code == 0, "\(run.errors)")
        for phase in ["seed", "fetch-sync", "update"] {
            let calls = try bench.column("allocations", of: phase, in: "run.csv")
            let bytes = try bench.column("allocated_bytes", of: phase, in: "run.csv")
            guard Self.isCounted else {
                #expect(calls == ["", "", ""] && bytes == ["", "", ""])
                continue
            }
            // From process to process, one block of 16 KiB is taken within the clock or outside of it.
            for (texts, slack) in [(calls, 20.0), (bytes, 20.0 + 16_384)] {
                let counts = texts.compactMap(Int.init)
                #expect(counts.count == 3, "\(texts)")
                let (low, high) = (counts.min() ?? 0, counts.max() ?? 0)
                #expect(low > 10 && Double(high - low) <= 0.02 * Double(high) + slack, "\(phase): \(texts)")
            }
        }
    }

    /// Sanitizers have an allocator of their own.
    private static let isCounted = !Sanitizer.isOn
}

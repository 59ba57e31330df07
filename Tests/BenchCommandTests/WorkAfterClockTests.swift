import Foundation
import Testing

@testable import BenchHarness

/// What a driver does after the clock has stopped is found in the process that runs it.
@Suite(.ownThreads) struct WorkAfterClockTests {
    @Test func workThatIsPutOffShowsAndAChildThatIsLeftFails() throws {
        let bench = try BenchBinary()
        let outcome = try bench.run(
            BenchBinary.slowed,
            [
                "run", BenchBinary.smoke, "--allow-debug", "--quiet", "--scale", "0.1", "--driver", "late",
                "--repetitions", "1", "--output", "out.csv",
            ])
        #expect(outcome.code == 3, "\(outcome.errors)")
        let rows = try bench.rows()
        let chunked = try #require(rows.first { $0.mode == "chunked" })
        #expect(chunked.status == .ok && (chunked.cpuAfter ?? 0) >= 190_000_000, "\(chunked.error)")
        let batch = try #require(rows.first { $0.mode == "batch" })
        #expect(batch.status == .failed)
        #expect(batch.error.contains("a child process of the driver was not waited for"), "\(batch.error)")
        let seeded = try #require(rows.first { $0.kind == "seed" })
        // A process at rest is not asked again and again.
        #expect(seeded.status == .ok && (seeded.cpuAfter ?? .max) < 150_000_000)
    }
}

import Foundation
import Testing

/// What is inconclusive passes unless it must not.
@Suite(.ownThreads) struct StrictCommandTests {
    private func csv(_ durations: [Int]) -> Data {
        let rows = durations.enumerated().map { "r\(durations[0]),s,d,p,\($0 + 1),ok,true,\($1)000000\n" }
        return Data(("run,scenario,driver,phase,repetition,status,verified,duration_ns\n" + rows.joined()).utf8)
    }

    @Test func whatIsInconclusivePassesOnlyWithoutStrict() throws {
        let bench = try BenchBinary()
        try csv([80, 95, 100, 104, 118, 123, 131, 90]).write(to: bench.folder.appendingPathComponent("base.csv"))
        try csv([84, 97, 103, 99, 121, 126, 133, 88]).write(to: bench.folder.appendingPathComponent("new.csv"))
        for (more, code) in [([], 0), (["--strict"], 4)] as [([String], Int32)] {
            let outcome = try bench.run(["compare", "base.csv", "new.csv"] + more)
            #expect(outcome.code == code, "\(outcome.output)\(outcome.errors)")
            #expect(outcome.output.contains("inconclusive: 1 figure may have changed"), "\(outcome.output)")
        }
    }
}

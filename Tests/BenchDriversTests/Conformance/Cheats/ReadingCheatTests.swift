import BenchDrivers
import ForwardingDriver
import Foundation
import TestSupport
import Testing

@testable import BenchHarness
@testable import DriverConformance

/// Each cheat fails for its own reason, and honest drivers pass.
@Suite struct ReadingCheatTests {
    /// A cheat that only its CPU time gives away gets several attempts: other tests use CPU time of this process
    /// meanwhile, which hides what the cheat did not use. Every other cheat fails each time.
    private static func attempts(_ cheat: ReadingCheat) -> Int { cheat.scenario.name == "cancelled" ? 10 : 1 }

    @Test(arguments: ReadingCheat.all)
    func aCheatFailsForItsReason(_ cheat: ReadingCheat) async throws {
        var row = ResultRow()
        for _ in 0..<Self.attempts(cheat) where row.status != .failed {
            row = try #require(
                try await rows(of: cheat.scenario, by: cheat).first { $0.phase == cheat.phase }, "\(cheat.phase)")
        }
        #expect(row.status == .failed)
        #expect(row.error.contains(cheat.reason), "\(row.error)")
    }

    @Test(arguments: DriverCase.all, [Scenario.fetches, .cancelled])
    func anHonestDriverPasses(_ subject: DriverCase, _ scenario: Scenario) async throws {
        for row in try await rows(of: scenario, by: subject.driver) {
            #expect(row.status == .ok, "\(row.phase): \(row.error)")
            #expect(row.verified == true)
        }
    }

    /// Planted values alone catch these, which is why the manifest says whether there were any.
    @Test(arguments: [ReadingCheat.answersFromTheGenerator, .remembersAnEarlierPhase])
    func aDriverThatReadsNothingPassesIfNothingIsPlanted(_ cheat: ReadingCheat) async throws {
        var cheat = cheat
        cheat.isPlanted = false
        let row = try #require(try await rows(of: .fetches, by: cheat).first { $0.phase == cheat.phase })
        #expect(row.status == .ok, "\(row.error)")
    }

    /// A lazy result is no cheat: the harness reads it while the clock runs.
    @Test(arguments: ["sync", "async", "untouched"])
    func aLazyResultIsReadWithinTheClock(_ phase: String) async throws {
        let driver = ReadingCheat("lazy", phase: phase, reason: "") { base, _ in Lazy(base) }
        let rows = try await rows(of: .fetches, by: driver)
        let row = try #require(rows.first { $0.phase == phase })
        #expect(row.status == .ok, "\(row.error)")
        #expect(try #require(row.counters.rows) >= 6_000)
    }

    private func rows(of scenario: Scenario, by driver: any StoreDriver) async throws -> [ResultRow] {
        let folder = try TemporaryDirectory()
        return try await onThread { try scenario.reports(by: driver, in: folder.url).map(\.row) }
    }
}

extension ReadingCheat: CustomTestStringConvertible {
    var testDescription: String { name }
}

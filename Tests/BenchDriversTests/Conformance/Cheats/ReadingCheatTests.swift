import BenchDrivers
import ForwardingDriver
import Foundation
import TestSupport
import Testing

@testable import BenchHarness
@testable import DriverConformance

/// Each cheat fails for its own reason, and honest drivers pass.
@Suite struct ReadingCheatTests {
    @Test(arguments: ReadingCheat.all.filter { $0.name != ReadingCheat.cancelsNothing.name })
    func aCheatFailsForItsReason(_ cheat: ReadingCheat) async throws { try await Self.expectFailure(of: cheat) }

    #if compiler(>=6.2) && os(Linux)
        /// Its CPU time alone gives this cheat away: in a process of its own, in which no other test uses any.
        @Test func aFetchThatOnlyReportsProgressFails() async {
            await #expect(processExitsWith: .success) {
                try await ReadingCheatTests.expectFailure(of: ReadingCheat.cancelsNothing)
            }
        }

        /// The complete fetch, with which a cancelled one is compared, would seem to take the CPU time of other tests.
        @Test func anHonestDriverPassesWhenItCancels() async {
            await #expect(processExitsWith: .success) {
                for subject in DriverCase.all { try await ReadingCheatTests.expectSuccess(of: subject, in: .cancelled) }
            }
        }
    #endif

    private static func expectFailure(of cheat: ReadingCheat) async throws {
        let row = try #require(try await cheat.scenario.rows(by: cheat).first { $0.phase == cheat.phase })
        #expect(row.status == .failed)
        #expect(row.error.contains(cheat.reason), "\(row.error)")
    }

    @Test(arguments: DriverCase.all) func anHonestDriverPasses(_ subject: DriverCase) async throws {
        try await Self.expectSuccess(of: subject, in: .fetches)
    }

    private static func expectSuccess(of subject: DriverCase, in scenario: Scenario) async throws {
        for row in try await scenario.rows(by: subject.driver) {
            #expect(row.status == .ok, "\(row.phase): \(row.error)")
            #expect(row.verified == true)
        }
    }

    /// Planted values alone catch these, which is why the manifest says whether there were any.
    @Test(arguments: [ReadingCheat.answersFromTheGenerator, .remembersAnEarlierPhase])
    func aDriverThatReadsNothingPassesIfNothingIsPlanted(_ cheat: ReadingCheat) async throws {
        var cheat = cheat
        cheat.isPlanted = false
        let row = try #require(try await Scenario.fetches.rows(by: cheat).first { $0.phase == cheat.phase })
        #expect(row.status == .ok, "\(row.error)")
    }

    /// A lazy result is no cheat: the harness reads it while the clock runs.
    @Test(arguments: ["sync", "async", "untouched"])
    func aLazyResultIsReadWithinTheClock(_ phase: String) async throws {
        let driver = ReadingCheat("lazy", phase: phase, reason: "") { base, _ in Lazy(base) }
        let rows = try await Scenario.fetches.rows(by: driver)
        let row = try #require(rows.first { $0.phase == phase })
        #expect(row.status == .ok, "\(row.error)")
        #expect(try #require(row.counters.rows) >= 6_000)
    }
}

extension ReadingCheat: CustomTestStringConvertible {
    var testDescription: String { name }
}

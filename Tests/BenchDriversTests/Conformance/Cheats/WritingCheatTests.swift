import BenchDrivers
import BenchHarness
import Foundation
import TestSupport
import Testing

@testable import DriverConformance

/// Each cheat fails for its own reason, and the drivers that it cheats with pass.
@Suite struct WritingCheatTests {
    @Test(arguments: WritingCheat.all)
    func aCheatFailsForItsReason(_ cheat: WritingCheat) async throws {
        let row = try #require(
            try await cheat.scenario.rows(by: cheat).first { $0.phase == cheat.phase }, "\(cheat.phase)")
        #expect(row.status == .failed)
        #expect(row.error.contains(cheat.reason), "\(row.error)")
    }

    /// The inspector catches these cheats and nothing else does, which is why the manifest names it.
    @Test(arguments: WritingCheat.overlaid)
    func anOverlayPassesIfTheSessionReadsItsOwnStore(_ cheat: WritingCheat) async throws {
        var cheat = cheat
        cheat.isInspected = false
        let row = try #require(try await cheat.scenario.rows(by: cheat).first { $0.phase == cheat.phase })
        #expect(row.status == .ok, "\(row.error)")
    }

    /// The log is written back, and holds no commits later than those of the clock.
    @Test func aCheckpointAfterTheClockIsNoChange() async throws {
        let driver = WritingCheat("checkpoints", in: .cheats, phase: "", reason: "") { base, _ in
            LateCheckpointing(base)
        }
        for row in try await Scenario.cheats.rows(by: driver) {
            #expect(row.status == .ok, "\(row.phase): \(row.error)")
        }
    }

    @Test(
        arguments: DriverCase.all,
        [
            Scenario.cheats, .unchanging, .uncoalesced, .watched(.notifications), .watched(.controller), .mixed, .reads,
            .modified, .counted,
        ])
    func anHonestDriverPasses(_ subject: DriverCase, _ scenario: Scenario) async throws {
        for row in try await scenario.rows(by: subject.driver) where row.status != .unsupported {
            #expect(row.status == .ok, "\(row.phase): \(row.error)")
            #expect(row.verified == true)
        }
    }
}

extension WritingCheat: CustomTestStringConvertible {
    var testDescription: String { name }
}

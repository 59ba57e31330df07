import Foundation
import TestSupport
import Testing

@testable import ManagedStore

/// Random histories of two and three contexts, held against a plain graph: what cancels out leaves no trace, and what
/// does not is in the store as each merge policy says.
@Suite struct RandomHistoryTests {
    /// How many histories each store lives through; `make fuzz` says how many, and from which seed on.
    private static let count = Int(setting("FUZZ_HISTORIES") ?? UInt64(EveryTest.rounds(300, of: 5000)))
    private static let seed = setting("FUZZ_SEED") ?? 1

    private static func setting(_ name: String) -> UInt64? {
        ProcessInfo.processInfo.environment[name].flatMap { UInt64($0) }
    }

    private static let stores = Backend.allCases.flatMap { backend in
        GraphHistory.Arrangement.allCases.map { (backend, $0) }
    }.filter { $0 != .inMemory || $1 != .coordinators }

    private func run(
        _ backend: Backend, _ arrangement: GraphHistory.Arrangement, _ round: (GraphHistory) throws -> [String]
    ) throws {
        // The store's histories are of two kinds, in each arrangement. A few follow each other in one store, so that a
        // failure needs few of them to be repeated.
        let share = Self.count / (2 * Self.stores.count { $0.0 == backend })
        for number in 0..<UInt64(share / Self.length + 1) {
            let seed = Self.seed &+ number
            let history = try GraphHistory(backend, arrangement, seed: seed)
            for step in 0..<Self.length {
                var faults: [String]
                do { faults = try round(history) } catch let wrong as GraphHistory.Wrong { faults = wrong.faults }
                try #require(faults.isEmpty, "seed \(seed), round \(step): \(history)")
            }
        }
    }

    private static let length = 20

    @Test(arguments: stores) func changesThatCancelOutLeaveNoTrace(
        _ backend: Backend, _ arrangement: GraphHistory.Arrangement
    ) throws {
        try run(backend, arrangement) { try $0.cancel() }
    }

    @Test(arguments: stores) func aSaveMakesTheChangesOfItsContextAndNoOthers(
        _ backend: Backend, _ arrangement: GraphHistory.Arrangement
    ) throws {
        try run(backend, arrangement) { try $0.meet() }
    }
}

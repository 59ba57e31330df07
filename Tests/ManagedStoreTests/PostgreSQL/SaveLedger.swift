import Foundation
import Locking
import Testing

@testable import ManagedStore

/// What saves of several lanes said of their outcome, to be compared with what the store has in the end.
///
/// Each save has a mark: it makes items of that name, and gives it to the one item of its lane.
final class SaveLedger: Sendable {
    enum Outcome: String, Sendable {
        case saved, failed
        /// The error says that it is not known.
        case doubtful
        /// The process ended before the save did.
        case unknown
    }

    private let outcomes = Locked([String: Outcome]())
    private static let itemsOfSave = 3

    /// How many saves succeeded.
    var saved: Int { outcomes.withLock { $0.values.count { $0 == .saved } } }

    func note(_ mark: String, _ outcome: Outcome) { outcomes.withLock { $0[mark] = outcome } }

    /// Makes the items of the lanes.
    static func makeLanes(_ count: Int, _ coordinator: PersistentStoreCoordinator) throws {
        let context = coordinator.confinedContext()
        for lane in 0..<count { Item("none", at: second(of: lane), done: true, in: context) }
        try context.save()
    }

    /// When the item of a lane was created: before all others.
    private static func second(of lane: Int) -> Double { Double(-1 - lane) }

    private static func item(_ lane: Int, _ context: ManagedObjectContext) throws -> Item {
        let date = Date(timeIntervalSinceReferenceDate: second(of: lane))
        return try #require(context.items(.compare("createdAt", .equal, date)).first)
    }

    /// Saves under a mark.
    static func save(_ mark: String, lane: Int, _ coordinator: PersistentStoreCoordinator) throws {
        let context = coordinator.confinedContext()
        try item(lane, context).name = mark
        for number in 0..<itemsOfSave { Item(mark, at: Double(number), in: context) }
        try context.save()
    }

    /// Saves once, and notes the outcome. Waits a little when the server cannot be reached.
    func save(lane: Int, round: Int, _ coordinator: PersistentStoreCoordinator) throws {
        let mark = "\(lane) \(round)"
        do {
            try Self.save(mark, lane: lane, coordinator)
            note(mark, .saved)
        } catch let error as StoreError {
            #expect(error.code == .storeFailure, "\(error)")
            note(mark, error.sqlState == "08007" ? .doubtful : .failed)
            usleep(1_000)
        }
    }

    /// Has so many threads save at once while `body` runs.
    func whileSaving(
        lanes: Int, _ coordinator: PersistentStoreCoordinator, _ body: () throws -> Void
    ) throws {
        let (isOver, problem, group) = (Locked(false), Locked((any Error)?.none), DispatchGroup())
        for lane in 0..<lanes {
            group.enter()
            Thread.detachNewThread { [self] in
                var round = 0
                do {
                    while !isOver.value {
                        round += 1
                        try save(lane: lane, round: round, coordinator)
                    }
                } catch {
                    problem.exchange(error)
                }
                group.leave()
            }
        }
        defer {
            isOver.exchange(true)
            group.wait()
        }
        try body()
        if let error = problem.value { throw error }
    }

    /// Expects the store to have every save that succeeded, none that failed, and each of the others wholly or not at
    /// all.
    func check(lanes: Int, _ coordinator: PersistentStoreCoordinator) throws {
        let context = coordinator.confinedContext()
        let found = try context.items()
        let counts = Dictionary(grouping: found.filter { !$0.done }, by: \.name).mapValues(\.count)
        let outcomes = outcomes.value
        for (mark, outcome) in outcomes {
            let count = counts[mark] ?? 0
            switch outcome {
            case .saved: #expect(count == Self.itemsOfSave, "\(mark) was saved")
            case .failed: #expect(count == 0, "\(mark) failed")
            case .doubtful, .unknown: #expect(count == 0 || count == Self.itemsOfSave, "\(mark) is \(outcome)")
            }
        }
        #expect(counts.keys.allSatisfy { outcomes[$0] != nil }, "nothing is there that no save made")
        for lane in 0..<lanes {
            let rounds = counts.keys.filter { $0.hasPrefix("\(lane) ") }.compactMap { Int($0.split(separator: " ")[1]) }
            let last = rounds.max().map { "\(lane) \($0)" }
            #expect(try Self.item(lane, context).name == last ?? "none")
        }
    }
}

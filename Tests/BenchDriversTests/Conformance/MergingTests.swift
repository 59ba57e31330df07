import BenchHarness
import Foundation
import Testing

@Suite("Every driver, merging")
struct MergingTests {
    private static let plan = MergePlan(
        set: [AttributeChange(attribute: "done", operation: .assign(.bool(true)))],
        writers: (0..<3).map { writer in
            (0..<4).map { save in
                let first = (writer * 4 + save) * 50
                return MergePlan.Save(
                    inserts: 1_000 + first..<1_000 + first + 30, changes: first..<first + 25,
                    deletes: first + 25..<first + 35)
            }
        })

    @Test("loses no save of several writers", arguments: DriverCase.all)
    func writersLoseNothing(_ subject: DriverCase) async throws {
        try await onThread {
            let store = try StoreFixture(subject.driver)
            let session = try store.merged(Self.plan).session
            let deleted = Set(Self.plan.writers.joined().flatMap(\.deletes))
            let inserted = Self.plan.writers.joined().flatMap(\.inserts)
            let expected = store.digest((0..<1_000).filter { !deleted.contains($0) } + inserted, changing: Self.change)
            #expect(try session.scanned().unordered == expected.unordered)
            #expect(try session.scanned().count == expected.count)
            #expect(try session.checkIntegrity() == [])
            #expect(try session.counters().conflicts == 0)
            try session.close()
        }
    }

    @Test("ends up holding what was changed and inserted, and nothing that was deleted", arguments: DriverCase.all)
    func readerFollows(_ subject: DriverCase) async throws {
        try await onThread {
            let store = try StoreFixture(subject.driver)
            let (session, merged) = try store.merged(Self.plan)
            let ordinals = Self.plan.writers.joined().flatMap { Array($0.changes) + Array($0.inserts) }
            #expect(merged.count == ordinals.count)
            #expect(try merged.digested().unordered == store.digest(ordinals, changing: Self.change).unordered)
            session.finish()
            try session.close()
        }
    }

    @Test("inserts alone, changes alone and deletes alone", arguments: DriverCase.all)
    func mergesOneKind(_ subject: DriverCase) async throws {
        try await onThread {
            let store = try StoreFixture(subject.driver)
            let saves = [
                MergePlan.Save(inserts: 1_000..<1_003, changes: 0..<0, deletes: 0..<0),
                MergePlan.Save(inserts: 0..<0, changes: 0..<2, deletes: 0..<0),
                MergePlan.Save(inserts: 0..<0, changes: 0..<0, deletes: 5..<6),
            ]
            let (session, merged) = try store.merged(MergePlan(set: Self.plan.set, writers: [saves]))
            #expect(merged.count == 5)
            #expect(try session.scanned().count == 1_002)
            try session.close()
        }
    }

    @Test("needs to be told what to set only when something is changed", arguments: DriverCase.all)
    func mergesInserts(_ subject: DriverCase) async throws {
        try await onThread {
            let store = try StoreFixture(subject.driver)
            let save = MergePlan.Save(inserts: 1_000..<1_010, changes: 0..<0, deletes: 0..<0)
            let (session, merged) = try store.merged(MergePlan(set: [], writers: [[save]]))
            #expect(merged.count == 10)
            try session.close()
        }
    }

    private static func change(_ ordinal: Int, _ values: inout [FieldValue]) {
        if plan.writers.joined().contains(where: { $0.changes.contains(ordinal) }) { values[2] = .bool(true) }
    }
}

extension StoreFixture {
    /// Seeds a thousand records and runs a plan on them.
    fileprivate func merged(_ plan: MergePlan) throws -> (session: any StoreSession, merged: any FetchedRecords) {
        let session = try seeded(1_000)
        try session.prepareMerge(plan)
        return (session, try session.merge(plan, monitor: PhaseMonitor()))
    }
}

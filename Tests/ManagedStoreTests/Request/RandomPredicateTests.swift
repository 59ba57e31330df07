import Foundation
import TestSupport
import Testing

@testable import ManagedStore

/// The same predicate means the same in SQL and in memory.
@Suite struct RandomPredicateTests {
    private static let rows = 60

    /// A request has a seed of its own, so that it can be repeated without those before it.
    @Test(arguments: Backend.databases, EveryTest.cases(3, of: Array(1...8)) as [UInt64])
    func allFindTheSame(_ database: Backend, _ seed: UInt64) throws {
        var rows = RandomRows(seed: seed, for: database)
        let pair = try StorePair(&rows, rows: Self.rows, in: database)
        for requestSeed in seed * 1_000..<seed * 1_000 + 200 {
            var random = RandomRows(seed: requestSeed)
            var request = FetchRequest(Everything.self, predicate: random.predicate())
            request.sortDescriptors = random.sort()
            if random.generator.oneIn(3) { request.fetchLimit = Int.random(in: 1..<40, using: &random.generator) }
            if random.generator.oneIn(4) { request.fetchOffset = Int.random(in: 1..<20, using: &random.generator) }
            let answers = try pair.answers(request)
            if !agree(answers) {
                Issue.record("rows of seed \(seed), request of seed \(requestSeed): \(try complaint(request, pair))")
            }
            #expect(try pair.stored.count(for: request) == answers[0].count)
        }
    }

    private func agree(_ answers: [[Int64]]) -> Bool { answers.allSatisfy { $0 == answers[0] } }

    /// The smallest part of the predicate that the three disagree about, and a row on which they do.
    private func complaint(_ request: FetchRequest<Everything>, _ pair: StorePair) throws -> String {
        guard let node = try request.predicate?.node.get() else { return "\(request)" }
        let smallest = try smallest(node, pair)
        let answers = try pair.answers(FetchRequest(Everything.self, predicate: FetchPredicate(smallest)))
        let rows = 1...Int64(Self.rows)
        guard let row = rows.first(where: { row in Set(answers.map { $0.contains(row) }).count > 1 }) else {
            return "the order, or the limits, of \(request)"
        }
        return
            "\(smallest), of row \(row) (\(try pair.describe(row: row))); found by the database, in memory, unsaved: "
            + "\(answers.map { $0.contains(row) })"
    }

    private func smallest(_ node: FetchPredicate.Node, _ pair: StorePair) throws -> FetchPredicate.Node {
        let parts = node.key == nil ? node.branch?.parts ?? [] : []
        for part in parts {
            let request = FetchRequest(Everything.self, predicate: FetchPredicate(part))
            if !agree(try pair.answers(request)) { return try smallest(part, pair) }
        }
        return node
    }

    @Test(arguments: Backend.databases, EveryTest.cases(3, of: Array(21...26)) as [UInt64])
    func theSorterOrdersAsTheDatabaseDoes(_ database: Backend, _ seed: UInt64) throws {
        var random = RandomRows(seed: seed, for: database)
        let pair = try StorePair(&random, rows: 200, in: database)
        for _ in 0..<30 {
            var request = FetchRequest(Everything.self)
            request.sortDescriptors = random.sort()
            // Objects are sorted by us, their IDs by the database.
            let ours = try pair.stored.fetch(request).map(\.objectID)
            #expect(try pair.stored.fetchObjectIDs(request) == ours, "\(request)")
            request.fetchLimit = 150
            #expect(try pair.stored.fetch(request).map(\.objectID) == Array(ours.prefix(150)), "\(request)")
        }
    }
}

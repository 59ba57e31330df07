import Foundation
import TestSupport
import Testing

@testable import ManagedStore

/// A fetch of dictionaries gives the same in SQL and in memory, or is refused by both for the same reason.
@Suite struct RandomDictionaryTests {
    private enum Outcome: Equatable {
        case found([[String: Exact]])
        case refused(StoreError.Code)

        init(_ request: FetchRequest<Everything>, in context: ManagedObjectContext) {
            do throws(StoreError) {
                self = .found(try context.fetchDictionaries(request).map { $0.mapValues(Exact.init) })
            } catch {
                self = .refused(error.code)
            }
        }
    }

    /// Tells strings apart by their bytes, as stores do and Swift does not.
    private struct Exact: Equatable {
        let value: StoredValue

        init(_ value: StoredValue) { self.value = value }

        static func == (left: Exact, right: Exact) -> Bool {
            if case .string(let left) = left.value, case .string(let right) = right.value {
                return left.utf8.elementsEqual(right.utf8)
            }
            return left.value == right.value
        }
    }

    @Test(arguments: Backend.databases, EveryTest.cases(4, of: Array(1...10)) as [UInt64])
    func bothStoresGiveTheSame(_ database: Backend, _ seed: UInt64) throws {
        var random = RandomRows(seed: seed, for: database)
        let pair = try StorePair(&random, rows: 60, in: database)
        var found = 0
        for _ in 0..<200 {
            let request = random.dictionaryRequest()
            let outcome = Outcome(request, in: pair.stored)
            #expect(outcome == Outcome(request, in: pair.memory), "seed \(seed): \(Self.describe(request))")
            if case .found = outcome { found += 1 }
        }
        #expect(found > 100)
    }

    private static func describe(_ request: FetchRequest<Everything>) -> String {
        "\(request.propertiesToFetch) of \(request) grouped by \(request.propertiesToGroupBy) having "
            + "\(request.havingPredicate?.description ?? "nil"), distinct: \(request.returnsDistinctResults), "
            + "limit \(request.fetchLimit), offset \(request.fetchOffset)"
    }
}

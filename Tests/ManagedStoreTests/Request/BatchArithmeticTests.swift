import Foundation
import Testing

@testable import ManagedStore

/// Batch updates at the ends of the range of integers, the same in both stores.
@Suite struct BatchArithmeticTests {
    private static let ends: [Int64] = [.max, .max - 1, .min, .min + 1, 0, 1, -1, 3_037_000_500]

    enum Operation: CaseIterable {
        case add, subtract, multiply

        func expression(_ left: BatchExpression, _ right: BatchExpression) -> BatchExpression {
            switch self {
            case .add: left + right
            case .subtract: left - right
            case .multiply: left * right
            }
        }

        /// The exact result, clamped.
        func clamped(_ left: Int64, _ right: Int64) -> Int64 {
            let (left, right) = (Int128(left), Int128(right))
            let exact =
                switch self {
                case .add: left + right
                case .subtract: left - right
                case .multiply: left * right
                }
            return Int64(clamping: exact)
        }
    }

    private func results(
        _ backend: Backend, _ operation: Operation, _ pairs: [(Int64, Int64)]
    ) throws -> [(number: Int64?, medium: Int32?, small: Int16?, found: Int)] {
        let store = try TestStore(backend)
        let context = store.context()
        for (index, (left, right)) in pairs.enumerated() {
            let object = Everything("\(index)", left, in: context)
            object.optionalNumber = right
        }
        try context.save()
        let sum = operation.expression(.attribute("number"), .attribute("optionalNumber"))
        _ = try context.execute(
            BatchUpdateRequest(
                Everything.self, set: ["optionalNumber": sum, "optionalMedium": sum, "optionalSmall": sum]))
        let other = store.context()
        return try pairs.enumerated().map { index, pair in
            let object = try #require(
                try other.fetch(FetchRequest(Everything.self, predicate: .compare("text", .equal, "\(index)"))).first)
            let expected = operation.clamped(pair.0, pair.1)
            let found = try other.count(
                for: FetchRequest(
                    Everything.self,
                    predicate: .compare("text", .equal, "\(index)") && .compare("optionalNumber", .equal, expected)))
            return (object.optionalNumber, object.optionalMedium, object.optionalSmall, found)
        }
    }

    @Test(arguments: Backend.allCases, Operation.allCases)
    func integersAreClampedExactlyAndFound(_ backend: Backend, _ operation: Operation) throws {
        let pairs = Self.ends.flatMap { left in Self.ends.map { (left, $0) } }
        for (pair, result) in zip(pairs, try results(backend, operation, pairs)) {
            let expected = operation.clamped(pair.0, pair.1)
            #expect(result.number == expected, "\(pair)")
            #expect(result.medium == Int32(clamping: expected), "\(pair)")
            #expect(result.small == Int16(clamping: expected), "\(pair)")
            #expect(result.found == 1, "\(pair)")
        }
    }

    @Test func integersThatOverflowAreStoredAsIntegers() throws {
        let store = try TestStore()
        let context = store.context()
        Everything("a", .max, in: context)
        try context.save()
        _ = try context.execute(BatchUpdateRequest(Everything.self, set: ["number": .attribute("number") + 1]))
        #expect(
            try store.database().rows("SELECT ZNUMBER, typeof(ZNUMBER) FROM ZEVERYTHING")
                == [["9223372036854775807", "integer"]])
    }

    /// Each operation is clamped for itself.
    @Test(arguments: Backend.allCases) func aSumWithinASumIsClampedFirst(_ backend: Backend) throws {
        let store = try TestStore(backend)
        let context = store.context()
        Everything("a", .max, in: context)
        try context.save()
        _ = try context.execute(
            BatchUpdateRequest(
                Everything.self,
                set: ["number": (.attribute("number") + 10) - 10, "real": .attribute("number") + 1.0]))
        let read = try #require(try store.context().fetch(FetchRequest(Everything.self)).first)
        #expect(read.number == .max - 10 && read.real == 0x1p63)
    }

    /// A decimal goes on as a double, as SQLite computes it.
    @Test(arguments: Backend.allCases) func aDecimalThatOverflowsIsADouble(_ backend: Backend) throws {
        let store = try TestStore(backend)
        let context = store.context()
        let object = Everything("a", in: context)
        object.amount = Decimal(Int64.max)
        try context.save()
        _ = try context.execute(
            BatchUpdateRequest(Everything.self, set: ["amount": (.attribute("amount") + 1) + 1_000_000]))
        let read = try #require(try store.context().fetch(FetchRequest(Everything.self)).first)
        #expect(DecimalNumber(read.amount).double == 0x1p63 + 1_000_000)
    }
}

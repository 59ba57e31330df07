import Foundation
import TestSupport
import Testing

@testable import ManagedStore

/// Numbers as far apart, and as close together, as numbers can be, in order.
@Suite(.timeLimit(.minutes(15))) struct SortWordsTests {
    enum Shape: CaseIterable {
        case any, few, near, apart, outliers, ends, same, ascending, missing

        func number(_ index: Int, _ random: inout SeededGenerator) -> Int64? {
            switch self {
            case .any: random.next().signed
            case .few: Int64(random.next() % 7)
            case .near: 1 << 40 + Int64(random.next() % 5000)
            case .apart: Int64(random.next() % 5000) << 40
            // One that is far from the others takes all the bits that a word has for the difference.
            case .outliers: index == 17 ? .max : index == 18 ? .min : Int64(random.next() % 5000) - 2500
            case .ends: [Int64.min, .max, 0, .min + 1, .max - 1, -1][Int(random.next() % 6)]
            case .same: 3
            case .ascending: Int64(index)
            case .missing: random.next() % 3 == 0 ? nil : (1 << 50) + Int64(random.next() % 5000)
            }
        }
    }

    @Test(arguments: Shape.allCases, [true, false]) func numbersAreInOrder(_ shape: Shape, ascending: Bool) throws {
        var random = SeededGenerator(seed: 5)
        let numbers = (0..<3_000).map { shape.number($0, &random) }
        let store = try TestStore()
        let context = store.context()
        for number in numbers { Everything("", in: context).optionalNumber = number }
        try context.save()
        var request = FetchRequest(Everything.self)
        request.sortDescriptors = [FetchSortDescriptor(key: "optionalNumber", ascending: ascending)]
        let found = try store.context().fetch(request)
        // A missing value comes before all others, and of equal ones the one with the lower key, in either direction:
        // as in SQL.
        let expected = numbers.indices.sorted { left, right in
            let (first, second) = (numbers[left], numbers[right])
            if first == second { return left < right }
            guard let first, let second else { return (first == nil) == ascending }
            return (first < second) == ascending
        }
        #expect(found.map(\.optionalNumber) == expected.map { numbers[$0] })
        #expect(found.map { Int($0.objectID.key) } == expected.map { $0 + 1 })
    }

    /// Comparing makes up for what a word leaves out, as rarely as can be.
    @Test func nearNumbersNeedNoComparing() throws {
        var random = SeededGenerator(seed: 6)
        let numbers = (0..<2_000).map { _ in (1 << 50) + random.next() % (1 << 31) }
        var words = SortWords(Array(0..<2_000), ascending: true) { numbers[Int($0)] }
        try words.sort(FetchControl())
        let (places, areExact) = (words.places, words.areExact)
        #expect(areExact)
        #expect(places.map { numbers[Int($0)] } == numbers.sorted())
    }

    @Test func aCancelledSortEnds() {
        let control = FetchControl()
        control.cancel()
        var words = SortWords([0, 1, 2], ascending: true) { UInt64(3 - $0) }
        var code: StoreError.Code?
        do { try words.sort(control) } catch { code = error.code }
        #expect(code == .cancelled)
    }

    @Test func noRowsAreInOrder() throws {
        var words = SortWords([], ascending: true) { _ in 1 }
        try words.sort(FetchControl())
        let (places, tie) = (words.places, words.nextTie(from: 0))
        #expect(places.isEmpty && tie == nil)
    }
}

extension UInt64 {
    fileprivate var signed: Int64 { Int64(bitPattern: self) }
}

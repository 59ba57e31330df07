import Foundation
import Locking
import TestSupport
import Testing

@testable import ManagedStore

/// Conditions within conditions: what SQLite's parser and the stack of a small thread would not take as they are
/// written.
@Suite struct DeepPredicateTests {
    private static let numbers = (0..<12).map { Int64($0) }

    /// Which of `numbers` a predicate finds, in the store and among unsaved objects, which must be the same.
    private func found(
        _ predicate: FetchPredicate, _ backend: Backend, among numbers: [Int64] = numbers
    ) throws -> [Int64] {
        let found = Locked<[[Int64]]>([])
        try onSmallStack {
            let saved = try TestStore(backend).context()
            let unsaved = try TestStore(backend).context()
            for context in [saved, unsaved] {
                for number in numbers { Everything("", number, in: context) }
            }
            try saved.save()
            for context in [saved, unsaved] {
                let request = FetchRequest(
                    Everything.self, sortBy: [SortDescriptor(\.number)], predicate: predicate)
                let numbers = try context.fetch(request).map(\.number)
                #expect(try context.count(for: request) == numbers.count)
                found.withLock { $0.append(numbers) }
            }
        }
        #expect(found.value[0] == found.value[1])
        return found.value[0]
    }

    /// `(((n > 0 && n != 1) || n == 2) && n != 3) || ...`, and what it says.
    private func alternating(_ depth: Int) -> (FetchPredicate, @Sendable (Int64) -> Bool) {
        var predicate = FetchPredicate.compare("number", .greater, 0 as Int64)
        for level in 1...depth {
            let number = Int64(level * 7 % 12)
            predicate =
                level % 2 == 0
                ? predicate || .compare("number", .equal, number) : predicate && .compare("number", .notEqual, number)
        }
        return (
            predicate,
            { number in
                var holds = number > 0
                for level in 1...depth {
                    let other = Int64(level * 7 % 12)
                    holds = level % 2 == 0 ? holds || number == other : holds && number != other
                }
                return holds
            }
        )
    }

    @Test(arguments: Backend.allCases, EveryTest.cases(2, of: [31, 1_000, 10_000]))
    func andAndOrTakeTurns(_ backend: Backend, _ depth: Int) throws {
        let (predicate, holds) = alternating(depth)
        let numbers = Array(Self.numbers.prefix(depth > 1_000 ? 3 : 12))
        #expect(try found(predicate, backend, among: numbers) == numbers.filter(holds))
        #expect(try found(!predicate, backend, among: numbers) == numbers.filter { !holds($0) })
    }

    @Test(.enabled(if: EveryTest.isWanted, "make test EVERY_TEST=1 runs it"), arguments: Backend.allCases)
    func theyTakeTurnsAHundredThousandTimes(_ backend: Backend) throws {
        let (predicate, holds) = alternating(100_000)
        let few = Array(Self.numbers.prefix(2))
        #expect(try found(predicate, backend, among: few) == few.filter(holds))
    }

    @Test(arguments: Backend.allCases, [46, 1_001, 100_000])
    func negationsOfNegations(_ backend: Backend, _ depth: Int) throws {
        var predicate = FetchPredicate.compare("number", .less, 3 as Int64)
        for _ in 0..<depth { predicate = !predicate }
        #expect(try found(predicate, backend) == Self.numbers.filter { ($0 < 3) == (depth % 2 == 0) })
    }

    /// Both parts of each of its levels are as deep as the other.
    @Test(arguments: Backend.allCases, [8, 11])
    func bothSidesAreDeep(_ backend: Backend, _ depth: Int) throws {
        var number: Int64 = 0
        func tree(_ depth: Int) -> (FetchPredicate, @Sendable (Int64) -> Bool) {
            if depth == 0 {
                number = (number * 5 + 3) % 13
                let own = number
                return (.compare("number", .notEqual, own), { $0 != own })
            }
            let (left, right) = (tree(depth - 1), tree(depth - 1))
            switch depth % 3 {
            case 0: return (left.0 && right.0, { left.1($0) && right.1($0) })
            case 1: return (!(left.0 && right.0), { !(left.1($0) && right.1($0)) })
            default: return (left.0 || !right.0, { left.1($0) || !right.1($0) })
            }
        }
        let (predicate, holds) = tree(depth)
        #expect(try found(predicate, backend) == Self.numbers.filter(holds))
    }

    @Test func whatIsDeepIsDescribed() throws {
        let (predicate, _) = alternating(100_000)
        let text = Locked("")
        try onSmallStack { text.withLock { $0 = (!predicate).description } }
        #expect(text.value.hasPrefix("NOT (((("))
        #expect((!(.isNil("a") && .isNil("b") || .value(true))).description.hasSuffix(") OR (TRUEPREDICATE))"))
    }

    @Test func whatOccursTooOftenIsRefused() throws {
        var predicate = FetchPredicate.isNil("text")
        for _ in 0..<100 { predicate = predicate && !predicate }
        let context = try TestStore(.sqlite).context()
        let error = expectError(.invalidRequest) {
            try context.fetch(FetchRequest(Everything.self, predicate: predicate))
        }
        #expect(error?.message.contains("countless conditions; the limit is 1000000") == true)
        var request = FetchRequest(Everything.self)
        request.propertiesToFetch = ["text"]
        request.propertiesToGroupBy = ["text"]
        request.havingPredicate = predicate
        expectError(.invalidRequest) { try context.fetchDictionaries(request) }
    }

    // MARK: Related objects

    /// Each the mentor of the next.
    private func authors(_ backend: Backend, _ count: Int) throws -> TestStore {
        let store = try Library.store(backend)
        let context = store.context()
        let authors = (0..<count).map { Author("\($0)", in: context) }
        for (mentor, pupil) in zip(authors, authors.dropFirst()) { pupil.mentor = mentor }
        try context.save()
        return store
    }

    private func names(_ predicate: FetchPredicate, _ context: ManagedObjectContext) throws -> [String] {
        try context.fetch(FetchRequest(Author.self, sortBy: [SortDescriptor(\.name)], predicate: predicate)).map(\.name)
    }

    @Test(arguments: Backend.allCases, [10, 16])
    func conditionsOnRelatedObjectsNest(_ backend: Backend, _ depth: Int) throws {
        let store = try authors(backend, 36)
        for isSelective in [true, false] {
            let last = isSelective ? FetchPredicate.compare("name", .equal, "\(depth)") : !.isNil("name")
            var predicates = Array(repeating: last, count: 4)
            for level in 0..<depth {
                predicates[0] = .any("pupils", predicates[0])
                predicates[1] = !.all("pupils", !predicates[1])
                predicates[2] = .any("pupils", !.isNil("name") && (predicates[2] || .compare("name", .equal, "x")))
                predicates[3] = level % 2 == 0 ? .none("pupils", predicates[3]) : .any("pupils", predicates[3])
            }
            let all = predicates
            try onSmallStack {
                let expected = try self.names(all[3], try self.authors(.inMemory, 36).context())
                let saved = store.context()
                let unsaved = store.context()
                _ = Author("new", in: unsaved)
                for context in [saved, unsaved] {
                    for predicate in all[..<3] {
                        let found = try self.names(predicate, context)
                        #expect(isSelective ? found == ["0"] : found.count == 36 - depth, "\(predicate)")
                    }
                    #expect(try self.names(all[3], context).filter { $0 != "new" } == expected)
                }
            }
        }
    }

    @Test(arguments: Backend.allCases) func deepConditionsWithinDeepOnes(_ backend: Backend) throws {
        let store = try authors(backend, 20)
        try onSmallStack {
            var predicate = FetchPredicate.compare("name", .equal, "16")
            for depth in 0..<16 {
                for level in 0..<12 {
                    predicate =
                        level % 2 == 0
                        ? predicate && !.isNil("name") : .string("name", .contains, "x\(depth)") || predicate
                }
                predicate = depth % 3 == 0 ? !(.none("pupils", predicate)) : .any("pupils", predicate)
            }
            let (found, others) = (try names(predicate, store.context()), try names(!predicate, store.context()))
            #expect(found == ["0"] && others.count == 19)
        }
    }

    @Test(arguments: Backend.allCases, [17, 1_000, 10_000, 100_000])
    func deeperOnesAreRefused(_ backend: Backend, _ depth: Int) throws {
        try onSmallStack {
            let context = try authors(backend, 2).context()
            var predicate = FetchPredicate.isNil("name")
            for _ in 0..<depth { predicate = .any("pupils", predicate) }
            let error = expectError(.invalidRequest) { try names(predicate, context) }
            #expect(error?.message.contains("nested \(depth) deep; the limit is 16") == true)
            expectError(.invalidRequest) {
                try context.execute(BatchUpdateRequest(Author.self, set: ["name": "a"], predicate: predicate))
            }
            let path = String(repeating: "mentor.", count: depth) + "name"
            expectError(.invalidRequest) { try names(.isNil(path), context) }
            let sorted = FetchRequest<ManagedObject>(
                entityName: "Author", sortDescriptors: [FetchSortDescriptor(key: path)])
            let longPath = expectError(.invalidRequest) { try context.fetch(sorted) }
            #expect(longPath?.message.contains("\(depth) relationships; the limit is 16") == true)
        }
    }

    @Test(arguments: Backend.allCases, [1, 10, 16])
    func keyPathsReachFar(_ backend: Backend, _ depth: Int) throws {
        let store = try authors(backend, 36)
        try onSmallStack {
            let context = store.context()
            let path = String(repeating: "mentor.", count: depth)
            #expect(try names(.compare(path + "name", .equal, "0"), context) == ["\(depth)"])
            #expect(try names(.isNil(path + "name"), context).count == depth)
            let one = FetchPredicate.objectID(in: try context.fetchObjectIDs(FetchRequest(Author.self)).suffix(1))
            #expect(try names(one && .compare(path + "name", .equal, "\(35 - depth)"), context) == ["35"])
            var request = FetchRequest<ManagedObject>(
                entityName: "Author", sortDescriptors: [FetchSortDescriptor(key: path + "name")])
            request.propertiesToFetch = [.property(path + "name", as: "first")]
            let names = try context.fetch(request).map { try $0.value(forKey: "name") as? String }
            #expect(names[depth] == "\(depth)")
            let values = try context.fetchDictionaries(request).map { try $0.value("first", as: String?.self) }
            #expect(values[depth] == "0" && values.filter { $0 == nil }.count == depth)
        }
    }

    // MARK: Elsewhere

    @Test(arguments: Backend.allCases)
    func batchRequestsAndDictionariesTakeDeepConditions(_ backend: Backend) throws {
        let (predicate, holds) = alternating(1_000)
        try onSmallStack {
            let context = try TestStore(backend).context()
            for number in Self.numbers { Everything("", number, in: context) }
            try context.save()
            var update = BatchUpdateRequest(Everything.self, set: ["text": "found"], predicate: predicate)
            update.resultType = .updatedObjectIDs
            guard case .updatedObjectIDs(let ids) = try context.execute(update) else { return }
            #expect(ids.count == Self.numbers.filter(holds).count)
            var request = FetchRequest(Everything.self, sortBy: [SortDescriptor(\.number)])
            request.propertiesToFetch = ["number", .count(as: "count")]
            request.propertiesToGroupBy = ["number"]
            request.havingPredicate = predicate
            let groups = try context.fetchDictionaries(request).map { try $0.value("number", as: Int64.self) }
            #expect(groups == Self.numbers.filter(holds))
            var delete = FetchRequest(Everything.self, predicate: predicate)
            delete.fetchLimit = 1
            _ = try context.execute(BatchDeleteRequest(fetchRequest: delete))
            #expect(try context.count(for: FetchRequest(Everything.self)) == Self.numbers.count - 1)
        }
    }

    @Test func theMacrosTreeIsWalkedToALimit() throws {
        let variable = PredicateExpressions.Variable<Everything>()
        let flag = PredicateExpressions.build_KeyPath(root: variable, keyPath: \.flag)
        nonisolated(unsafe) let (deep, deeper) = (negated(flag, 49), negated(flag, 50))
        try onSmallStack {
            let walker = PredicateWalker(variables: [variable.key: .object(Everything.self, path: "")])
            let text = try walker.verdict(deep).holds.description
            #expect(text.hasSuffix("NOT (flag == true\(String(repeating: ")", count: 49))"))
            let error = expectError(.invalidRequest) { try walker.verdict(deeper) }
            #expect(error?.message.contains("deeper than 50 expressions; split it") == true)
        }
    }

    private func negated(_ expression: some StandardPredicateExpression<Bool>, _ times: Int) -> Any {
        times == 0 ? expression : negated(PredicateExpressions.build_Negation(expression), times - 1)
    }
}

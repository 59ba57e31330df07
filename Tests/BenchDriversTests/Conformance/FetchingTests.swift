import BenchHarness
import Foundation
import Testing

@Suite("Every driver, fetching")
struct FetchingTests {
    static let modes = FetchWork.Mode.allCases

    @Test("sorts by a date", arguments: DriverCase.all, modes)
    func sortsByDate(_ subject: DriverCase, mode: FetchWork.Mode) async throws {
        try await onThread {
            let store = try StoreFixture(subject.driver)
            let expected = (0..<3_000).sorted { store.records.double(1, $0) < store.records.double(1, $1) }
            let session = try store.seeded(3_000)
            let fetched = try session.fetch(mode, sort: [SortSpec(key: "createdAt")])
            #expect(try fetched.digested() == store.digest(expected))
            try session.close()
        }
    }

    @Test("sorts by each type, both ways, equal records in the order they were made", arguments: DriverCase.all)
    func sortsByEachType(_ subject: DriverCase) async throws {
        try await onThread {
            let store = try StoreFixture(subject.driver, entity: .everything)
            let session = try store.seeded(500)
            for attribute in store.records.entity.attributes {
                for ascending in [true, false] {
                    let fetched = try session.fetch(.sync, sort: [SortSpec(key: attribute.name, ascending: ascending)])
                    let expected = store.ordinals(500, sortedBy: attribute.name, ascending)
                    #expect(try fetched.digested() == store.digest(expected), "\(attribute.name), \(ascending)")
                }
            }
            try session.close()
        }
    }

    @Test("sorts by several keys", arguments: DriverCase.all)
    func sortsBySeveralKeys(_ subject: DriverCase) async throws {
        try await onThread {
            let store = try StoreFixture(subject.driver, entity: .everything)
            let session = try store.seeded(400)
            let sort = [SortSpec(key: "flag"), SortSpec(key: "rank", ascending: false), SortSpec(key: "title")]
            let expected = (0..<400).sorted { left, right in
                let keys = [left, right].map { (store.records.bool(5, $0) ? 1 : 0, -store.records.int64(3, $0)) }
                return keys[0] == keys[1]
                    ? store.records.string(0, left) < store.records.string(0, right) : keys[0] < keys[1]
            }
            #expect(try session.fetch(.sync, sort: sort).digested() == store.digest(expected))
            try session.close()
        }
    }

    @Test("fetches what a filter lets through", arguments: DriverCase.all, modes)
    func filters(_ subject: DriverCase, mode: FetchWork.Mode) async throws {
        try await onThread {
            let store = try StoreFixture(subject.driver)
            let session = try store.seeded(1_000)
            let expected = (0..<1_000).filter { store.records.bool(2, $0) }
            let filter = FilterSpec.compare(key: "done", .equal, .bool(true))
            let fetched = try session.fetch(mode, filter: filter)
            #expect(fetched.count == expected.count)
            #expect(try fetched.digested().unordered == store.digest(expected).unordered)
            try session.close()
        }
    }

    @Test("stops at a limit, after sorting", arguments: DriverCase.all, modes)
    func limits(_ subject: DriverCase, mode: FetchWork.Mode) async throws {
        try await onThread {
            let store = try StoreFixture(subject.driver)
            let session = try store.seeded(1_000)
            let sort = [SortSpec(key: "createdAt", ascending: false)]
            let expected = store.ordinals(1_000, sortedBy: "createdAt", false).prefix(25)
            #expect(try session.fetch(mode, sort: sort, limit: 25).digested() == store.digest(expected))
            try session.close()
        }
    }

    @Test("fetches without touching", arguments: DriverCase.all, modes)
    func fetchesUntouched(_ subject: DriverCase, mode: FetchWork.Mode) async throws {
        try await onThread {
            let store = try StoreFixture(subject.driver)
            let session = try store.seeded(100)
            let fetched = try session.fetch(mode, touch: .none)
            #expect(try fetched.digested().unordered == store.digest(0..<100).unordered)
            try session.close()
        }
    }

    @Test("fetches some attributes alone, in the entity's order", arguments: DriverCase.all)
    func fetchesSomeAttributes(_ subject: DriverCase) async throws {
        try await onThread {
            for entity in [EntitySpec.item, .everything] {
                let store = try StoreFixture(subject.driver, entity: entity)
                let session = try store.seeded(300)
                let names = entity.attributes.map(\.name)
                for wanted in [[names[2], names[0]], [names[1]], names] {
                    let sort = [SortSpec(key: wanted[0], ascending: false)]
                    let filter = FilterSpec.compare(key: names[0], .notEqual, store.records.value(0, 7))
                    let work = FetchWork(mode: .sync, sort: sort, filter: filter, limit: 250, attributes: wanted)
                    let ordinals = store.ordinals(300, sortedBy: wanted[0], false).filter { $0 != 7 }.prefix(250)
                    let fetched = try session.fetch(work, monitor: PhaseMonitor())
                    #expect(try fetched.digested() == store.digest(ordinals, keeping: wanted), "\(wanted)")
                }
                try session.close()
            }
        }
    }

    @Test("finds nothing in an empty store", arguments: DriverCase.all, modes)
    func fetchesNothing(_ subject: DriverCase, mode: FetchWork.Mode) async throws {
        try await onThread {
            let store = try StoreFixture(subject.driver)
            let session = try store.open()
            #expect(try session.fetch(mode, sort: [SortSpec(key: "name")]).count == 0)
            try session.close()
        }
    }

    @Test("leaves the queue free once the records were delivered", arguments: DriverCase.all)
    func deliversOnTheQueue(_ subject: DriverCase) async throws {
        try await onThread {
            let store = try StoreFixture(subject.driver)
            let session = try store.seeded(10_000)
            let fetched = try session.fetch(.async)
            #expect(session.queue.sync { fetched.count } == 10_000)
            try session.close()
        }
    }

    @Test("names the attributes there are when asked for one that is not", arguments: DriverCase.all)
    func refusesUnknownAttributes(_ subject: DriverCase) async throws {
        try await onThread {
            let session = try StoreFixture(subject.driver).seeded(1)
            let error = #expect(throws: (any Error).self) { try session.fetch(.sync, sort: [SortSpec(key: "nmae")]) }
            #expect(String(describing: try #require(error)).contains("nmae"))
            try session.close()
        }
    }
}

extension StoreSession {
    /// Fetches in one of the two modes.
    func fetch(
        _ mode: FetchWork.Mode, sort: [SortSpec] = [], filter: FilterSpec? = nil, limit: Int = 0,
        touch: FetchWork.Touch = .all
    ) throws -> any FetchedRecords {
        let work = FetchWork(mode: mode, sort: sort, filter: filter, limit: limit, touch: touch)
        return switch mode {
        case .sync: try fetch(work, monitor: PhaseMonitor())
        case .async: try fetchAsynchronously(work, monitor: PhaseMonitor())
        }
    }
}

extension StoreFixture {
    /// The ordinals below `count` in the order of an attribute, equal ones in their own.
    func ordinals(_ count: Int, sortedBy key: String, _ ascending: Bool) -> [Int] {
        let attribute = records.entity.index(of: key) ?? 0
        let keys = (0..<count).map { SortableValue(records.value(attribute, $0)) }
        return (0..<count).sorted { left, right in
            if keys[left] == keys[right] { return left < right }
            return (keys[left] < keys[right]) == ascending
        }
    }
}

/// A value that orders as SQLite orders it, written as plainly as can be.
private struct SortableValue: Comparable {
    private let number: Double
    private let bytes: [UInt8]

    init(_ value: FieldValue) {
        switch value {
        case .null: (number, bytes) = (0, [])
        case .bool(let value): (number, bytes) = (value ? 1 : 0, [])
        case .int64(let value): (number, bytes) = (Double(value), [])
        case .date(let value), .double(let value): (number, bytes) = (value, [])
        case .string(let value): (number, bytes) = (0, Array(value.utf8))
        case .data(let value): (number, bytes) = (0, Array(value))
        }
    }

    static func < (left: Self, right: Self) -> Bool {
        if left.number != right.number { return left.number < right.number }
        return left.bytes.lexicographicallyPrecedes(right.bytes)
    }
}

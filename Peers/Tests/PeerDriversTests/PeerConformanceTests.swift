import BenchHarness
import DriverConformance
import PeerDrivers
import Testing

@Suite struct PeerConformanceTests {
    /// What the drivers do not do, by the first words of the driver and the check: a part of the reason that they give.
    private static let unsupported = [
        "grdb: seeding: stores every type": "grdb-fast does any entity",
        "grdb: seeding: stores an entity of any name": "grdb-fast does any entity",
        "grdb: fetching: fetches an entity of any name": "grdb-fast does any entity",
        "grdb: fetching: sorts by each type": "grdb-fast does any entity",
        "grdb: fetching: sorts by several keys": "grdb-fast does any entity",
        "grdb: fetching: fetches some attributes alone, in the entity's order (Item)": "whole records",
        "grdb: fetching: fetches some attributes alone, in the entity's order (Sample)": "grdb-fast does any entity",
        "grdb: fetching: finds values in a list and in a range": "grdb-fast does any entity",
        "grdb: fetching: ignores case": "grdb-fast does any entity",
        "grdb: getting: fetches the records with the keys that are asked for (Sample)": "grdb-fast does any entity",
        "grdb: getting: fetches the records with the keys that are asked for (with a relationship)":
            "grdb-fast does any entity",
        "grdb: paging:": "grdb-fast does any entity",
        "grdb: aggregating: computes each": "grdb-fast does any entity",
        "grdb: aggregating: counts": "grdb-fast does any entity",
        "grdb: aggregating: groups": "grdb-fast does any entity",
        "grdb: inserting: adds records to those of the store (Sample)": "grdb-fast does any entity",
        "grdb: inserting: adds records to those of the store (with a relationship)": "grdb-fast does any entity",
        "grdb: inserting: gives new records the keys after all others (Sample)": "grdb-fast does any entity",
        "grdb: inserting: gives new records the keys after all others (with a relationship)":
            "grdb-fast does any entity",
        "grdb: upserting:": "grdb-fast does any entity",
        "grdb: deleting: deletes what a filter lets through": "grdb-fast does any entity",
        "grdb: deleting: deletes the first records of an order": "grdb-fast does any entity",
        "grdb: undoing:": "grdb-fast does any entity",
        "grdb: merging: loses no save of several writers (Item, with a relationship)": "grdb-fast does any entity",
        "grdb: merging: loses no save of several writers (Sample, with a relationship)": "grdb-fast does any entity",
        "grdb: counting: counts what a filter lets through": "grdb-fast does any entity",
        "grdb: updating: toggles": "grdb-fast does any entity",
        "grdb: updating: draws a value for each record": "grdb-fast does any entity",
        "grdb: updating: assigns a text with a zero byte": "ends a text at its first zero byte",
        "grdb: updating: times": "count no rows",
        "grdb: relationships:": "grdb-fast does any entity",
        "grdb: loads:": "grdb-fast does any entity",
        "grdb-fast: fetching: fetches some attributes alone": "whole records",
        "grdb-fast: updating: assigns a text with a zero byte": "ends a text at its first zero byte",
        "grdb-fast: updating: times": "count no rows",
        "lmdb: updating: times": "count no rows",
    ]
    /// The capabilities that their sessions lack.
    private static let lacked: [String: Set] = [
        "grdb-fast": ["UndoingSession", "WatchingSession"],
        "lmdb": ["AggregatingSession", "PagingSession", "UndoingSession", "UpsertingSession", "WatchingSession"],
    ]

    @Test(arguments: PeerDriverCase.all, ConformanceCheck.all)
    func driversConformOrDecline(_ subject: PeerDriverCase, to check: ConformanceCheck) async throws {
        let name = "\(subject.driver.name): \(check)"
        let lacked = Self.lacked[subject.driver.name, default: []].intersection(check.capabilities).sorted()
        let expected =
            Self.unsupported.first { name.hasPrefix($0.key) }?.value
            ?? lacked.first.map { "sessions do not conform to \($0)" }
        switch try await check.run(subject.driver) {
        case .passed: #expect(expected == nil, "expected it to be unsupported")
        case .unsupported(let reason): #expect(reason.contains(try #require(expected, "\(reason)")))
        }
    }

    @Test func theNamesAreThoseOfChecks() {
        let names = PeerDriverCase.all.flatMap { subject in ConformanceCheck.all.map { "\(subject.driver.name): \($0)" }
        }
        for prefix in Self.unsupported.keys where !names.contains(where: { $0.hasPrefix(prefix) }) {
            Issue.record("no check begins with \(prefix)")
        }
    }
}

/// A driver as an argument of a test, named in its output.
struct PeerDriverCase: Sendable, CustomTestStringConvertible {
    static let all = PeerDrivers.all.map(PeerDriverCase.init)

    let driver: any StoreDriver

    init(_ driver: any StoreDriver) { self.driver = driver }

    var testDescription: String { driver.name }
}

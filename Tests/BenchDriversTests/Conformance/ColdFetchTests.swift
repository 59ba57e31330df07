import BenchDrivers
import ForwardingDriver
import Foundation
import TestSupport
import Testing

@testable import BenchHarness
@testable import DriverConformance

/// Fetches without the store's pages in the page cache, where the file system lets the kernel drop them. One at a time,
/// because the kernel counts what the whole process reads.
@Suite(.serialized) struct ColdFetchTests {
    /// Eight megabytes, of which the page cache decides how long a fetch takes.
    private static let scenario = Scenario(
        name: "cold", records: 20_000, isolation: .none,
        entity: EntitySpec(
            name: "Note", attributes: [AttributeSpec(name: "text", type: .string, generator: .random(length: 400))]),
        phases: [
            Phase(name: "warm", from: .seeded, work: .fetch(FetchWork(mode: .sync))),
            Phase(name: "cold", from: .seeded, work: .fetch(FetchWork(mode: .sync, cache: .cold))),
        ])

    /// Whether a file of the tests' folder can leave the page cache, as the counters of the kernel show.
    private static let canBeCold: Bool = {
        guard let folder = try? TemporaryDirectory(),
            let file = try? folder.write(Data(repeating: 1, count: 8 << 20), to: "file"),
            (try? StoreStage.dropFromPageCache(folder.url)) != nil,
            let before = Instruments.platform.probe.sample().readBytes
        else { return false }
        _ = try? Data(contentsOf: file)
        return (Instruments.platform.probe.sample().readBytes ?? 0) - before >= 8 << 20
    }()

    @Test(.enabled(if: ColdFetchTests.canBeCold), arguments: DriverCase.all)
    func aColdFetchReadsTheStoreFromStorage(_ subject: DriverCase) async throws {
        var read: [(warm: Int, size: Int)] = []
        // What other tests of this process read meanwhile is counted too, so the least of a few tries says what a warm
        // fetch reads.
        while read.count < 6, read.allSatisfy({ $0.warm >= $0.size / 2 }) {
            let rows = try await Self.scenario.rows(by: subject.driver)
            #expect(rows.map(\.status) == [.ok, .ok], "\(rows.map(\.error))")
            #expect(rows.map(\.isCold) == [nil, true])
            let size = try #require(rows[1].databaseBytes)
            #expect((rows[1].readBytes ?? 0) > size / 2)
            read.append((rows[0].readBytes ?? 0, size))
        }
        #expect(read.contains { $0.warm < $0.size / 2 }, "\(read)")
    }

    @Test(.enabled(if: ColdFetchTests.canBeCold), arguments: DriverCase.all)
    func aColdStartReadsFromStorage(_ subject: DriverCase) async throws {
        var scenario = Self.scenario
        scenario.phases = [
            Phase(name: "start", from: .seeded, work: .reopen(ReopenWork(sort: [SortSpec(key: "text")], limit: 20)))
        ]
        let folder = try TemporaryDirectory()
        let row = try await onThread { [scenario] in
            try #require(try scenario.reports(by: subject.driver, in: folder.url).first).row
        }
        #expect(row.status == .ok && row.verified == true && row.isCold == true, "\(row.error)")
        #expect((row.opening ?? 0) > 0 && row.opening ?? 0 < row.durationNanoseconds ?? 0 && row.records == 20)
    }

    /// The caches of a server cannot be emptied, but a process that starts meets them as they are.
    @Test(arguments: DriverCase.all + DriverCase.onServer)
    func aWarmStartIsVerifiedWithEveryDriver(_ subject: DriverCase) async throws {
        var scenario = Self.scenario
        scenario.records = 500
        scenario.phases = [FetchWork.Cache.warm, .cold].map { cache in
            let work = ReopenWork(sort: [SortSpec(key: "text", ascending: false)], limit: 20, cache: cache)
            return Phase(name: cache.rawValue, from: .seeded, work: .reopen(work))
        }
        let rows = try await scenario.rows(by: subject.driver)
        #expect(rows[0].status == .ok && rows[0].verified == true, "\(rows[0].error)")
        #expect(rows[1].status == (subject.driver.server == nil ? .ok : .unsupported), "\(rows[1].error)")
    }

    @Test(.enabled(if: ColdFetchTests.canBeCold)) func aDriverThatWarmsTheCacheAsItOpensIsNotCold() async throws {
        let row = try #require(try await Self.scenario.rows(by: Warming()).last)
        #expect(row.status == .failed && row.isCold == false)
        #expect(row.error.contains("the fetch was not cold: within the clock it read "), "\(row.error)")
    }
}

/// Reads the whole file before it opens the store.
private struct Warming: StoreDriver {
    let name = "warming"
    let summary = "for tests"
    var sessionType: any StoreSession.Type { ForwardingSession.self }

    func open(_ configuration: StoreConfiguration) throws -> any StoreSession {
        let file = SQLiteDriver.file(in: configuration.directory)
        if FileManager.default.fileExists(atPath: file.path) { _ = try Data(contentsOf: file) }
        return ForwardingSession(try SQLiteDriver().open(configuration))
    }
}

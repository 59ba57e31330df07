import BenchHarness
import Foundation

/// A store in a directory of its own, and what its records must be.
final class StoreFixture {
    let configuration: StoreConfiguration
    let records: RecordGenerator
    private let driver: any StoreDriver

    init(_ driver: any StoreDriver, entity: EntitySpec = .item, options: StoreOptions = StoreOptions()) throws {
        let directory = FileManager.default.temporaryDirectory.appendingPathComponent("drivers-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
        self.driver = driver
        records = RecordGenerator(entity: entity, seed: 7)
        configuration = StoreConfiguration(directory: directory, entity: entity, options: options, records: records)
    }

    deinit { try? FileManager.default.removeItem(at: configuration.directory) }

    func open() throws -> any StoreSession { try driver.open(configuration) }

    /// Opens a store and fills it with `count` records.
    func seeded(_ count: Int) throws -> any StoreSession {
        let session = try open()
        try session.seed(SeedWork(), records: count, monitor: PhaseMonitor())
        return session
    }

    /// The digest of the records with `ordinals`, in that order, each changed by `change`: all attributes of them, or
    /// some.
    func digest(
        _ ordinals: some Sequence<Int>, keeping names: [String]? = nil,
        changing change: (Int, inout [FieldValue]) -> Void = { _, _ in }
    ) -> RecordDigest {
        let attributes = records.entity.attributes
        let kept = attributes.indices.filter { names?.contains(attributes[$0].name) ?? true }
        var digester = RecordDigester()
        for ordinal in ordinals {
            var values = records.entity.attributes.indices.map { records.value($0, ordinal) }
            change(ordinal, &values)
            for attribute in kept { digester.add(values[attribute]) }
            digester.endRecord()
        }
        return digester.digest
    }
}

extension StoreSession {
    /// The digest of all that is stored.
    func scanned() throws -> RecordDigest {
        var digester = RecordDigester()
        try scan(into: &digester)
        return digester.digest
    }
}

extension FetchedRecords {
    /// The digest of what was fetched.
    func digested() throws -> RecordDigest {
        var digester = RecordDigester()
        try digest(into: &digester)
        return digester.digest
    }
}

/// Runs `body` on a thread of its own: sessions wait, and a thread of Swift's own pool must not.
func onThread<Result: Sendable>(_ body: @escaping @Sendable () throws -> Result) async throws -> Result {
    try await withCheckedThrowingContinuation { continuation in
        Thread { continuation.resume(with: Swift.Result(catching: body)) }.start()
    }
}

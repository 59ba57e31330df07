import BenchDrivers
import Foundation
import TestSupport
import Testing

@testable import BenchCommand
@testable import BenchHarness

/// A process of its own finds in a store what this process finds.
@Suite(.ownThreads) struct InspectionCommandTests {
    private let folder: TemporaryDirectory
    private let configuration: StoreConfiguration
    private static let entity = EntitySpec(
        name: "Item",
        attributes: [
            AttributeSpec(name: "name", type: .string, generator: .sequence(prefix: "Item ", start: 0, step: 1))
        ])

    init() throws {
        folder = try TemporaryDirectory()
        configuration = StoreConfiguration(
            directory: folder.url, entity: Self.entity, options: StoreOptions(),
            records: RecordGenerator(entity: Self.entity, seed: 7))
    }

    private func witness(_ command: [String]) -> StoreWitness {
        StoreWitness(driver: SQLiteDriver(), configuration: configuration, seed: 7, command: command)
    }

    @Test func aNewProcessFindsWhatAnOpenSessionHasWritten() throws {
        let session = try SQLiteDriver().open(configuration)
        try session.seed(SeedWork(), records: 100, monitor: PhaseMonitor())
        let found = try witness([BenchBinary.url.path, InspectionCommand.spec.name]).inspect(session)
        #expect(try found == witness([]).inspect(session))
        #expect(found.content.count == 100 && found.versions != nil && found.problems.isEmpty)
        try session.close()
    }

    @Test func aStoreThatCannotBeReadIsSaid() throws {
        let session = try SQLiteDriver().open(configuration)
        try session.close()
        try Data("no database, but long enough to be taken for one".utf8).write(
            to: SQLiteDriver.file(in: folder.url))
        let error = #expect(throws: RunError.self) {
            try witness([BenchBinary.url.path, InspectionCommand.spec.name]).inspect(session)
        }
        #expect("\(try #require(error))".contains("the store cannot be inspected: "))
    }

    @Test func theManifestNamesTheInspector() throws {
        let bench = try BenchBinary()
        let outcome = try bench.run(
            "run", BenchBinary.smoke, "--allow-debug", "--scale", "0.01", "--driver", "sqlite", "--output", "out.csv")
        #expect(outcome.code == 0, "\(outcome.errors)")
        let manifest = try #require(try Manifest.read(beside: bench.folder.appendingPathComponent("out.csv")))
        #expect(manifest.status == "ok")
        #expect(manifest.drivers.first?.inspectedBy == "reader of SQLite files")
        #expect(manifest.drivers.first?.verifiesVersions == true)
    }
}

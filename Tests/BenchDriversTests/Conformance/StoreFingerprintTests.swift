import Foundation
import TestSupport
import Testing

@testable import BenchHarness
@testable import DriverConformance

/// The harness inspects a store before the clock starts only if the files have changed, so honest drivers must not
/// change them.
@Suite struct StoreFingerprintTests {
    @Test(arguments: DriverCase.all)
    func openingAndPreparingChangeNoFile(_ subject: DriverCase) async throws {
        try await onThread {
            let store = try CheckedStore(subject.driver, entity: .numbered)
            try store.seeded(100).close()
            let directory = store.configuration.directory
            let before = StoreFingerprint(of: directory)
            let session = try store.open()
            try session.prepareUpdate(
                UpdateWork(mode: .perObject, set: [AttributeChange(attribute: "done", operation: .toggle)]))
            #expect(StoreFingerprint(of: directory) == before)
            session.finish()
            try session.close()
        }
    }

    @Test func aFileThatGrowsShowsAndAnEmptyOneDoesNot() throws {
        let folder = try TemporaryDirectory()
        try folder.write("records", to: "store")
        let before = StoreFingerprint(of: folder.url)
        try folder.write("", to: "store-wal")
        try folder.write("index", to: "store-shm")
        #expect(StoreFingerprint(of: folder.url) == before)
        try folder.write("more", to: "store-wal")
        #expect(StoreFingerprint(of: folder.url) != before)
    }

    @Test func aFileThatIsReplacedByOneOfItsSizeShows() throws {
        let folder = try TemporaryDirectory()
        try folder.write("records", to: "store")
        let before = StoreFingerprint(of: folder.url)
        try folder.write("others!", to: "new")
        try FileManager.default.removeItem(at: folder.file("store"))
        try FileManager.default.moveItem(at: folder.file("new"), to: folder.file("store"))
        #expect(StoreFingerprint(of: folder.url) != before)
    }
}

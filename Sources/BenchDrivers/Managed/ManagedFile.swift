import BenchHarness
import Foundation
import ManagedStore

/// The file of a managed session.
struct ManagedFile: ManagedPlace {
    private let configuration: StoreConfiguration
    private var files: FileCounter

    init(_ configuration: StoreConfiguration) {
        self.configuration = configuration
        files = FileCounter(in: configuration.directory)
    }

    var inspector: any StoreInspector { RecordFileInspector(configuration) }

    func addStore(to coordinator: PersistentStoreCoordinator) throws {
        try coordinator.addPersistentStore(
            .sqlite, at: RecordFile.url(in: configuration.directory), options: SQLiteStoreOptions(configuration.options)
        )
    }

    func fill(_ counters: inout StoreCounters) {
        counters.storeMemoryPeakBytes = LibraryMemory.peakBytes(reset: false)
        files.fill(&counters)
    }

    mutating func resetCounters() {
        files.reset()
        _ = LibraryMemory.peakBytes(reset: true)
    }
}

extension SQLiteStoreOptions {
    /// Converts the scenario's settings. The file system counts syncs and bytes.
    init(_ options: StoreOptions) {
        self.init(
            synchronous: Synchronous(rawValue: options.synchronous.rawValue) ?? .full,
            cacheSizeKiB: options.cacheSizeKiB, pageSizeBytes: options.pageSizeBytes,
            mmapSizeBytes: options.mmapSizeBytes, walAutocheckpointPages: options.walAutocheckpointPages,
            busyTimeoutMilliseconds: options.busyTimeoutMilliseconds)
        fileSystem = FileCounter.fileSystem
    }
}

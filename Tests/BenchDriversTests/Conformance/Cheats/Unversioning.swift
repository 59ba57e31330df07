import BenchHarness
import CSQLite
import ForwardingDriver
import Foundation

@testable import BenchDrivers

/// Leaves each record with the version of its insertion.
final class Unversioning: ForwardingSession {
    private let file: URL

    init(_ base: any StoreSession, _ file: URL) {
        self.file = file
        super.init(base)
    }

    override func update(_ work: UpdateWork, monitor: PhaseMonitor) throws {
        try super.update(work, monitor: monitor)
        try forget()
    }

    override func merge(_ plan: MergePlan, monitor: PhaseMonitor) throws -> any FetchedRecords {
        let merged = try super.merge(plan, monitor: monitor)
        try forget()
        return merged
    }

    private func forget() throws {
        let connection = try PlainConnection(file: file, flags: SQLITE_OPEN_READWRITE)
        try connection.execute("UPDATE ZITEM SET Z_OPT = 1")
        try connection.close()
    }
}

import BenchHarness
import CSQLite
import ForwardingDriver
import Foundation

@testable import BenchDrivers

/// Makes all changes in a transaction before the clock starts, and only commits within it.
final class OpenTransaction: ForwardingSession {
    private let file: URL
    private var connection: PlainConnection?

    init(_ base: any StoreSession, _ file: URL) {
        self.file = file
        super.init(base)
    }

    override func prepareUpdate(_ work: UpdateWork) throws {
        let connection = try PlainConnection(file: file, flags: SQLITE_OPEN_READWRITE)
        try connection.execute("BEGIN IMMEDIATE")
        try connection.execute("UPDATE ZITEM SET ZDONE = NOT ZDONE, Z_OPT = Z_OPT + 1")
        self.connection = connection
    }

    override func update(_ work: UpdateWork, monitor: PhaseMonitor) throws {
        guard let connection else { return try super.update(work, monitor: monitor) }
        try connection.execute("COMMIT")
    }

    override func finish() {
        // The end of the connection rolls a transaction back.
        connection = nil
        super.finish()
    }
}

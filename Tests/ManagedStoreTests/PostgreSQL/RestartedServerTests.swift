import Foundation
import Locking
import TestSupport
import Testing

@testable import ManagedStore

/// A server that is restarted at a known moment of a request.
@Suite(.serialized, .enabled(if: PostgreSQLServer.isInstalled, "PostgreSQL is not installed"))
struct RestartedServerTests {
    private let server: PostgreSQLServer
    private let proxy: ServerProxy
    private let coordinator: PersistentStoreCoordinator

    init() throws {
        // What is not committed is not written down on its own.
        server = try PostgreSQLServer(settings: ["wal_writer_delay=10s"])
        proxy = try ServerProxy(server)
        coordinator = try PersistentStoreCoordinator.ofItems(at: server.url(host: proxy.folder.path))
    }

    private func restart(_ ending: PostgreSQLServer.Ending, at moment: ServerProxy.Moment) {
        proxy.hold(at: moment) { [server] in
            do {
                try server.restart(ending)
            } catch {
                Issue.record(error)
            }
        }
    }

    /// More than the buffers between server and client hold.
    private static let rows = 3_000

    private func seed() throws {
        let context = coordinator.confinedContext()
        let text = String(repeating: "x", count: 700)
        for number in 0..<Self.rows { Item(text, at: Double(number), in: context) }
        try context.save()
    }

    /// The connection was used before, so that the store finds another one and asks again.
    @Test(arguments: PostgreSQLServer.Ending.allCases)
    func aFetchDuringARestartIsRepeated(_ ending: PostgreSQLServer.Ending) throws {
        try seed()
        restart(ending, at: .answered(bytes: 100_000))
        #expect(try coordinator.confinedContext().items().count == Self.rows)
        #expect(!proxy.isWaiting)
    }

    @Test(arguments: PostgreSQLServer.Ending.allCases)
    func aFetchOnANewConnectionDuringARestartFailsAndCanBeRepeated(_ ending: PostgreSQLServer.Ending) throws {
        try seed()
        let pool = try coordinator.pool
        restart(ending, at: .answered(bytes: 100_000))
        let error = try pool.use { _ throws(StoreError) in
            // All idle connections are in use.
            expectError(.storeFailure) { try coordinator.confinedContext().items() }
        }
        #expect(
            error?.sqlState == "08006" && error?.message.contains("was lost") == true, "\(String(describing: error))")
        #expect(try coordinator.confinedContext().items().count == Self.rows)
    }

    /// - Returns: The error of a save during which the server is restarted.
    private func errorOfSave(_ context: ManagedObjectContext) -> StoreError? {
        do throws(StoreError) {
            try context.save()
            return nil
        } catch {
            return error
        }
    }

    @Test(arguments: PostgreSQLServer.Ending.allCases)
    func aSaveThatWasNotCommittedBeforeARestartFailsAndCanBeRepeated(_ ending: PostgreSQLServer.Ending) throws {
        let context = coordinator.confinedContext()
        for number in 0..<3 { Item("\(number)", at: Double(number), in: context) }
        restart(ending, at: .commitSent)
        let error = try #require(errorOfSave(context))
        #expect(error.code == .storeFailure && error.message.contains("nothing was saved"), "\(error)")
        #expect(try coordinator.confinedContext().items().isEmpty && context.hasChanges)
        try context.save()
        #expect(try coordinator.confinedContext().items().map(\.name) == ["0", "1", "2"])
    }

    /// A server that crashes forgets the numbers of transactions that it had not written down, and gives them out
    /// again.
    ///
    /// - Parameter crash: Called when the commit is under way; returns when the server can be used again.
    private func saveDuringCrash(_ crash: @escaping @Sendable () throws -> Void) throws {
        let context = coordinator.confinedContext()
        Item("first", in: context)
        proxy.hold(at: .commitSent) { [server] in
            do {
                try crash()
                let other = try PostgreSQLConnection(server.url())
                for _ in 0..<10 { _ = try other.query("SELECT txid_current()") }
            } catch {
                Issue.record(error)
            }
        }
        let error = try #require(errorOfSave(context))
        #expect(error.code == .storeFailure && error.message.contains("nothing was saved"), "\(error)")
        #expect(try coordinator.confinedContext().items().isEmpty && context.hasChanges)
        try context.save()
        #expect(try coordinator.confinedContext().items().map(\.name) == ["first"])
    }

    @Test func aTransactionIsNotTakenForAnotherOneThatGotItsNumber() throws {
        try saveDuringCrash { [server] in try server.restart(.kill) }
    }

    /// The server itself goes on, and ends all sessions.
    @Test func aTransactionIsNotTakenForAnotherOneAfterTheCrashOfASession() throws {
        let witness = try PostgreSQLConnection(server.url())
        let session = try coordinator.pool.use { connection throws(StoreError) in
            try connection.query("SELECT pg_backend_pid()")[0].int64(0)
        }
        try saveDuringCrash { [server] in
            kill(pid_t(session), SIGKILL)
            while (try? witness.query("SELECT 1")) != nil { usleep(1_000) }
            while (try? PostgreSQLConnection(server.url())) == nil { usleep(1_000) }
        }
    }

    @Test(arguments: PostgreSQLServer.Ending.allCases)
    func aSaveThatWasCommittedBeforeARestartIsThereAndNotReportedAsFailed(_ ending: PostgreSQLServer.Ending) throws {
        let context = coordinator.confinedContext()
        for number in 0..<3 { Item("\(number)", at: Double(number), in: context) }
        restart(ending, at: .commitAnswered)
        try context.save()
        #expect(try coordinator.confinedContext().items().map(\.name) == ["0", "1", "2"])
        let other = coordinator.confinedContext()
        Item("3", at: 3, in: other)
        try other.save()
        #expect(try coordinator.confinedContext().items().count == 4)
    }
}

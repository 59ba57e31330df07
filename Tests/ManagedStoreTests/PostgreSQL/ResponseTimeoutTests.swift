import Foundation
import Locking
import TestSupport
import Testing

@testable import ManagedStore

/// What the limit of a server's silence does not cut off, and what does not prolong it.
@Suite(.enabled(if: PostgreSQLServer.isInstalled, "PostgreSQL is not installed"))
struct ResponseTimeoutTests {
    private let server: FrozenServer
    private let coordinator: PersistentStoreCoordinator

    init() throws {
        server = try FrozenServer()
        coordinator = try PersistentStoreCoordinator.ofItems(at: server.url)
    }

    /// In either direction: the limit is one of silence.
    @Test func whatTakesLongWhileItArrivesIsNotCutOff() throws {
        let (milliseconds, delay) = (4_000, 25)
        server.proxy.delay.exchange(UInt32(delay) * 1_000)
        try PersistentStoreCoordinator.withResponseTimeout(milliseconds: milliseconds) {
            try coordinator.saveLongItems(4_000)
            server.proxy.bytes.exchange(0)
            #expect(try coordinator.confinedContext().items().count == 4_000)
        }
        // What arrived was sent before, too.
        let pieces = server.proxy.bytes.value / ServerProxy.delayedBytes
        #expect(pieces * delay > milliseconds)
    }

    /// A server that works on a statement, or waits for a lock, says nothing either.
    @Test func theLimitCanBeLifted() throws {
        try coordinator.saveLongItems(1)
        let other = try PostgreSQLConnection(server.direct)
        try other.execute("BEGIN; LOCK TABLE \"ZITEM\"")
        let context = coordinator.confinedContext()
        try PersistentStoreCoordinator.withResponseTimeout(milliseconds: 100) {
            expectError(.timeout) { try context.items() }
            Thread.detachNewThread {
                usleep(500_000)
                try? other.execute("COMMIT")
            }
            let found = try PersistentStoreCoordinator.withResponseTimeout(milliseconds: 0) { try context.items() }
            #expect(found.count == 1)
        }
    }

    /// The server ends what nobody waits for any more, and lets go of its locks.
    @Test func aStatementThatTakesTooLongEndsOnTheServer() throws {
        try coordinator.saveLongItems(1)
        let connection = try PostgreSQLConnection(server.url)
        try connection.execute("BEGIN; LOCK TABLE \"ZITEM\"")
        _ = PersistentStoreCoordinator.withResponseTimeout(milliseconds: 100) {
            expectError(.timeout) { try connection.query("SELECT pg_sleep(600)") }
        }
        #expect(connection.isLost && !connection.wasEnded)
        expectError(.timeout) { try connection.query("SELECT 1") }
        let other = try PostgreSQLConnection(server.direct)
        try other.execute("BEGIN; SET LOCAL lock_timeout = 50000; LOCK TABLE \"ZITEM\"; COMMIT")
    }

    /// As a profiler does, signals interrupt each wait.
    @Test func signalsDoNotProlongTheWait() throws {
        var action = sigaction()
        action.__sigaction_handler.sa_handler = { _ in }
        sigaction(SIGUSR2, &action, nil)
        let (isOver, waiting) = (Locked(false), pthread_self())
        Thread.detachNewThread {
            while !isOver.withLock({ isOver in
                if !isOver { pthread_kill(waiting, SIGUSR2) }
                return isOver
            }) { usleep(5_000) }
        }
        defer { isOver.exchange(true) }
        try server.whileFrozen {
            _ = PersistentStoreCoordinator.withResponseTimeout(milliseconds: 300) {
                expectError(.timeout) { try coordinator.confinedContext().items() }
            }
        }
    }
}

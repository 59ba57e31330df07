import BenchHarness
import CSQLite
import Foundation
import TestSupport
import Testing

@testable import BenchDrivers

@Suite struct PlainStatementTests {
    private let directory: TemporaryDirectory
    private let connection: PlainConnection

    init() throws {
        directory = try TemporaryDirectory()
        connection = try PlainConnection(
            file: directory.url.appendingPathComponent("t.sqlite"), flags: SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE)
        try connection.execute("CREATE TABLE t (a TEXT, b BLOB, c TEXT)")
    }

    @Test func textsAndBlobsOfAnyLengthAreWrittenInEachRun() throws {
        let lengths = [1, 0, 15, 16, 3_000, 2, 40_000, 7, 40_000, 0]
        let statement = try connection.prepare("INSERT INTO t VALUES (?, ?, ?)")
        for (run, length) in lengths.enumerated() {
            try statement.bind(text(run, length), at: 1)
            try statement.bind(Data(text(run + 1, length).utf8), at: 2)
            try statement.bind(text(run + 2, length * 2), at: 3)
            try statement.run()
        }
        let rows = try connection.prepare("SELECT a, b, c FROM t ORDER BY rowid")
        for (run, length) in lengths.enumerated() {
            #expect(try rows.step())
            #expect(rows.string(0) == text(run, length))
            #expect(Data(rows.blob(1)) == Data(text(run + 1, length).utf8))
            #expect(rows.string(2) == text(run + 2, length * 2))
        }
    }

    private func text(_ seed: Int, _ length: Int) -> String {
        String((0..<length).map { Character(UnicodeScalar(UInt8(97 + ($0 + seed) % 26))) })
    }

    @Test func keptStatementsArePreparedOnceAndCounted() throws {
        connection.resetCounters()
        let sql = "INSERT INTO t (a) VALUES (?)"
        var handles: Set<OpaquePointer> = []
        for letter in ["a", "b"] {
            let statement = try connection.kept(sql)
            handles.insert(statement.handle)
            try statement.bind(letter, at: 1)
            try statement.run()
        }
        #expect(handles.count == 1)
        #expect(connection.counters.statements == 2)
        #expect(connection.counters.rows == 2)
        connection.resetCounters()
        #expect(connection.counters.statements == 0)
        try connection.close()
    }

    @Test func keptStatementIsReadyAgainAfterAReaderThatStopped() throws {
        try connection.execute("INSERT INTO t (a) VALUES ('a'), ('b')")
        for _ in 0..<2 {
            let statement = try connection.kept("SELECT a FROM t WHERE a >= ? ORDER BY a")
            try statement.bind("a", at: 1)
            #expect(try statement.step())
            #expect(statement.string(0) == "a")
        }
    }

    @Test func keptTextIsComposedOnce() throws {
        var composed = 0
        func sql() -> String {
            composed += 1
            return "SELECT 1"
        }
        for _ in 0..<3 { #expect(try connection.kept("one", sql: sql()).step()) }
        #expect(composed == 1)
    }
}

import Foundation
import TestSupport
import Testing

/// `.ci/with-server`: a server for the time of a command.
@Suite(.ownThreads, .enabled(if: PostgreSQLServer.isInstalled, "PostgreSQL is not installed"))
struct WithServerTests {
    private let folder: TemporaryDirectory

    init() throws { folder = try TemporaryDirectory() }

    private func run(_ arguments: [String]) throws -> BenchBinary.Outcome {
        try Script.run(
            Repository.url(".ci/with-server").path, arguments, folder: folder.url, environment: ["TMPDIR": folder.path])
    }

    @Test func theServerEndsWithTheCommandWhoseCodeIsKept() throws {
        // The server runs as a user who must be able to enter the folder.
        chmod(folder.path, 0o711)
        let outcome = try run(["sh", "-c", "psql -Atc 'SELECT 41 + 1' \"$BENCH_STORE\"; exit 5"])
        #expect(outcome.code == 5 && outcome.output == "42\n", "\(outcome.errors)")
        #expect(try folder.names().isEmpty)
    }

    @Test func aCommandIsNeeded() throws {
        let outcome = try run([])
        #expect(outcome.code == 2 && outcome.errors.contains("usage:"))
    }
}

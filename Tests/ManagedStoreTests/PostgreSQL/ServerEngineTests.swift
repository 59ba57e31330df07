import Foundation
import TestSupport
import Testing

@testable import ManagedStore

/// What answers at an address decides what it is asked.
@Suite struct ServerEngineTests {
    @Test(arguments: [
        ("PostgreSQL 15.14 (Debian 15.14-0+deb12u1) on x86_64-pc-linux-gnu, compiled by gcc", "PostgreSQL"),
        ("CockroachDB CCL v24.3.1 (x86_64-pc-linux-gnu, built 2024/12/09, go1.22.8)", "CockroachDB"),
        ("PostgreSQL 11.2-YB-2.20.1.0-b0 on x86_64-pc-linux-gnu, compiled by clang", "YugabyteDB"),
        ("PostgreSQL 12.12 (Greenplum Database 7.0.0 build commit:0a7a3566873325aca1789ae6) on x86_64", "unknown"),
        ("Strict 1.0", "unknown"),
    ])
    func anEngineIsKnownByItsVersion(_ version: String, _ name: String) {
        #expect(ServerEngine.engine(version).name == name)
    }

    /// Extensions of PostgreSQL are known by their functions.
    @Test(
        .enabled(if: PostgreSQLServer.isInstalled, "PostgreSQL is not installed"),
        arguments: [("citus_version", "Citus"), ("aurora_version", "Aurora"), ("other_version", "PostgreSQL")])
    func anExtensionIsKnownByItsFunction(_ function: String, _ name: String) throws {
        let connection = try PostgreSQLConnection(TestSchema.make())
        try connection.execute(
            "CREATE FUNCTION \(function)() RETURNS text LANGUAGE sql IMMUTABLE AS $$SELECT '1'$$")
        #expect(try ServerEngine.ask(connection).name == name)
    }
}

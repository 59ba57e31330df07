import Foundation
import TestSupport
import Testing

/// Tests of stores on a server are left out where PostgreSQL is not installed, unless the environment requires it.
@Suite struct RequiredServerTests {
    private static let isRequired = ProcessInfo.processInfo.environment["REQUIRE_SERVER"] != nil

    @Test(.enabled(if: isRequired, "REQUIRE_SERVER is not set"))
    func theServerIsInstalledWhereItIsRequired() {
        #expect(PostgreSQLServer.isInstalled, "install PostgreSQL, as with .ci/requirements server")
    }
}

import BenchHarness
import TestSupport
import Testing

@testable import DriverConformance

extension Scenario {
    /// Runs the scenario on a thread of its own, with stores in a new folder or on the driver's server, and returns its
    /// rows.
    func rows(by driver: any StoreDriver) async throws -> [ResultRow] {
        let stores = try TemporaryDirectory()
        return try await onThread {
            defer { try? driver.server?.removeStores(below: stores.url) }
            return try reports(by: driver, in: stores.url).map(\.row)
        }
    }
}

/// Expects that every row was verified, but for the phases that the driver says it cannot do.
func expectVerified(_ rows: [ResultRow], unsupported: [String]) {
    let left = Set(rows.filter { $0.status == .unsupported }.map(\.phase))
    #expect(left == Set(unsupported))
    for row in rows where row.status != .unsupported {
        #expect(row.status == .ok && row.verified == true, "\(row.phase): \(row.error)")
    }
}

import Foundation
import TestSupport
import Testing

@testable import BenchHarness
@testable import DriverConformance

/// Loads that write null.
@Suite struct LoadedNullTests {
    private static let json = #"""
        { "version": 3, "name": "nulls", "seed": 1, "records": 50, "isolation": "none",
          "entities": [{ "name": "Note", "attributes": [
            { "name": "number", "type": "int64", "unique": true, "generator": { "kind": "sequence" } },
            { "name": "text", "type": "string", "null_share": 0.5, "generator": { "kind": "words", "count": 2 } },
            { "name": "score", "type": "double", "null_share": 0.5, "generator": { "kind": "uniform", "min": 0, "max": 9 } },
            { "name": "isRead", "type": "bool", "null_share": 0.5, "generator": { "kind": "uniform", "probability": 0.5 } },
            { "name": "at", "type": "date", "null_share": 0.5,
              "generator": { "kind": "ascending", "start": "2025-01-01T00:00:00Z", "step_s": 600 } },
            { "name": "size", "type": "int64", "null_share": 0.5, "generator": { "kind": "uniform", "min": 0, "max": 9 } },
            { "name": "body", "type": "data", "null_share": 0.5, "generator": { "kind": "random", "length_bytes": 9 } } ] }],
          "phases": [
            { "name": "load", "kind": "mixed", "from": "seeded", "workers": 2, "operation_count": 200,
              "operations": { "update": 2, "read_modify_write": 1, "insert": 1, "read": 1 } } ] }
        """#

    @Test(arguments: DriverCase.all + DriverCase.onServer)
    func aValueMayBecomeNull(_ subject: DriverCase) async throws {
        let scenario = try ScenarioReader().read(Data(Self.json.utf8), file: "nulls.json")
        for row in try await scenario.rows(by: subject.driver) {
            #expect(row.status == .ok && row.verified == true, "\(row.error)")
        }
    }
}

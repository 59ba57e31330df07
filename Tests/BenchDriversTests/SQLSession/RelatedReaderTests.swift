import Foundation
import Testing

@testable import BenchHarness
@testable import DriverConformance

/// A loop that reads more than it needs makes every other driver look fast.
@Suite struct RelatedReaderTests {
    @Test(arguments: DriverCase.all + DriverCase.onServer, ["", #", "limit": 5"#])
    func aPrefetchReadsWhatTheFoundRecordsLeadTo(_ subject: DriverCase, limit: String) async throws {
        let scenario = try ScenarioReader().read(Data(json(limit).utf8), file: "few.json")
        let row = try #require(try await scenario.rows(by: subject.driver).last)
        #expect(row.status == .ok && row.verified == true, "\(row.error)")
        #expect(try #require(row.usage.counters.rows) <= 20, "of 600 records and 300 lists")
    }

    private func json(_ limit: String) -> String {
        """
        {
          "version": 3, "name": "few", "seed": 1, "records": 600, "repetitions": 1,
          "entities": [
            {
              "name": "Item",
              "attributes": [{ "name": "number", "type": "int64", "generator": { "kind": "sequence" } }],
              "relationships": [{ "name": "list", "to": "List", "inverse": "items" }]
            },
            {
              "name": "List", "records": 300,
              "attributes": [{ "name": "number", "type": "int64", "generator": { "kind": "sequence" } }]
            }
          ],
          "phases": [
            {
              "name": "few", "kind": "fetch", "from": "seeded", "mode": "sync", "sort": [{ "key": "number" }],
              "filter": { "key": "number", "op": "<", "value": 10 }\(limit),
              "follow": { "relationship": "list", "prefetch": true }
            }
          ]
        }
        """
    }
}

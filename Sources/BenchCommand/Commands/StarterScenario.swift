/// The scenario that `bench init` writes.
enum StarterScenario {
    static func text(named name: String) -> String {
        #"""
        // A scenario of bench: records, and phases of work on them. Text after two slashes is a comment.
        // bench validate \#(name)    checks this file and names every mistake.
        // bench run \#(name)         runs it with each driver and writes a CSV.
        {
          "version": 3,
          "name": "\#(name)",
          "description": "What this scenario is about.",
          // The same seed makes the same records, on every machine.
          "seed": 1,
          // The records in the store; bench run --scale 0.1 makes a tenth of them.
          "records": 10000,
          "repetitions": 5,
          "entities": [{
            "name": "Message",
            // Each attribute has a type (string, bool, date, int64, double or data) and a generator of its values.
            "attributes": [
              { "name": "subject", "type": "string", "generator": { "kind": "words", "count": 3, "count_max": 9 } },
              {
                "name": "folder", "type": "string",
                "generator": { "kind": "choice", "values": ["inbox", "archive", "spam"], "weights": [6, 3, 1] }
              },
              {
                "name": "receivedAt", "type": "date", "indexed": true,
                "generator": { "kind": "ascending", "start": "2024-01-01T00:00:00Z", "step_s": 300 }
              },
              { "name": "isRead", "type": "bool", "generator": { "kind": "uniform", "probability": 0.8 } },
              // A fifth of the messages have a size, the others have none.
              {
                "name": "attachmentSize", "type": "int64", "null_share": 0.8,
                "generator": { "kind": "uniform", "min": 1000, "max": 5000000 }
              }
            ]
          }],
          // Each phase is measured and verified. It starts from an empty store, from a new copy of the seeded one, or
          // from what the previous phase left.
          "phases": [
            { "name": "fill", "kind": "seed", "from": "empty", "save_every_records": 1000 },
            {
              "name": "newest-unread", "kind": "fetch", "from": "seeded", "mode": "sync",
              "filter": { "and": [
                { "key": "folder", "op": "==", "value": "inbox" }, { "key": "isRead", "op": "==", "value": false }
              ] },
              "sort": [{ "key": "receivedAt", "ascending": false }], "limit": 50
            },
            { "name": "load-all", "kind": "fetch", "from": "seeded", "mode": "async" },
            {
              "name": "mark-read", "kind": "update", "from": "seeded", "mode": "chunked", "chunk_records": 500,
              "set": { "isRead": true }
            },
            {
              "name": "synchronise", "kind": "merge", "from": "seeded", "writers": 2,
              "saves_per_writer": 10, "inserts_per_save": 5, "changes_per_save": 3, "deletes_per_save": 1,
              "set": { "isRead": true }
            }
          ]
        }

        """#
    }
}

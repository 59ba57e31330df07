/// A scenario with entities that inherit, for a driver whose stores hold them: a library of songs and clips.
///
/// It has every kind of phase that such a scenario allows, about all records and about one kind. A test writes ``json``
/// to a file and runs it.
public enum SubentitiesScenario {
    /// The scenario.
    public static var json: String { json() }

    /// The scenario with a share of songs, and with some phases; with 0.9, no record is of the entity itself.
    public static func json(ofSongs songs: Double = 0.6, _ phases: [String] = phases) -> String {
        """
        { "version": 3, "name": "library", "seed": 3, "records": 300, "isolation": "none",
          "entities": [{ "name": "Medium", "attributes": [
            { "name": "title", "type": "string", "generator": { "kind": "words", "count": 3 } },
            { "name": "number", "type": "int64", "unique": true, "generator": { "kind": "sequence" } },
            { "name": "plays", "type": "int64", "generator": { "kind": "uniform", "min": 0, "max": 9 } } ] },
            { "name": "Song", "superentity": "Medium", "share": \(songs), "attributes": [
              { "name": "artist", "type": "string", "indexed": true, "null_share": 0.2,
                "generator": { "kind": "choice", "values": ["Ann", "Ben", "Cid"] } } ] },
            { "name": "Clip", "superentity": "Medium", "share": 0.1, "attributes": [
              { "name": "data", "type": "data", "generator": { "kind": "random", "length_bytes": 20 } },
              { "name": "seconds", "type": "double", "generator": { "kind": "uniform", "min": 1, "max": 60 } },
              { "name": "isSeen", "type": "bool", "generator": { "kind": "uniform", "probability": 0.5 } },
              { "name": "seenAt", "type": "date",
                "generator": { "kind": "ascending", "start": "2025-01-01T00:00:00Z", "step_s": 60 } } ] }],
          "phases": [\(phases.joined(separator: ",\n"))] }
        """
    }

    /// The phases.
    public static let phases = [
        #"{ "name": "seed", "kind": "seed", "from": "empty", "save_every_records": 70 }"#,
        #"{ "name": "all", "kind": "fetch", "from": "seeded", "mode": "sync", "sort": [{ "key": "title" }] }"#,
        #"{ "name": "songs", "kind": "fetch", "entity": "Song", "from": "seeded", "mode": "sync", "sort": [{ "key": "artist" }] }"#,
        #"{ "name": "clips", "kind": "fetch", "entity": "Clip", "from": "seeded", "mode": "async", "sort": [{ "key": "seenAt" }], "limit": 9 }"#,
        #"""
        { "name": "some", "kind": "fetch", "entity": "Song", "from": "seeded", "mode": "sync",
          "attributes": ["artist", "plays"], "sort": [{ "key": "plays" }],
          "filter": { "or": [{ "key": "artist", "op": "==", "value": "Ann" }, { "key": "plays", "op": ">", "value": 6 }] } }
        """#,
        #"{ "name": "count", "kind": "count", "from": "seeded", "filter": { "key": "plays", "op": "<", "value": 3 } }"#,
        #"{ "name": "count-clips", "kind": "count", "entity": "Clip", "from": "seeded", "filter": { "key": "isSeen", "op": "==", "value": true } }"#,
        #"{ "name": "sum", "kind": "aggregate", "entity": "Song", "from": "seeded", "function": "sum", "attribute": "plays", "group_by": "artist" }"#,
        #"{ "name": "page", "kind": "page", "entity": "Song", "from": "seeded", "by": "offset", "page_records": 17, "sort": [{ "key": "number" }] }"#,
        #"{ "name": "page-by-key", "kind": "page", "entity": "Song", "from": "seeded", "by": "key", "page_records": 17, "sort": [{ "key": "number" }] }"#,
        #"""
        { "name": "page-some", "kind": "page", "entity": "Song", "from": "seeded", "by": "key", "page_records": 5,
          "sort": [{ "key": "number", "ascending": false }], "filter": { "key": "artist", "op": "==", "value": "Ben" } }
        """#,
        #"{ "name": "reopen", "kind": "reopen", "entity": "Clip", "from": "seeded", "sort": [{ "key": "number" }], "limit": 4 }"#,
        #"{ "name": "undo", "kind": "undo", "entity": "Song", "from": "seeded", "set": { "artist": "Dan" }, "step_records": 50 }"#,
        #"""
        { "name": "some-played", "kind": "update", "entity": "Clip", "from": "seeded", "mode": "batch",
          "filter": { "key": "isSeen", "op": "==", "value": false }, "set": { "isSeen": { "toggle": true }, "plays": 3 } }
        """#,
        #"""
        { "name": "delete-first", "kind": "delete", "entity": "Song", "from": "seeded", "mode": "per_object",
          "sort": [{ "key": "number" }], "limit": 20 }
        """#,
        #"{ "name": "delete-first-at-once", "kind": "delete", "entity": "Song", "from": "seeded", "mode": "batch", "sort": [{ "key": "number" }], "limit": 20 }"#,
        #"{ "name": "insert", "kind": "insert", "from": "seeded", "records": 40, "save_every_records": 7 }"#,
        #"{ "name": "all-again", "kind": "fetch", "from": "previous", "mode": "sync" }"#,
        #"{ "name": "play", "kind": "update", "entity": "Song", "from": "previous", "mode": "per_object", "set": { "artist": null, "plays": { "add": 1 } } }"#,
        #"{ "name": "cut", "kind": "update", "entity": "Clip", "from": "previous", "mode": "chunked", "chunk_records": 8, "set": { "seconds": { "add": 2 } } }"#,
        #"{ "name": "reset", "kind": "update", "from": "previous", "mode": "batch", "set": { "plays": 0 } }"#,
        #"{ "name": "reset-songs", "kind": "update", "entity": "Song", "from": "previous", "mode": "batch", "set": { "plays": 1 } }"#,
        #"""
        { "name": "forget", "kind": "delete", "entity": "Clip", "from": "previous", "mode": "per_object",
          "filter": { "key": "isSeen", "op": "==", "value": true } }
        """#,
        #"{ "name": "forget-songs", "kind": "delete", "entity": "Song", "from": "previous", "mode": "batch" }"#,
        #"{ "name": "rest", "kind": "fetch", "from": "previous", "mode": "sync" }"#,
        #"""
        { "name": "listen", "kind": "mixed", "from": "seeded", "workers": 2, "operation_count": 160,
          "operations": { "read": 1, "update": 3, "read_modify_write": 1, "insert": 3, "scan": 1, "delete": 1 },
          "fields_per_update": 2 }
        """#,
        #"""
        { "name": "collect", "kind": "saves", "from": "seeded", "mode": "unobserved", "writers": 2,
          "saves_per_writer": 20, "inserts_per_save": 3, "changes_per_save": 2, "deletes_per_save": 1,
          "set": { "plays": { "add": 1 } } }
        """#,
    ]
}

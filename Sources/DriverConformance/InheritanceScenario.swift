/// A scenario whose entities inherit and are related in every way, for a driver whose stores hold them: posts with
/// pictures and recordings of people.
///
/// Relationships lead from and to entities that others inherit from, and those that inherit: to one, to many, in an
/// order, by pairs, and within one table. A test writes ``json(isCircular:prefetches:)`` to a file and runs it.
public enum InheritanceScenario {
    /// The scenario, in which relationships lead in a circle and related records are prefetched, or not.
    public static func json(isCircular: Bool, prefetches: Bool) -> String {
        json(phases(prefetches: prefetches), isCircular: isCircular)
    }

    /// The scenario with some phases.
    public static func json(_ phases: [String], isCircular: Bool) -> String {
        """
        { "version": 3, "name": "gallery", "seed": 4, "records": 90, "isolation": "none",
          "entities": [\(entities(isCircular: isCircular))], "phases": [\(phases.joined(separator: ",\n"))] }
        """
    }

    private static func entities(isCircular: Bool) -> String {
        let portrait = #", { "name": "portrait", "to": "Photo", "inverse": "portraitOf" }"#
        return #"""
            { "name": "Post", "attributes": [
              { "name": "number", "type": "int64", "unique": true, "generator": { "kind": "sequence" } },
              { "name": "title", "type": "string", "generator": { "kind": "words", "count": 2 } } ],
              "relationships": [
              { "name": "cover", "to": "Photo", "inverse": "coverOf", "distribution": "zipfian" },
              { "name": "attachment", "to": "Attachment", "inverse": "attachedTo" },
              { "name": "author", "to": "Person", "inverse": "posts", "delete_rule": "cascade" },
              { "name": "replyTo", "to": "Post", "inverse": "replies" },
              { "name": "pictures", "to": "Photo", "inverse": "shownIn", "count": 0, "count_max": 3, "ordered": true },
              { "name": "media", "to": "Attachment", "inverse": "usedIn", "count": 0, "count_max": 2 } ] },
            { "name": "Attachment", "records": 60, "attributes": [
              { "name": "name", "type": "string", "generator": { "kind": "words", "count": 2 } },
              { "name": "size", "type": "int64", "indexed": true, "generator": { "kind": "uniform", "min": 0, "max": 99 } } ],
              "relationships": [
              { "name": "owner", "to": "Person", "inverse": "attachments", "delete_rule": "cascade" },
              { "name": "album", "to": "Album", "inverse": "items", "ordered": true },
              { "name": "previous", "to": "Attachment", "inverse": "later" } ] },
            { "name": "Photo", "superentity": "Attachment", "share": 0.5, "attributes": [
              { "name": "width", "type": "int64", "generator": { "kind": "uniform", "min": 100, "max": 4000 } } ],
              "relationships": [
              { "name": "takenBy", "to": "Guest", "inverse": "photos" },
              { "name": "original", "to": "Photo", "inverse": "copies" },
              { "name": "frame", "to": "Frame", "inverse": "framed", "ordered": true },
              { "name": "labels", "to": "Sticker", "inverse": "labelled", "count": 0, "count_max": 3 },
              { "name": "similar", "to": "Photo", "inverse": "similarTo", "count": 0, "count_max": 2, "ordered": true } ] },
            { "name": "Recording", "superentity": "Attachment", "share": 0.3, "attributes": [
              { "name": "seconds", "type": "double", "generator": { "kind": "uniform", "min": 1, "max": 60 } } ],
              "relationships": [
              { "name": "sleeve", "to": "Photo", "inverse": "sleeveOf" },
              { "name": "stills", "to": "Photo", "inverse": "stillOf", "count": 0, "count_max": 2 },
              { "name": "speaker", "to": "Person", "inverse": "recordings" } ] },
            { "name": "Person", "records": 12, "attributes": [
              { "name": "number", "type": "int64", "unique": true, "generator": { "kind": "sequence" } },
              { "name": "name", "type": "string", "generator": { "kind": "sequence", "prefix": "Person " } },
              { "name": "age", "type": "int64", "null_share": 0.2, "generator": { "kind": "uniform", "min": 1, "max": 90 } } ],
              "relationships": [
              { "name": "friend", "to": "Person", "inverse": "friendOf" }\#(isCircular ? portrait : "") ] },
            { "name": "Guest", "superentity": "Person", "share": 0.6, "attributes": [
              { "name": "until", "type": "date", "generator": { "kind": "ascending", "start": "2025-01-01T00:00:00Z", "step_s": 60 } } ],
              "relationships": [{ "name": "host", "to": "Person", "inverse": "guests" }] },
            { "name": "Album", "records": 9, "attributes": [
              { "name": "number", "type": "int64", "unique": true, "generator": { "kind": "sequence" } },
              { "name": "name", "type": "string", "generator": { "kind": "words", "count": 1 } } ],
              "relationships": [{ "name": "keeper", "to": "Guest", "inverse": "albums" }] },
            { "name": "Frame", "records": 5, "attributes": [
              { "name": "name", "type": "string", "generator": { "kind": "sequence", "prefix": "Frame " } } ] },
            { "name": "Label", "records": 8, "attributes": [
              { "name": "name", "type": "string", "generator": { "kind": "sequence", "prefix": "Label " } } ] },
            { "name": "Sticker", "superentity": "Label", "share": 0.7, "attributes": [
              { "name": "color", "type": "string", "generator": { "kind": "choice", "values": ["red", "blue"] } } ] }
            """#
    }

    /// The phases.
    public static func phases(prefetches: Bool) -> [String] {
        let fetches = follows.flatMap { entity, relationships in
            relationships.map { relationship in
                #"""
                { "name": "\#(relationship)-of-\#(entity)", "kind": "fetch", "entity": "\#(entity)", "from": "seeded",
                  "mode": "sync", "follow": { "relationship": "\#(relationship)", "prefetch": \#(prefetches) } }
                """#
            }
        }
        return [#"{ "name": "fill", "kind": "seed", "from": "empty", "save_every_records": 25 }"#] + fetches + reading
            + changing
    }

    /// The relationships that phases follow from all records, by the names of the entities.
    private static let follows = [
        ("Post", ["cover", "attachment", "pictures", "media"]),
        ("Attachment", ["owner", "album", "previous", "later", "attachedTo", "usedIn"]),
        ("Photo", ["coverOf", "shownIn", "takenBy", "original", "copies", "labels", "sleeveOf", "frame", "usedIn"]),
        ("Photo", ["similar", "similarTo", "stillOf"]), ("Recording", ["sleeve", "stills", "speaker"]),
        ("Person", ["attachments", "recordings", "guests", "friend", "posts"]),
        ("Guest", ["photos", "host", "albums"]), ("Album", ["items", "keeper"]), ("Frame", ["framed"]),
        ("Sticker", ["labelled"]),
    ]

    private static let reading = [
        #"""
        { "name": "some-covers", "kind": "fetch", "from": "seeded", "mode": "sync", "limit": 20,
          "sort": [{ "key": "cover.takenBy.name" }, { "key": "cover.width", "ascending": false }, { "key": "number" }],
          "filter": { "and": [{ "key": "cover.width", "op": ">", "value": 700 },
            { "not": { "key": "attachment.size", "op": "<", "value": 20 } }] },
          "follow": { "relationship": "cover", "prefetch": true } }
        """#,
        #"""
        { "name": "first-pictures", "kind": "fetch", "from": "seeded", "mode": "sync", "limit": 15,
          "sort": [{ "key": "number" }], "follow": { "relationship": "pictures", "prefetch": true } }
        """#,
        #"""
        { "name": "first-albums", "kind": "fetch", "entity": "Album", "from": "seeded", "mode": "sync", "limit": 4,
          "sort": [{ "key": "number" }], "follow": { "relationship": "items", "prefetch": true } }
        """#,
        #"""
        { "name": "photos-by-guest", "kind": "fetch", "entity": "Photo", "from": "seeded", "mode": "async",
          "sort": [{ "key": "takenBy.until" }, { "key": "original.width" }, { "key": "album.keeper.until" }],
          "filter": { "or": [{ "key": "takenBy.host.name", "op": "!=", "value": "Person 3" },
            { "key": "original.original.width", "op": "==", "value": null }] } }
        """#,
        #"""
        { "name": "wide-shows", "kind": "count", "from": "seeded",
          "filter": { "key": "pictures.width", "op": "<", "value": 1000 } }
        """#,
        #"""
        { "name": "photographers", "kind": "count", "entity": "Guest", "from": "seeded",
          "filter": { "and": [{ "key": "photos.width", "op": ">", "value": 2000 },
            { "key": "photos.labels.color", "op": "==", "value": "red" }] } }
        """#,
        #"""
        { "name": "labelled-blue", "kind": "fetch", "entity": "Photo", "from": "seeded", "mode": "sync",
          "filter": { "key": "labels.color", "op": "==", "value": "blue" } }
        """#,
        #"""
        { "name": "used", "kind": "fetch", "entity": "Attachment", "from": "seeded", "mode": "sync",
          "sort": [{ "key": "album.name" }, { "key": "size" }],
          "filter": { "or": [{ "key": "attachedTo.title", "op": "contains", "value": "a" },
            { "key": "usedIn.cover.width", "op": ">", "value": 3000 }] } }
        """#,
        #"{ "name": "by-cover", "kind": "aggregate", "from": "seeded", "function": "count", "group_by": "cover" }"#,
        #"{ "name": "by-attachment", "kind": "aggregate", "from": "seeded", "function": "count", "group_by": "attachment" }"#,
        #"{ "name": "by-width", "kind": "aggregate", "from": "seeded", "function": "maximum", "attribute": "number", "group_by": "cover.width" }"#,
        #"""
        { "name": "size-by-guest", "kind": "aggregate", "entity": "Photo", "from": "seeded", "function": "sum",
          "attribute": "size", "group_by": "takenBy", "filter": { "key": "frame.name", "op": "!=", "value": "Frame 2" } }
        """#,
        #"{ "name": "seconds", "kind": "aggregate", "entity": "Recording", "from": "seeded", "function": "average", "attribute": "seconds", "group_by": "sleeve.takenBy.name" }"#,
        #"{ "name": "page", "kind": "page", "entity": "Post", "from": "seeded", "by": "offset", "page_records": 20, "sort": [{ "key": "cover.size" }, { "key": "number" }] }"#,
        #"{ "name": "get", "kind": "get", "entity": "Attachment", "from": "seeded", "count": 40 }"#,
        #"{ "name": "get-people", "kind": "get", "entity": "Person", "from": "seeded", "count": 20 }"#,
        #"{ "name": "reopen", "kind": "reopen", "entity": "Photo", "from": "seeded" }"#,
    ]

    private static let changing = [
        #"""
        { "name": "new-covers", "kind": "update", "from": "seeded", "mode": "chunked", "chunk_records": 10,
          "filter": { "key": "cover.width", "op": "<", "value": 2000 }, "set": { "cover": 3, "attachment": 2 } }
        """#,
        #"{ "name": "new-covers-seen", "kind": "fetch", "entity": "Photo", "from": "previous", "mode": "sync", "follow": { "relationship": "coverOf" } }"#,
        #"{ "name": "new-guests", "kind": "update", "entity": "Photo", "from": "previous", "mode": "per_object", "set": { "takenBy": 2, "size": { "add": 1 } } }"#,
        #"{ "name": "new-sleeves", "kind": "update", "entity": "Recording", "from": "previous", "mode": "per_object", "set": { "sleeve": 4, "speaker": 1, "previous": 9 } }"#,
        #"{ "name": "new-guests-seen", "kind": "fetch", "entity": "Guest", "from": "previous", "mode": "sync", "follow": { "relationship": "photos", "prefetch": true } }"#,
        #"""
        { "name": "rename", "kind": "update", "from": "previous", "mode": "batch",
          "filter": { "and": [{ "key": "cover.size", "op": ">", "value": 30 }, { "key": "pictures.size", "op": ">", "value": 50 }] },
          "set": { "title": "shown" } }
        """#,
        #"{ "name": "shrink", "kind": "update", "entity": "Photo", "from": "previous", "mode": "batch", "filter": { "key": "shownIn.number", "op": ">", "value": 9 }, "set": { "width": { "add": -1 } } }"#,
        #"{ "name": "ages", "kind": "update", "entity": "Person", "from": "previous", "mode": "per_object", "set": { "age": { "generator": { "kind": "uniform", "min": 1, "max": 5 } } } }"#,
        #"{ "name": "add", "kind": "insert", "entity": "Attachment", "from": "seeded", "records": 33, "save_every_records": 7 }"#,
        #"{ "name": "add-posts", "kind": "insert", "from": "previous", "records": 20, "save_every_records": 3 }"#,
        #"{ "name": "add-people", "kind": "insert", "entity": "Person", "from": "previous", "records": 9 }"#,
        #"{ "name": "added-items", "kind": "fetch", "entity": "Album", "from": "previous", "mode": "sync", "follow": { "relationship": "items" } }"#,
        #"{ "name": "added-frames", "kind": "fetch", "entity": "Frame", "from": "previous", "mode": "sync", "follow": { "relationship": "framed", "prefetch": true } }"#,
        #"{ "name": "added-labels", "kind": "fetch", "entity": "Sticker", "from": "previous", "mode": "sync", "follow": { "relationship": "labelled" } }"#,
        #"{ "name": "show", "kind": "update", "from": "previous", "mode": "chunked", "chunk_records": 7, "set": { "pictures": { "link": 3, "unlink": 9 } } }"#,
        #"{ "name": "show-again", "kind": "update", "from": "previous", "mode": "per_object", "set": { "pictures": { "link": 9 } } }"#,
        #"{ "name": "shown", "kind": "fetch", "from": "previous", "mode": "sync", "follow": { "relationship": "pictures" } }"#,
        #"{ "name": "first-shown", "kind": "fetch", "from": "previous", "mode": "sync", "limit": 9, "follow": { "relationship": "pictures", "prefetch": true } }"#,
        #"{ "name": "likened", "kind": "update", "entity": "Photo", "from": "previous", "mode": "per_object", "set": { "similar": { "link": 2, "unlink": 4 } } }"#,
        #"{ "name": "alike", "kind": "fetch", "entity": "Photo", "from": "previous", "mode": "sync", "follow": { "relationship": "similar", "prefetch": true } }"#,
        #"{ "name": "remove-small", "kind": "delete", "entity": "Attachment", "from": "previous", "mode": "per_object", "filter": { "key": "size", "op": "<", "value": 30 } }"#,
        #"{ "name": "covers-left", "kind": "fetch", "from": "previous", "mode": "sync", "follow": { "relationship": "cover" } }"#,
        #"{ "name": "remove-photos", "kind": "delete", "entity": "Photo", "from": "previous", "mode": "batch", "filter": { "key": "width", "op": "<", "value": 1800 } }"#,
        #"{ "name": "pictures-left", "kind": "fetch", "from": "previous", "mode": "sync", "follow": { "relationship": "pictures" } }"#,
        #"{ "name": "remove-labelled", "kind": "delete", "entity": "Photo", "from": "seeded", "mode": "batch", "filter": { "key": "labels.color", "op": "==", "value": "red" } }"#,
        #"{ "name": "remove-recordings", "kind": "delete", "entity": "Recording", "from": "previous", "mode": "per_object", "filter": { "key": "sleeve.takenBy.until", "op": ">", "value": "2025-01-01T00:02:00Z" } }"#,
        #"{ "name": "forget", "kind": "delete", "entity": "Person", "from": "seeded", "mode": "per_object", "filter": { "key": "number", "op": "<", "value": 4 } }"#,
        #"{ "name": "left", "kind": "fetch", "entity": "Attachment", "from": "previous", "mode": "sync", "follow": { "relationship": "owner" } }"#,
        #"{ "name": "forget-guests", "kind": "delete", "entity": "Guest", "from": "seeded", "mode": "batch", "filter": { "key": "photos.width", "op": ">", "value": 1500 } }"#,
        #"{ "name": "forget-at-once", "kind": "delete", "entity": "Person", "from": "seeded", "mode": "batch", "filter": { "key": "number", "op": ">", "value": 8 } }"#,
        #"{ "name": "remove-stickers", "kind": "delete", "entity": "Label", "from": "seeded", "mode": "batch", "filter": { "key": "name", "op": "!=", "value": "Label 2" } }"#,
        #"{ "name": "undo", "kind": "undo", "entity": "Photo", "from": "seeded", "set": { "width": 7, "takenBy": 1 }, "step_records": 5 }"#,
        #"{ "name": "upsert", "kind": "upsert", "entity": "Person", "from": "seeded", "records": 9, "new_share": 0.4, "save_every_records": 4 }"#,
        #"""
        { "name": "merge", "kind": "merge", "entity": "Person", "from": "seeded", "writers": 1, "saves_per_writer": 3,
          "inserts_per_save": 3, "changes_per_save": 3, "deletes_per_save": 0, "set": { "age": 2 } }
        """#,
        #"{ "name": "merged", "kind": "fetch", "from": "previous", "mode": "sync", "follow": { "relationship": "author", "prefetch": true } }"#,
        #"""
        { "name": "keep", "kind": "mixed", "entity": "Album", "from": "seeded", "workers": 2, "operation_count": 60,
          "operations": { "read": 0.3, "update": 0.4, "insert": 0.3 }, "fields_per_update": 0 }
        """#,
    ]
}

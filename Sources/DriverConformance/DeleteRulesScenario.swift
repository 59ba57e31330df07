/// A scenario with every delete rule, for a driver whose stores hold several entities: a small forum, whose messages go
/// with their threads, and with those that they reply to, unless a pin or an author stays.
///
/// It has deletions of records to which others lead, allowed and denied, in each way. A test writes ``json`` to a file
/// and runs it.
public enum DeleteRulesScenario {
    /// The scenario.
    public static var json: String {
        """
        { "version": 3, "name": "forum", "seed": 1, "records": 300, "isolation": "none",
        \(entities)
        "phases": [\(phases.joined(separator: ",\n"))] }
        """
    }

    /// The deletions that a rule denies.
    static let denied = [
        "all", "all-at-once", "pinned", "threads", "threads-at-once", "users", "users-at-once", "mentors",
    ]

    private static let entities = #"""
        "entities": [{
        "name": "Message",
        "attributes": [
        { "name": "number", "type": "int64", "unique": true, "generator": { "kind": "sequence", "start": 1 } },
        { "name": "text", "type": "string", "generator": { "kind": "words", "count": 3 } } ],
        "relationships": [
        { "name": "replyTo", "to": "Message", "inverse": "replies", "delete_rule": "cascade" },
        { "name": "quotes", "to": "Message", "inverse": "quotedIn", "delete_rule": "nullify" },
        { "name": "thread", "to": "Thread", "inverse": "messages", "delete_rule": "cascade" },
        { "name": "author", "to": "User", "inverse": "messages", "delete_rule": "deny" },
        { "name": "readers", "to": "User", "inverse": "hasRead", "count": 0, "count_max": 3 } ]
        },

        { "name": "Thread", "records": 150, "attributes": [
        { "name": "title", "type": "string", "generator": { "kind": "sequence", "prefix": "Thread " } } ],
        "relationships": [
        { "name": "starter", "to": "User", "inverse": "threads" },
        { "name": "latest", "to": "Message", "inverse": "latestOf" } ] },
        { "name": "User", "records": 200, "attributes": [
        { "name": "name", "type": "string", "generator": { "kind": "sequence", "prefix": "User " } } ],
        "relationships": [
        { "name": "mentor", "to": "User", "inverse": "pupils", "delete_rule": "deny" } ] },
        { "name": "Attachment", "records": 150, "attributes": [
        { "name": "size", "type": "int64", "generator": { "kind": "uniform", "min": 1, "max": 99 } } ],
        "relationships": [
        { "name": "message", "to": "Message", "inverse": "attachments", "delete_rule": "cascade" } ] },
        { "name": "Pin", "records": 4, "attributes": [
        { "name": "place", "type": "int64", "generator": { "kind": "sequence" } } ],
        "relationships": [
        { "name": "message", "to": "Message", "inverse": "pins", "delete_rule": "deny" } ] }
        ],
        """#

    private static let late = #""filter": { "key": "number", "op": "between", "value": [270, 285] }"#
    private static let free = #"""
        "filter": { "not": { "or": [{ "key": "messages.number", "op": ">", "value": 0 },
          { "key": "pupils.name", "op": "begins_with", "value": "User" }] } }
        """#

    /// The phases.
    static let phases =
        ["per_object", "batch"].flatMap { mode in
            let suffix = mode == "batch" ? "-at-once" : ""
            return [
                delete(
                    "latest\(suffix)", "Message", mode,
                    #""sort": [{ "key": "number", "ascending": false }], "limit": 9"#),
                delete("all\(suffix)", "Message", mode),
                look("messages\(suffix)", "Thread", "messages"),
                delete("threads\(suffix)", "Thread", mode),
                delete("users\(suffix)", "User", mode),
                delete("free\(suffix)", "User", mode, free),
                look("started\(suffix)", "User", "threads"),
                delete("unpin\(suffix)", "Pin", mode),
                delete("late\(suffix)", "Message", mode, late, from: "previous"),
                look("replies\(suffix)", "Message", "replies"),
                look("quoted\(suffix)", "Message", "quotedIn"),
                look("read\(suffix)", "User", "hasRead"),
                delete(
                    "unpinned-threads\(suffix)", "Thread", mode,
                    #""filter": { "key": "title", "op": "ends_with", "value": "7" }"#, from: "previous"),
                delete("unpinned\(suffix)", "Message", mode, from: "previous"),
                count("users-before\(suffix)", "User"),
                delete("unread-users\(suffix)", "User", mode, from: "previous"),
                count("users-after\(suffix)", "User"),
            ]
        } + [
            delete("pinned", "Message", "batch", #""filter": { "key": "pins.place", "op": ">=", "value": 0 }"#),
            delete(
                "mentors", "User", "per_object",
                #""filter": { "key": "pupils.name", "op": "begins_with", "value": "User" }"#),
        ]

    private static func delete(
        _ name: String, _ entity: String, _ mode: String, _ records: String? = nil, from: String = "seeded"
    ) -> String {
        phase(name, "delete", entity, from: from, [#""mode": "\#(mode)""#] + [records].compactMap(\.self))
    }

    private static func look(_ name: String, _ entity: String, _ relationship: String) -> String {
        phase(
            name, "fetch", entity, from: "previous",
            [#""mode": "sync", "follow": { "relationship": "\#(relationship)", "prefetch": true }"#])
    }

    private static func count(_ name: String, _ entity: String) -> String {
        phase(name, "count", entity, from: "previous", [])
    }

    private static func phase(
        _ name: String, _ kind: String, _ entity: String, from: String, _ keys: [String]
    ) -> String {
        let first = #""name": "\#(name)", "kind": "\#(kind)", "entity": "\#(entity)", "from": "\#(from)""#
        return "{ \(([first] + keys).joined(separator: ", ")) }"
    }
}

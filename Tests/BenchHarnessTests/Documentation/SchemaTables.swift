@testable import BenchHarness

/// The keys of a scenario as the article "Scenario keys" lists them: a section for each object of the schema, in the
/// order of the schema.
struct SchemaTables {
    private let definitions: [JSONMember]
    private let phases: Set<String>

    init(_ schema: JSONNode) {
        definitions = schema["$defs"]?.members ?? []
        let kinds = definitions.first { $0.key == "phase" }?.value["anyOf"]?.elements ?? []
        phases = Set(kinds.compactMap(\.reference))
    }

    var markdown: String {
        let objects = definitions.filter { $0.value["properties"] != nil }
        let others = definitions.filter { $0.value["properties"] == nil && !isListedWhereUsed($0.value) }
        return objects.map(section).joined(separator: "\n\n") + "\n\n### other values\n\n" + table(of: others)
    }

    /// A definition that the key of an object shows in full.
    private func isListedWhereUsed(_ definition: JSONNode) -> Bool {
        definition["enum"] != nil || definition["description"] == nil
    }

    private func definition(_ name: String) -> JSONNode? { definitions.first { $0.key == name }?.value }

    // MARK: - Objects

    private func section(_ object: JSONMember) -> String {
        let properties = object.value["properties"]?.members ?? []
        let description = object.value["description"]?.text.map { $0 + "\n\n" } ?? ""
        return "### \(heading(object.key))\n\n\(description)"
            + (names(properties) ?? keys(properties, of: object.value))
    }

    /// Keys that are all of one kind and need no words: their names alone.
    private func names(_ properties: [JSONMember]) -> String? {
        guard properties.count > 2, properties.allSatisfy({ $0.value["description"] == nil }) else { return nil }
        let values = Set(properties.map { value($0.value) })
        guard values.count == 1, let value = values.first else { return nil }
        let names = properties.map { "`\($0.key)`" }.joined(separator: ", ")
        return "Every key is optional, and its value is: \(value).\n\n\(names)"
    }

    private func keys(_ properties: [JSONMember], of object: JSONNode) -> String {
        let required = Set(object["required"]?.elements.compactMap(\.text) ?? [])
        let rows = properties.map { property in
            let marks = required.contains(property.key) ? "required" : ""
            return "| `\(property.key)` | \(value(property.value)) | \(marks) | \(description(property.value)) |"
        }
        return (["| key | value | | meaning |", "| --- | --- | --- | --- |"] + rows).joined(separator: "\n")
    }

    private func table(of definitions: [JSONMember]) -> String {
        let rows = definitions.map { "| \(heading($0.key)) | \(value($0.value)) | \(description($0.value)) |" }
        return (["| value | written as | meaning |", "| --- | --- | --- |"] + rows).joined(separator: "\n")
    }

    /// A key's own description; otherwise that of the value it refers to.
    private func description(_ node: JSONNode) -> String {
        if let text = node["description"]?.text { return text }
        return node.reference.flatMap(definition)?["description"]?.text ?? ""
    }

    /// In lower case, because GitHub makes anchors of that, and DocC of the heading as it is.
    private func heading(_ name: String) -> String {
        let words = name.reduce(into: "") { $0 += $1.isUppercase ? " " + $1.lowercased() : String($1) }
        return phases.contains(name) ? "phase: \(words)" : words
    }

    // MARK: - Values

    private func value(_ node: JSONNode) -> String {
        if let name = node.reference { return reference(name, from: node) }
        if let text = node["const"]?.literal { return "`\(text)`" }
        if let choices = node["enum"] { return Self.list(choices.elements.compactMap(\.literal).map { "`\($0)`" }) }
        if let choices = node["anyOf"]?.elements { return Self.list(choices.map(value)) }
        if let items = node["items"], !Self.takesList(node) { return "a list, each: \(value(items))" }
        if let values = node["additionalProperties"], values.reference != nil {
            return "an object, each value: \(value(values))"
        }
        return Self.types(node) + Self.range(node) + (Self.takesList(node) ? ", or a list" : "")
    }

    /// What has words of its own is linked to; a choice, or a mere range, is shown in place.
    private func reference(_ name: String, from node: JSONNode) -> String {
        guard let definition = definition(name) else { return name }
        if definition["properties"] != nil { return "[\(heading(name))](#\(anchor(name)))" }
        // What stands beside the reference, such as bounds, holds as well.
        return isListedWhereUsed(definition)
            ? value(definition.with(node.members.filter { $0.key != "$ref" })) : "[\(heading(name))](#other-values)"
    }

    private func anchor(_ name: String) -> String {
        heading(name).replacing(": ", with: "-").replacing(" ", with: "-")
    }

    /// Whether a list may take the place of a number.
    private static func takesList(_ node: JSONNode) -> Bool {
        node["type"]?.elements.contains { $0.text == "array" } == true
    }

    private static func types(_ node: JSONNode) -> String {
        let elements = node["type"]?.elements.compactMap(\.text).filter { $0 != "array" }
        let types = node["type"]?.text.map { [$0] } ?? elements ?? []
        let names = ["integer": "whole number", "boolean": "true or false", "object": "object"]
        return list(types.map { names[$0] ?? $0 })
    }

    private static func range(_ node: JSONNode) -> String {
        switch (node["minimum"]?.literal, node["maximum"]?.literal) {
        case (let low?, let high?): " from \(low) to \(high)"
        case (let low?, nil): " from \(low)"
        case (nil, let high?): " to \(high)"
        case (nil, nil): ""
        }
    }

    /// `a, b or c`, each once.
    private static func list(_ choices: [String]) -> String {
        var choices = choices.reduce(into: [String]()) { if !$0.contains($1) { $0.append($1) } }
        guard choices.count > 1, let last = choices.popLast() else { return choices.first ?? "" }
        return choices.joined(separator: ", ") + " or " + last
    }
}

extension JSONNode {
    fileprivate subscript(key: String) -> JSONNode? { members.first { $0.key == key }?.value }

    fileprivate var members: [JSONMember] {
        if case .object(let members) = value { members } else { [] }
    }
    fileprivate var elements: [JSONNode] {
        if case .array(let elements) = value { elements } else { [] }
    }
    fileprivate var text: String? {
        if case .string(let text) = value { text } else { nil }
    }
    /// The object with further members.
    fileprivate func with(_ others: [JSONMember]) -> JSONNode {
        JSONNode(value: .object(members + others), offset: offset)
    }
    /// The name of the definition that this refers to.
    fileprivate var reference: String? {
        self["$ref"]?.text?.split(separator: "/").last.map(String.init)
    }
    /// A constant as it is written, less quotation marks.
    fileprivate var literal: String? {
        switch value {
        case .string(let text): text
        case .number(let number): number.text
        case .bool(let isTrue): "\(isTrue)"
        case .null, .array, .object: nil
        }
    }
}

import Foundation

/// Rewrites a scenario of version 2 as one of version 3, and leaves its comments and layout as they are.
///
/// Version 2 had an entity, the owners of its records, those that inherit from it, and a list of other entities.
/// Version 3 has one list of all entities.
public struct ScenarioConverter {
    private let bytes: [UInt8]

    /// Returns the text of a file in the present format; nil if it is in that format already.
    ///
    /// - Throws: `ScenarioErrors` if it is no scenario of version 2, or not valid afterwards.
    public static func convert(contentsOf url: URL) throws(ScenarioErrors) -> Data? {
        let source: JSONSource
        let root: JSONNode
        do {
            source = JSONSource(file: url.relativePath, bytes: Array(try ScenarioFile.data(at: url)))
        } catch {
            throw ScenarioErrors([error])
        }
        do {
            root = try JSONReader.read(source.bytes)
        } catch {
            throw ScenarioErrors([
                source.error(at: error.offset, path: nil, found: error.found, expected: error.expected)
            ])
        }
        guard let version = root["version"], case .number(let number) = version.value.value else { return nil }
        if number.integer() == ScenarioReader.version { return nil }
        guard number.integer() == ScenarioReader.version - 1, root["entity"] != nil else {
            throw ScenarioErrors([
                source.error(
                    at: version.value.offset, path: "version", found: version.value.inWords,
                    expected: "version \(ScenarioReader.version - 1), the one that can be converted")
            ])
        }
        let converted = Data(ScenarioConverter(bytes: source.bytes).text(of: root).utf8)
        _ = try ScenarioReader().read(converted, file: "\(url.relativePath), converted")
        return converted
    }

    private func text(of root: JSONNode) -> String {
        guard let version = root["version"], let entity = root["entity"] else { return plain(0..<bytes.count) }
        var edits = TextEdits()
        edits.replace(version.value.range, by: "\(ScenarioReader.version)")
        let list = entities(of: root).joined(separator: ",\n    ")
        edits.replace(entity.range, by: "\"entities\": [\n    \(list)\n  ]")
        if let others = root["entities"] { edits.replace(removal(of: others, from: root), by: "") }
        name(ownersIn: root["phases"], of: entity.value, &edits)
        return edits.applied(to: bytes, in: 0..<bytes.count)
    }

    /// Returns the text of each entity: the scenario's own, the others, its owners and those that inherit from it.
    private func entities(of root: JSONNode) -> [String] {
        guard let own = root["entity"]?.value else { return [] }
        var edits = TextEdits()
        var more: [String] = []
        if let owner = own["owner"] {
            edits.replace(owner.range, by: "\"relationships\": [{ \(reference(to: owner.value)) }]")
            more.append(
                "{ \"name\": \(text(owner.value, "entity")), \"records\": \(text(owner.value, "records")),\n      "
                    + "\"attributes\": \(text(owner.value, "attributes")) }")
        }
        if let kinds = own["subentities"] {
            edits.replace(removal(of: kinds, from: own), by: "")
            more += kinds.value.elements.map { kind in
                var edits = TextEdits()
                if let name = kind["name"] {
                    edits.insert(", \"superentity\": \(text(own, "name"))", at: name.value.end)
                }
                // It moves out of a list in its entity.
                return edits.applied(to: bytes, in: kind.range).replacing("\n  ", with: "\n")
            }
        }
        // The entity moves into a list, two columns to the right.
        let first = edits.applied(to: bytes, in: own.range).replacing("\n", with: "\n  ")
        return [first] + (root["entities"]?.value.elements ?? []).map { plain($0.range) } + more
    }

    private func reference(to owner: JSONNode) -> String {
        var members = [("name", "relationship"), ("to", "entity"), ("inverse", "inverse")]
        if owner["distribution"] != nil { members.append(("distribution", "distribution")) }
        return members.map { "\"\($0.0)\": \(text(owner, $0.1))" }.joined(separator: ", ")
    }

    /// Has fetches that begin at the owners name their entity.
    private func name(ownersIn phases: JSONMember?, of entity: JSONNode, _ edits: inout TextEdits) {
        guard let owner = entity["owner"]?.value else { return }
        for phase in phases?.value.elements ?? [] {
            guard let kind = phase["kind"], let relationship = phase["follow"]?.value["relationship"],
                plain(relationship.value.range) == text(owner, "inverse")
            else { continue }
            edits.insert(", \"entity\": \(text(owner, "entity"))", at: kind.value.end)
        }
    }

    /// Returns the range of a member with the comma that it leaves.
    private func removal(of member: JSONMember, from object: JSONNode) -> Range<Int> {
        guard case .object(let members) = object.value,
            let place = members.firstIndex(where: { $0.key == member.key })
        else { return member.range }
        if place > 0 { return members[place - 1].value.end..<member.value.end }
        let comma = members.count > 1 ? bytes[member.value.end...].firstIndex(of: UInt8(ascii: ",")) : nil
        return member.keyOffset..<(comma.map { $0 + 1 } ?? member.value.end)
    }

    /// Returns the text of the value of a key; `null` if the key is missing, which the reader then reports.
    private func text(_ object: JSONNode, _ key: String) -> String {
        object[key].map { plain($0.value.range) } ?? "null"
    }

    private func plain(_ range: Range<Int>) -> String { String(decoding: bytes[range], as: UTF8.self) }
}

/// Changes of a text, by the ranges of its bytes, none of which overlap.
private struct TextEdits {
    private var edits: [(range: Range<Int>, text: String)] = []

    mutating func replace(_ range: Range<Int>, by text: String) { edits.append((range, text)) }

    mutating func insert(_ text: String, at place: Int) { edits.append((place..<place, text)) }

    /// Returns a range of the text with the changes in it.
    func applied(to bytes: [UInt8], in range: Range<Int>) -> String {
        var (result, place) = ("", range.lowerBound)
        for edit in edits.sorted(by: { $0.range.lowerBound < $1.range.lowerBound }) {
            result += String(decoding: bytes[place..<edit.range.lowerBound], as: UTF8.self) + edit.text
            place = edit.range.upperBound
        }
        return result + String(decoding: bytes[place..<range.upperBound], as: UTF8.self)
    }
}

extension JSONNode {
    /// The member with a key; nil if there is none, or if it is no object.
    fileprivate subscript(key: String) -> JSONMember? {
        guard case .object(let members) = value else { return nil }
        return members.first { $0.key == key }
    }

    /// The elements of an array; none for another value.
    fileprivate var elements: [JSONNode] {
        if case .array(let elements) = value { elements } else { [] }
    }

    fileprivate var range: Range<Int> { offset..<end }
}

extension JSONMember {
    fileprivate var range: Range<Int> { keyOffset..<value.end }
}

import Foundation

/// The parts of a scenario as JSON.
extension DescribedScenario {
    /// The attributes and relationships of an entity, a line each.
    static func members(of entity: EntitySpec, indentation: String) -> String {
        let relationships = (entity.references ?? []).map(json) + (entity.links ?? []).map(json)
        let members = [
            list("attributes", entity.attributesOfItsOwn.map(json)),
            relationships.isEmpty ? nil : list("relationships", relationships),
        ]
        return members.compactMap(\.self).joined(separator: ",\n").split(separator: "\n")
            .map { indentation + $0 }.joined(separator: "\n")
    }

    private static func list(_ key: String, _ elements: [String]) -> String {
        "\"\(key)\": [\n\(elements.map { "  \($0)" }.joined(separator: ",\n"))\n]"
    }

    private static func json(_ reference: ReferenceSpec) -> String {
        let rule = reference.deleteRule.map { ", \"delete_rule\": \(json($0.rawValue))" } ?? ""
        return names(reference.relationship, reference.entityName, reference.inverse)
            + "\(rule)\(suffix(reference.isOrdered, reference.distribution)) }"
    }

    private static func json(_ link: LinkSpec) -> String {
        names(link.relationship, link.entityName, link.inverse)
            + ", \"count\": \(link.min), \"count_max\": \(link.max)\(suffix(link.isOrdered, link.distribution)) }"
    }

    private static func names(_ relationship: String, _ entity: String, _ inverse: String) -> String {
        "{ \"name\": \(json(relationship)), \"to\": \(json(entity)), \"inverse\": \(json(inverse))"
    }

    private static func suffix(_ isOrdered: Bool, _ distribution: ReferenceSpec.Distribution?) -> String {
        (isOrdered ? ", \"ordered\": true" : "")
            + (distribution.map { ", \"distribution\": \(json($0.rawValue))" } ?? "")
    }

    private static func json(_ attribute: AttributeSpec) -> String {
        var members = ["\"name\": \(json(attribute.name))", "\"type\": \(json(attribute.type.rawValue))"]
        if attribute.isUnique { members.append("\"unique\": true") }
        if attribute.isIndexed { members.append("\"indexed\": true") }
        if let share = attribute.nullShare { members.append("\"null_share\": \(json(share))") }
        members.append("\"generator\": { \(json(attribute.generator, attribute.type)) }")
        return "{ \(members.joined(separator: ", ")) }"
    }

    private static func json(_ generator: Generator, _ type: FieldType) -> String {
        let number = { (value: Double) in json(number: value, type) }
        switch generator {
        case .constant(let value): return "\"kind\": \"constant\", \"value\": \(json(value))"
        case .sequence(let prefix, let start, let step):
            let kind = "\"kind\": \"sequence\", "
            return switch type {
            case .string: kind + "\"prefix\": \(json(prefix))"
            case .date: kind + "\"start\": \(number(start)), \"step_s\": \(json(step))"
            default: kind + "\"start\": \(number(start)), \"step\": \(number(step))"
            }
        case .uniform(_, let max) where type == .bool: return "\"kind\": \"uniform\", \"probability\": \(json(max))"
        case .uniform(let min, let max):
            return "\"kind\": \"uniform\", \"min\": \(number(min)), \"max\": \(number(max))"
        case .random(let length): return "\"kind\": \"random\", \"length_bytes\": \(length)"
        case .randomLengths(let min, let max):
            return "\"kind\": \"random\", \"length_bytes\": \(min), \"length_bytes_max\": \(max)"
        case .choice(let values, let weights):
            let shares = weights.map { ", \"weights\": [\($0.map(json).joined(separator: ", "))]" } ?? ""
            return "\"kind\": \"choice\", \"values\": [\(values.map(json).joined(separator: ", "))]\(shares)"
        case .words(let min, let max, let vocabulary):
            return "\"kind\": \"words\", \"count\": \(min), \"count_max\": \(max), \"vocabulary\": \(vocabulary)"
        case .ascending(let start, let step):
            return "\"kind\": \"ascending\", \"start\": \(number(start)), \"step_s\": \(json(step))"
        // The relationship stands for it.
        case .owner, .earlier: return ""
        }
    }

    static func json(_ value: FieldValue) -> String {
        switch value {
        case .null: "null"
        case .string(let text): json(text)
        case .bool(let bit): "\(bit)"
        case .date(let seconds): json(number: seconds, .date)
        case .int64(let number): "\(number)"
        case .double(let number): json(number)
        case .data(let data): json(data.base64EncodedString())
        }
    }

    private static func json(number: Double, _ type: FieldType) -> String {
        switch type {
        case .date: json(DescribedDate.text(number))
        case .int64: "\(Int64(number))"
        default: json(number)
        }
    }

    private static func json(_ number: Double) -> String {
        Int64(exactly: number).map { "\($0)" } ?? "\(number)"
    }

    static func json(_ text: String) -> String {
        let encoder = JSONEncoder()
        encoder.outputFormatting = .withoutEscapingSlashes
        // A string can always be encoded.
        return (try? encoder.encode(text)).map { String(decoding: $0, as: UTF8.self) } ?? "\"\""
    }
}

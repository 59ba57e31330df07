import Foundation

/// A scenario whose records are like those of a store's file.
public struct DescribedScenario: Sendable {
    private let name: String
    /// The file's name, without its folder.
    private let source: String
    private let survey: StoreSurvey
    private let described: DescribedEntity

    /// Describes one entity of a survey, with the owners of its records.
    ///
    /// - Parameters:
    ///   - name: The scenario's name, valid in file names.
    ///   - survey: What is in the file.
    ///   - source: The name of the file, for a comment.
    ///   - entity: The entity's name; nil chooses the one with the most records.
    /// - Throws: `RunError` if there is no such entity.
    public init(named name: String, of survey: StoreSurvey, from source: String, entity: String?) throws(RunError) {
        self.name = name
        self.source = source
        self.survey = survey
        described = try DescribedEntity(survey, name: entity)
    }

    /// The scenario as its file has it, with comments.
    public var text: String {
        let entity = described.spec
        let own = entity.attributesOfItsOwn.map { "      \(Self.json($0))" }.joined(separator: ",\n")
        let owner = entity.owner.map { ",\n" + Self.json($0) } ?? ""
        return """
            \(comments.map { "// \($0)\n" }.joined()){
              "version": 2,
              "name": \(Self.json(name)),
              "seed": 1,
              "records": \(described.records),
              "repetitions": 5,
              "entity": {
                "name": \(Self.json(entity.name)),
                "attributes": [
            \(own)
                ]\(owner)
              },
              // What a program like yours does with these records is yours to say; these phases are a beginning.
              "phases": [
            \(DescribedPhases(entity: entity, records: described.records).lines.map { "    \($0)" }.joined(separator: ",\n"))
              ]
            }

            """
    }

    private var comments: [String] {
        let sizes = survey.entities.sorted { ($1.records, $0.name) < ($0.records, $1.name) }
            .map { "  \($0.name.withoutControls): \(Figure.count($0.records, "record"))" }
        let remarks = (described.remarks + survey.remarks).map { "Note: \($0.withoutControls)." }
        return [
            "Records like those of \(source.withoutControls), without its texts and data. Its entities:"
        ] + sizes + remarks + [
            "Numbers and dates are spread evenly between the least and the greatest one of the file."
        ]
    }
}

// MARK: - JSON

extension DescribedScenario {
    private static func json(_ owner: OwnerSpec) -> String {
        let attributes = owner.attributes.map { "        \(json($0))" }.joined(separator: ",\n")
        let distribution = owner.distribution.map { ", \"distribution\": \(json($0.rawValue))" } ?? ""
        return """
                "owner": {
                  "relationship": \(json(owner.relationship)), "inverse": \(json(owner.inverse)),
                  "entity": \(json(owner.entityName)), "records": \(owner.records)\(distribution),
                  "attributes": [
            \(attributes)
                  ]
                }
            """
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
        case .owner: return ""
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

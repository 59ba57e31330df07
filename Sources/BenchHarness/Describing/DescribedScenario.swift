import Foundation

/// A scenario whose records are like those of a store's file.
public struct DescribedScenario: Sendable {
    private let name: String
    /// The file's name, without its folder.
    private let source: String
    private let survey: StoreSurvey
    private let described: DescribedContent

    /// Describes the entities of a survey, or one of them with the owners of its records.
    ///
    /// - Parameters:
    ///   - name: The scenario's name, valid in file names.
    ///   - survey: What is in the file.
    ///   - source: The name of the file, for a comment.
    ///   - entity: The entity's name; nil takes all that have records.
    /// - Throws: `RunError` if there is no such entity.
    public init(named name: String, of survey: StoreSurvey, from source: String, entity: String?) throws(RunError) {
        self.name = name
        self.source = source
        self.survey = survey
        described = try DescribedContent(survey, entity: entity)
    }

    /// The scenario as its file has it, with comments.
    public var text: String {
        """
        \(comments.map { "// \($0)\n" }.joined()){
          "version": 2,
          "name": \(Self.json(name)),
          "seed": 1,
          "records": \(described.records),
          "repetitions": 5,
          "entity": {
            "name": \(Self.json(described.entity.name)),
        \(Self.members(of: described.entity, indentation: "    "))
          },
        \(others)\
          // What a program like yours does with these records is yours to say; these phases are a beginning.
          "phases": [
        \(phases.map { "    \($0)" }.joined(separator: ",\n"))
          ]
        }

        """
    }

    private var others: String {
        let entities = described.others.map { entity in
            """
                {
                  "name": \(Self.json(entity.name)), "records": \(entity.records ?? 1),
            \(Self.members(of: entity, indentation: "      "))
                }
            """
        }
        return entities.isEmpty ? "" : "  \"entities\": [\n\(entities.joined(separator: ",\n"))\n  ],\n"
    }

    private var phases: [String] {
        DescribedPhases(entity: described.entity, others: described.others, records: described.records).lines
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

import Foundation

/// A scenario whose records are like those of a store's file.
public struct DescribedScenario: Sendable {
    private let name: String
    /// The file's name, without its folder.
    private let source: String
    private let survey: StoreSurvey
    private let described: DescribedContent

    /// Describes the entities of a survey, or one of them with what its relationships lead to.
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
          "version": 3,
          "name": \(Self.json(name)),
          "seed": 1,
          "records": \(described.entities[0].records ?? 1),
          "repetitions": 5,
          "entities": [
        \(entities)
          ],
          // What a program like yours does with these records is yours to say; these phases are a beginning.
          "phases": [
        \(phases.map { "    \($0)" }.joined(separator: ",\n"))
          ]
        }

        """
    }

    /// The entities; the scenario has the number of records of the first.
    private var entities: String {
        described.entities.enumerated().map { place, entity in
            """
                {
                  "name": \(Self.json(entity.name)),\(place > 0 ? " \"records\": \(entity.records ?? 1)," : "")
            \(Self.members(of: entity, indentation: "      "))
                }
            """
        }.joined(separator: ",\n")
    }

    private var phases: [String] {
        DescribedPhases(schema: Schema(described.entities)).lines
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

/// The entities of a scenario that is like a store's file, and what of the file a scenario cannot say.
struct DescribedContent {
    /// The entity that phases are about, with all its records; the others have theirs in ``EntitySpec/records``.
    let entity: EntitySpec
    let others: [EntitySpec]
    /// The number of records of ``entity``.
    let records: Int
    let remarks: [String]

    /// Describes the entity called `name`, with the owners of its records. For nil it describes all entities with
    /// records, and begins with the one that has the most.
    ///
    /// - Throws: `RunError` that says which entities there are.
    init(_ survey: StoreSurvey, entity name: String?) throws(RunError) {
        guard let name else {
            let entities = survey.entities.filter { $0.records > 0 }
            guard !entities.isEmpty else { throw RunError(.results, "there is no table with records in it") }
            self.init(entities, of: survey)
            return
        }
        let entity = try Self.entity(called: name, of: survey)
        if let root = entity.root {
            throw RunError(
                .results,
                "\(name.printable) inherits from \(root.printable), and its records are described with it; expected "
                    + "--entity \(root.printable)")
        }
        self.init(only: survey.whole(entity.name) ?? entity, of: survey)
    }

    private init(_ entities: [SurveyedEntity], of survey: StoreSurvey) {
        let graph = DescribedGraph(entities, links: survey.links)
        guard graph.needsSeveralEntities else {
            let largest = graph.largest
            self.init(only: survey.whole(largest.root ?? largest.name) ?? largest, of: survey)
            return
        }
        let specs = graph.entities
        self.init(
            entity: specs[0], others: [EntitySpec](specs.dropFirst()), records: graph.largest.records,
            remarks: graph.remarks)
    }

    private init(only surveyed: SurveyedEntity, of survey: StoreSurvey) {
        let described = DescribedEntity(surveyed, of: survey)
        self.init(
            entity: described.spec, others: [], records: max(surveyed.records, 1), remarks: described.remarks)
    }

    private init(entity: EntitySpec, others: [EntitySpec], records: Int, remarks: [String]) {
        (self.entity, self.others, self.records, self.remarks) = (entity, others, records, remarks)
    }

    private static func entity(called name: String, of survey: StoreSurvey) throws(RunError) -> SurveyedEntity {
        if let entity = survey.entities.first(where: { $0.name == name }) { return entity }
        let names = survey.entities.map(\.name)
        if names.isEmpty { throw RunError(.results, "there is no table with records in it") }
        let nearest = NearestName.among(names, to: name).map { "; did you mean \($0.quoted)?" }
        let all = "; expected one of \(names.sorted().map(\.printable).joined(separator: ", "))"
        throw RunError(.results, "there is no entity \(name.quoted)\(nearest ?? all)")
    }
}

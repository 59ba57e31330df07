/// The entities of a scenario that is like a store's file, and what of the file a scenario cannot say.
struct DescribedContent {
    /// The entities; phases are about the first.
    let entities: [EntitySpec]
    let remarks: [String]

    /// Describes the entity called `name`, with those that its relationships to one record lead to. For nil it
    /// describes all entities with records, and begins with the one that has the most.
    ///
    /// - Throws: `RunError` that says which entities there are.
    init(_ survey: StoreSurvey, entity name: String?) throws(RunError) {
        let graph = if let name { try Self.graph(of: name, in: survey) } else { try Self.graph(survey) }
        (entities, remarks) = (graph.entities, graph.remarks)
    }

    private static func graph(_ survey: StoreSurvey) throws(RunError) -> DescribedGraph {
        let entities = survey.entities.filter { $0.records > 0 }
        guard !entities.isEmpty else { throw RunError(.results, "there is no table with records in it") }
        if entities.count == 1, let whole = survey.whole(entities[0].root ?? entities[0].name) {
            return DescribedGraph([whole], links: survey.links)
        }
        return DescribedGraph(entities, links: survey.links)
    }

    private static func graph(of name: String, in survey: StoreSurvey) throws(RunError) -> DescribedGraph {
        let entity = try Self.entity(called: name, of: survey)
        if let root = entity.root {
            throw RunError(
                .results,
                "\(name.printable) inherits from \(root.printable), and its records are described with it; expected "
                    + "--entity \(root.printable)")
        }
        return DescribedGraph(of: survey.whole(entity.name) ?? entity, in: survey)
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

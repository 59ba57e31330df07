/// Several entities of a survey, and those of their relationships that a scenario can have.
struct DescribedGraph {
    private struct Node {
        let surveyed: SurveyedEntity
        let name: String
        var names: UsedNames
        let attributes: [AttributeSpec]
        var references: [ReferenceSpec] = []
        var links: [LinkSpec] = []

        var isFull: Bool { references.count + links.count == ScenarioLimits.relationships.upperBound }
    }

    private var nodes: [Node] = []
    private(set) var remarks: [String] = []

    /// Describes an entity and those that its relationships to one record lead to, without theirs.
    init(of entity: SurveyedEntity, in survey: StoreSurvey) {
        var names = UsedNames()
        let destinations = Set(entity.references.compactMap(\.entity)).subtracting([entity.name]).sorted()
        let targets = destinations.compactMap(survey.whole).filter { $0.root == nil && $0.records > 0 }
        for entity in [entity] + targets { addNode(entity, named: names.unused(ScenarioName.identifier(entity.name))) }
        for reference in entity.references.sorted(by: { $0.nulls < $1.nulls }) { add(reference, from: 0) }
        for link in survey.links {
            for (end, other) in [(link.first, link.second), (link.second, link.first)] where end.entity == entity.name {
                remarks.append("the relationship \(entity.name).\(other.relationship) is left out")
            }
        }
        nameInverses()
    }

    /// - Parameter entities: At least one, each with records.
    init(_ entities: [SurveyedEntity], links: [SurveyedLink]) {
        let sorted = entities.sorted { ($1.records, $0.name) < ($0.records, $1.name) }
        let limit = ScenarioLimits.entities.upperBound
        let kept = sorted.prefix(limit)
        if sorted.count > limit {
            let rest = Figure.count(sorted.count - limit)
            remarks.append("a scenario has at most \(limit) entities; \(rest) with fewer records are left out")
        }
        var names = UsedNames()
        for entity in kept { addNode(entity, named: names.unused(ScenarioName.identifier(entity.name))) }
        for place in nodes.indices {
            for reference in nodes[place].surveyed.references.sorted(by: { $0.nulls < $1.nulls }) {
                add(reference, from: place)
            }
        }
        for link in links { add(link) }
        nameInverses()
        breakCascades()
    }

    /// The entities, in the order in which they were added.
    var entities: [EntitySpec] {
        nodes.map { node in
            EntitySpec(
                name: node.name, attributes: node.attributes, references: node.references, links: node.links,
                records: max(node.surveyed.records, 1))
        }
    }

    private mutating func addNode(_ entity: SurveyedEntity, named name: String) {
        var names = UsedNames()
        let attributes = DescribedEntity.attributes(of: entity, &names, &remarks)
        remarks += ScenarioName.remarks("the entity \(entity.name)", entity.name, name)
        nodes.append(Node(surveyed: entity, name: name, names: names, attributes: attributes))
    }

    // MARK: - Relationships

    private mutating func add(_ reference: SurveyedReference, from place: Int) {
        let entity = nodes[place].surveyed
        let target = reference.entity.flatMap(self.place)
        if let reason = obstacle(reference, from: place, to: target) {
            remarks.append("the relationship \(entity.name).\(reference.name) is left out: \(reason)")
            return
        }
        guard let target else { return }
        var spec = ReferenceSpec(
            relationship: nodes[place].names.unused(ScenarioName.identifier(reference.name)), inverse: "",
            entityName: nodes[target].name, records: nodes[target].surveyed.records,
            distribution: .like(reference, of: entity, to: nodes[target].surveyed))
        spec.ordered = reference.isOrdered ? true : nil
        spec.deleteRule = reference.cascades ? .cascade : nil
        remarks += ScenarioName.remarks(
            "the relationship \(entity.name).\(reference.name)", reference.name, spec.relationship)
        nodes[place].references.append(spec)
        remarks += reference.remarks(of: entity)
    }

    /// Names the relationships that lead back. The file does not, so that all other names come before theirs.
    private mutating func nameInverses() {
        for place in nodes.indices {
            let name = ScenarioName.identifier(nodes[place].surveyed.name.lowercased() + "s")
            for index in nodes[place].references.indices {
                let entity = nodes[place].references[index].entityName
                guard let target = nodes.firstIndex(where: { $0.name == entity }) else { continue }
                nodes[place].references[index].inverse = nodes[target].names.unused(name)
            }
        }
    }

    /// Has no deletions lead in a circle of several entities.
    private mutating func breakCascades() {
        while let (cascade, place) = Schema(entities).cascadeInACircle,
            let index = nodes[place].references.firstIndex(where: { $0.relationship == cascade.inverse })
        {
            nodes[place].references[index].deleteRule = nil
            remarks.append(
                "a deletion by \(nodes[place].name).\(cascade.inverse) would lead in a circle; records lead nowhere instead"
            )
        }
    }

    private func obstacle(_ reference: SurveyedReference, from place: Int, to target: Int?) -> String? {
        if reference.nulls == nodes[place].surveyed.records { return "no record has it" }
        if target == nil {
            return reference.entity.map { "\($0) is left out, too" } ?? "the file does not tell where it leads"
        }
        return nodes[place].isFull ? "the entity has \(ScenarioLimits.relationships.upperBound) others" : nil
    }

    private mutating func add(_ link: SurveyedLink) {
        let (first, second) = (place(link.first.entity), place(link.second.entity))
        if let reason = obstacle(link, first, second) {
            remarks.append("the relationship \(link.first.entity).\(link.second.relationship) is left out: \(reason)")
            return
        }
        guard let first, let second else { return }
        // There are two ways to write it: the end that keeps an order leads to the other, or more records to fewer.
        let ends = [(place: first, end: link.first), (place: second, end: link.second)].sorted {
            ($0.end.isOrdered ? 0 : 1, $0.place) < ($1.end.isOrdered ? 0 : 1, $1.place)
        }
        if ends[1].end.isOrdered {
            remarks.append(
                "the order of the relationship \(link.second.entity).\(link.first.relationship) is left out: one end keeps "
                    + "an order")
        }
        add(ends[0].end, to: ends[1].end, link.pairs, from: ends[0].place, ends[1].place)
    }

    private func obstacle(_ link: SurveyedLink, _ first: Int?, _ second: Int?) -> String? {
        if link.pairs == 0 { return "no record has it" }
        guard let first, let second else { return "an end of it is left out, too" }
        if first == second { return "it leads to its own entity" }
        let isFull = nodes[first].isFull || nodes[second].isFull
        return isFull ? "the entity has \(ScenarioLimits.relationships.upperBound) others" : nil
    }

    /// Adds a many-to-many relationship that leads from a record of one end to as many of the other on average.
    private mutating func add(
        _ own: SurveyedLink.End, to other: SurveyedLink.End, _ pairs: Int, from place: Int, _ target: Int
    ) {
        let records = nodes[target].surveyed.records
        let mean = Double(pairs) / Double(nodes[place].surveyed.records)
        let limit = min(records, ScenarioLimits.links.upperBound)
        let least = min(own.fewest, limit)
        let wanted = max(Int((2 * mean).rounded()) - least, least, 1)
        let most = min(wanted, limit)
        let name = "\(nodes[place].surveyed.name).\(other.relationship)"
        if wanted > limit { remarks.append("the relationship \(name) leads to \(limit.grouped) records at most") }
        let relationship = nodes[place].names.unused(ScenarioName.identifier(other.relationship))
        let inverse = nodes[target].names.unused(ScenarioName.identifier(own.relationship))
        remarks += ScenarioName.remarks("the relationship \(name)", other.relationship, relationship)
        var spec = LinkSpec(
            relationship: relationship, inverse: inverse, entityName: nodes[target].name, records: records, min: least,
            max: most, distribution: .like(pairs: pairs, records: records, most: other.most))
        spec.ordered = own.isOrdered ? true : nil
        nodes[place].links.append(spec)
    }

    private func place(_ name: String) -> Int? { nodes.firstIndex { $0.surveyed.name == name } }
}

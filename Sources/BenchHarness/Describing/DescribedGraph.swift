/// Several entities of a survey, and those of their relationships that a scenario can have: they lead to other
/// entities, and in no circle.
struct DescribedGraph {
    private struct Node {
        let surveyed: SurveyedEntity
        let name: String
        var names: UsedNames
        let attributes: [AttributeSpec]
        var references: [OwnerSpec] = []
        var links: [LinkSpec] = []
        /// The places of the entities that its relationships lead to.
        var targets: Set<Int> = []

        var isFull: Bool { references.count + links.count == ScenarioLimits.relationships.upperBound }
    }

    private var nodes: [Node] = []
    private(set) var remarks: [String] = []

    /// - Parameter entities: At least one, each with records.
    init(_ entities: [SurveyedEntity], links: [SurveyedLink]) {
        let sorted = entities.sorted { ($1.records, $0.name) < ($0.records, $1.name) }
        let limit = ScenarioLimits.otherEntities.upperBound + 1
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
    }

    /// The entity with the most records.
    var largest: SurveyedEntity { nodes[0].surveyed }

    /// The entities, the one with the most records first.
    var entities: [EntitySpec] {
        nodes.map { node in
            var spec = EntitySpec(
                name: node.name, attributes: node.attributes, references: node.references,
                records: node.surveyed.records)
            spec.links = node.links.isEmpty ? nil : node.links
            return spec
        }
    }

    /// Whether the largest entity and the owners of its records are not all that there is.
    var needsSeveralEntities: Bool {
        let isOwned = nodes.count == 2 && nodes[0].references.count == 1 && nodes[1].references.isEmpty
        return !(nodes.count == 1 || isOwned && nodes.allSatisfy(\.links.isEmpty))
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
        var spec = OwnerSpec(
            relationship: nodes[place].names.unused(ScenarioName.identifier(reference.name)), inverse: "",
            entityName: nodes[target].name, attributes: nodes[target].attributes,
            records: nodes[target].surveyed.records,
            distribution: .like(reference, of: entity, to: nodes[target].surveyed))
        spec.ordered = reference.isOrdered ? true : nil
        spec.cascade = reference.cascades ? true : nil
        remarks += ScenarioName.remarks(
            "the relationship \(entity.name).\(reference.name)", reference.name, spec.relationship)
        nodes[place].references.append(spec)
        nodes[place].targets.insert(target)
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

    private func obstacle(_ reference: SurveyedReference, from place: Int, to target: Int?) -> String? {
        if reference.nulls == nodes[place].surveyed.records { return "no record has it" }
        guard let target else {
            return reference.entity.map { "\($0) is left out, too" } ?? "the file does not tell where it leads"
        }
        if target == place { return "it leads to its own entity" }
        if let way = way(from: target, to: place) {
            return "it closes a circle of \(way.map { nodes[$0].surveyed.name }.joined(separator: ", "))"
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
        // There are two ways to write it. More records lead to fewer, unless that closed a circle.
        let ends = [(place: first, end: link.first), (place: second, end: link.second)].sorted { $0.place < $1.place }
        let isBackward = way(from: ends[1].place, to: ends[0].place) != nil
        let (own, other) = isBackward ? (ends[1], ends[0]) : (ends[0], ends[1])
        add(own.end, to: other.end, link.pairs, from: own.place, other.place)
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
        nodes[place].links.append(
            LinkSpec(
                relationship: relationship, inverse: inverse, entityName: nodes[target].name, records: records,
                min: least, max: most,
                distribution: .like(pairs: pairs, records: records, most: other.most)))
        nodes[place].targets.insert(target)
    }

    private func place(_ name: String) -> Int? { nodes.firstIndex { $0.surveyed.name == name } }

    /// Returns the places on the shortest way from one entity to another by relationships, both included; nil if there
    /// is none.
    private func way(from place: Int, to other: Int) -> [Int]? {
        var (ways, next) = ([[place]], 0)
        var reached: Set<Int> = [place]
        while next < ways.count {
            let way = ways[next]
            guard let last = way.last, last != other else { return way }
            ways += nodes[last].targets.sorted().filter { reached.insert($0).inserted }.map { way + [$0] }
            next += 1
        }
        return nil
    }
}

extension InMemoryContents {
    /// Returns the links of a to-many relationship of several objects, in the order of each list.
    func pairs(_ relationship: ResolvedRelationship, of owners: RelatedOwners) -> [RelatedLists.Pair] {
        let wanted = Set(owners.keys.lazy.map { RowKey($0) })
        let links: [(owner: Int64, member: Int64)]
        switch relationship.kind {
        case .toOne: links = []
        case .toMany(let field):
            let destination = sources[relationship.destination]
            let family = destination.model.hierarchy.families[relationship.destination]
            let reference = destination.entity.layout.fields[field]
            links = rows(around: relationship.destination).compactMap { stored in
                guard family.contains(stored.page.entityIndex), let owner = reference.reference(in: stored.row) else {
                    return nil
                }
                return wanted.contains(RowKey(owner.key)) ? (owner.key, stored.row.key) : nil
            }
        case .manyToMany(let join, let isFirst):
            links = relationships.links(join, isFirst: isFirst).filter { wanted.contains(RowKey($0.owner)) }
        }
        return
            links.map { link in
                RelatedLists.Pair(
                    owner: link.owner, member: link.member,
                    number: relationships.number(relationship, link.owner, link.member))
            }
            .sorted { ($0.number, $0.member) < ($1.number, $1.member) }
    }

    /// Returns the rows that links lead to, each once.
    func members(_ pairs: [RelatedLists.Pair], _ relationship: ResolvedRelationship) -> [StoredRow] {
        let family = sources[relationship.destination].model.hierarchy.families[relationship.destination]
        return DistinctKeys.sorted(pairs.map(\.member)).compactMap { key in
            row(key, around: relationship.destination).flatMap { family.contains($0.page.entityIndex) ? $0 : nil }
        }
    }
}

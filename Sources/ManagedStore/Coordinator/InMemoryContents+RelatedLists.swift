extension InMemoryContents {
    /// Returns the links of a to-many relationship of several objects, in the order of each list.
    func pairs(_ relationship: ResolvedRelationship, of owners: RelatedOwners) -> [RelatedLists.Pair] {
        let links = owners.keys.lazy.flatMap { owner in
            related(to: owner, by: relationship).map { (owner: owner, member: $0.row.key) }
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

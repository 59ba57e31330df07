/// A relationship whose destinations a fetch reads, and the relationships that it follows from there.
struct PrefetchBranch: Sendable, Equatable {
    let relationship: ResolvedRelationship
    private(set) var branches: [PrefetchBranch] = []

    /// Returns the relationships that key paths of an entity name. Key paths with a common start share a branch.
    ///
    /// - Throws: `StoreError` with `invalidRequest`.
    static func branches(
        of keyPaths: [String], from source: ObjectIDSource
    ) throws(StoreError) -> [PrefetchBranch] {
        var branches: [PrefetchBranch] = []
        for keyPath in keyPaths { insert(try source.relationships(along: keyPath)[...], into: &branches) }
        return branches
    }

    private static func insert(_ path: ArraySlice<ResolvedRelationship>, into branches: inout [PrefetchBranch]) {
        guard let first = path.first else { return }
        let known = branches.firstIndex { $0.relationship === first }
        let index = known ?? branches.endIndex
        if known == nil { branches.append(PrefetchBranch(relationship: first)) }
        insert(path.dropFirst(), into: &branches[index].branches)
    }

    static func == (left: PrefetchBranch, right: PrefetchBranch) -> Bool {
        left.relationship === right.relationship && left.branches == right.branches
    }
}

extension ObjectIDSource {
    /// Returns the relationships of a key path to prefetch.
    ///
    /// - Throws: `StoreError` with `invalidRequest`.
    fileprivate func relationships(along keyPath: String) throws(StoreError) -> [ResolvedRelationship] {
        let names = keyPath.split(separator: ".", omittingEmptySubsequences: false).map(String.init)
        guard names.count <= FetchPredicate.reachLimit else {
            throw StoreError(
                .invalidRequest,
                "the key path to prefetch \"\(keyPath)\" leads through \(names.count) relationships; the limit is "
                    + "\(FetchPredicate.reachLimit)", key: keyPath)
        }
        var (path, source) = ([ResolvedRelationship](), self)
        for name in names {
            let relationship = try source.relationship(toPrefetch: name, of: keyPath)
            path.append(relationship)
            source = source.sibling(relationship.destination)
        }
        return path
    }

    private func relationship(
        toPrefetch name: String, of keyPath: String
    ) throws(StoreError) -> ResolvedRelationship {
        let relationships = model.graph.relationships[entityIndex]
        if let relationship = relationships.first(where: { $0.name == name }) { return relationship }
        let names = relationships.map(\.name)
        let isAttribute = entity.attributes.contains { $0.name == name }
        let problem =
            isAttribute
            ? "\(entity.name).\(name) is an attribute, and relationshipKeyPathsForPrefetching names relationships"
            : "entity \(entity.name) has no relationship \"\(name)\" to prefetch"
        let known = names.isEmpty ? "; it has none" : StoreError.suggestion(for: name, among: names)
        throw StoreError(
            .invalidRequest,
            problem + (isAttribute && !names.isEmpty ? "; the entity has \(names.joined(separator: ", "))" : known),
            key: keyPath)
    }
}

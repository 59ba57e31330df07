/// One key of an order, resolved in an entity or in one that to-one relationships lead to.
struct ResolvedSort: Sendable {
    /// The to-one relationships to the row with the attribute; empty for the row itself.
    var path: [ResolvedRelationship] = []
    /// The attribute's position.
    let position: Int
    /// Whether the order is ascending.
    let ascending: Bool
    /// The differences that the order of strings ignores.
    var options: FetchPredicate.StringOptions = []
}

extension FetchPlan {
    /// Whether the order depends on related rows.
    var sortFollowsRelationships: Bool { sort.contains { !$0.path.isEmpty } }

    /// Returns one key of the order, for rows of the entity that has the attribute.
    func key(_ sort: ResolvedSort) -> SortKey { SortKey(sort, source.entity(atEndOf: sort.path).layout) }
}

extension ObjectIDSource {
    /// Resolves a key path: to-one relationships, then the position of an attribute.
    ///
    /// - Throws: `StoreError` with `unknownKey` or `invalidRequest`; the message names the whole key path.
    func place(ofKeyPath keyPath: String) throws(StoreError) -> (path: [ResolvedRelationship], position: Int) {
        guard keyPath.utf8.contains(UInt8(ascii: ".")) else { return ([], try entity.position(of: keyPath)) }
        let steps = keyPath.split(separator: ".", omittingEmptySubsequences: false).map(String.init)
        if steps.count - 1 > FetchPredicate.reachLimit {
            throw StoreError(
                .invalidRequest,
                "a key path that begins with \"\(steps[0]).\(steps[1])\" leads through \(steps.count - 1) relationships; the limit "
                    + "is \(FetchPredicate.reachLimit)", key: keyPath)
        }
        do throws(StoreError) {
            let path = try path(steps.dropLast())
            return (path, try entity(atEndOf: path).position(of: steps.last ?? ""))
        } catch {
            throw StoreError(error.code, "the key path \"\(keyPath)\": \(error.message)", key: keyPath)
        }
    }

    private func path(_ names: ArraySlice<String>) throws(StoreError) -> [ResolvedRelationship] {
        var (path, source) = ([ResolvedRelationship](), self)
        for name in names {
            let step = try source.relationship(named: name)
            if step.isToMany {
                throw StoreError(
                    .invalidRequest, "\(source.entity.name).\(name) leads to many objects, which have no single value")
            }
            path.append(step)
            source = source.sibling(step.destination)
        }
        return path
    }

    /// Returns the entity at the end of a path of relationships.
    func entity(atEndOf path: [ResolvedRelationship]) -> EntityDescription {
        path.last.map { model.entities[$0.destination] } ?? entity
    }
}

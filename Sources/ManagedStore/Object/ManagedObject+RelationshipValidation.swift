import Foundation

/// Validation of the constraints on the entity's relationships.
extension ManagedObject {
    /// Returns the violations in a to-one relationship of `row`.
    final func violations(ofReference field: RowField, at position: Int, in row: RowReference) -> [StoreError] {
        guard field.isNull(in: row.row) else { return [] }
        let missing = page.source.model.graph.relationships[page.entityIndex].first {
            $0.kind == .toOne(field: position) && !$0.description.isOptional
        }
        return missing.map { relationship in
            [violation(.validationMissingMandatoryProperty, relationship, "is required and leads to nothing")]
        } ?? []
    }

    /// Returns the violations in the number of objects of the to-many relationships.
    final func countViolations(in context: ManagedObjectContext) -> [StoreError] {
        context.relationships(of: self).filter(\.description.hasCountLimits).compactMap { relationship in
            let count = context.related(to: self, by: relationship).count { !$0.isDeleted }
            let description = relationship.description
            let least = max(description.minCount, description.isOptional ? 0 : 1)
            if count < least, count > 0 || !description.isOptional {
                return violation(
                    .validationRelationshipLacksMinimumCount, relationship,
                    "leads to \(count) objects; the least is \(least)")
            }
            if description.maxCount > 0, count > description.maxCount {
                return violation(
                    .validationRelationshipExceedsMaximumCount, relationship,
                    "leads to \(count) objects; the most is \(description.maxCount)")
            }
            return nil
        }
    }

    /// Returns the violations in relationships that deny the object's deletion.
    final func deletionViolations(in context: ManagedObjectContext) -> [StoreError] {
        context.relationships(of: self).filter { $0.description.deleteRule == .deny }.compactMap { relationship in
            let count = context.related(to: self, by: relationship).count { !$0.isDeleted }
            if count == 0 { return nil }
            return violation(
                .validationRelationshipDeniedDelete, relationship,
                "still leads to \(count) objects, and denies deletion; delete these first, or relate them to another")
        }
    }

    private final func violation(
        _ code: StoreError.Code, _ relationship: ResolvedRelationship, _ complaint: String
    ) -> StoreError {
        StoreError(
            code, "\(objectID): \(entity.name).\(relationship.name) \(complaint)", objectID: objectID,
            key: relationship.name)
    }
}

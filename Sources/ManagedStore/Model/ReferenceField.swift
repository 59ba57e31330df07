/// The field of a row that holds the reference of a to-one relationship. It consists of plain numbers, since a save
/// reads it for every row.
struct ReferenceField: Sendable {
    let field: RowField
    /// The relationship's position among the entity's relationships.
    let position: Int
    let isOptional: Bool
    /// The numbers of this end and of the other end among the model's ends of one-to-one relationships.
    let partner: (own: Int, back: Int)?

    /// Nil for a to-many relationship.
    init?(_ relationship: ResolvedRelationship, _ layout: RowLayout, _ partners: [ResolvedRelationship]) {
        guard case .toOne(let field) = relationship.kind else { return nil }
        self.field = layout.fields[field]
        position = relationship.position
        isOptional = relationship.description.isOptional
        func end(_ declaring: Int, _ position: Int) -> Int? {
            partners.firstIndex { $0.declaring == declaring && $0.position == position }
        }
        if let inverse = relationship.inverse, let own = end(relationship.declaring, relationship.position),
            let back = end(relationship.destination, inverse)
        {
            partner = (own, back)
        } else {
            partner = nil
        }
    }
}

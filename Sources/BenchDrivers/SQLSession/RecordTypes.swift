import BenchHarness

/// The limits of plain structs.
enum RecordTypes {
    /// Returns why a struct cannot represent a phase: the handwritten structs have no optionals, just as the
    /// application's classes have none.
    static func unsupportedReason(for phase: Phase, in schema: Schema) -> String? {
        let entity = schema.entity.record
        guard type(for: entity) != FieldRecord.self, let attribute = phase.attributeSetToMissing else { return nil }
        return "the struct that \(entity.name) is read into cannot represent a null \(attribute)"
    }

    /// Returns the struct written for an entity, or the generic one.
    static func type(for entity: EntitySpec) -> any SQLRecord.Type {
        if ItemRecord.describes(entity) { return ItemRecord.self }
        if OwnedItemRecord.describes(entity) { return OwnedItemRecord.self }
        return FieldRecord.self
    }
}

import BenchHarness

/// What plain structs can and cannot hold.
enum PlainRecords {
    /// The structs written for an entity have no optional in them, as the application's classes have none.
    static func unsupportedReason(for phase: Phase, entity: EntitySpec) -> String? {
        guard type(for: entity) != FieldRecord.self, let attribute = phase.attributeSetToMissing else { return nil }
        return "the struct that \(entity.name) is read into has no place for a missing \(attribute)"
    }

    /// The struct that is written for an entity, or the one that does for any.
    static func type(for entity: EntitySpec) -> any PlainRecord.Type {
        if ItemRecord.describes(entity) { return ItemRecord.self }
        if MessageRecord.describes(entity) { return MessageRecord.self }
        if OwnedItemRecord.describes(entity) { return OwnedItemRecord.self }
        return FieldRecord.self
    }
}

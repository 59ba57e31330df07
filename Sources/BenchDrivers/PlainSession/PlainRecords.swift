import BenchHarness

/// What plain structs can and cannot hold.
enum PlainRecords {
    /// The structs written for an entity have no optional in them, as the application's classes have none.
    static func unsupportedReason(for phase: Phase, entity: EntitySpec) -> String? {
        if case .load(let work) = phase.work, let spec = work.saves, spec.mode != .unobserved {
            return "bare SQLite tells nobody of a save: mode \(spec.mode.rawValue) has no meaning for it"
        }
        guard hasStruct(for: entity) else { return nil }
        guard let attribute = phase.attributeSetToMissing else { return nil }
        return "the struct that \(entity.name) is read into has no place for a missing \(attribute)"
    }

    private static func hasStruct(for entity: EntitySpec) -> Bool {
        ItemRecord.describes(entity) || MessageRecord.describes(entity) || OwnedItemRecord.describes(entity)
    }
}

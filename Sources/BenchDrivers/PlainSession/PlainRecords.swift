import BenchHarness

/// What plain structs can and cannot hold.
enum PlainRecords {
    /// The struct written for the to-do item has no optional in it, as the application's item has none.
    static func unsupportedReason(for phase: Phase, entity: EntitySpec) -> String? {
        if case .load(let work) = phase.work, let spec = work.saves, spec.mode != .unobserved {
            return "bare SQLite tells nobody of a save: mode \(spec.mode.rawValue) has no meaning for it"
        }
        guard ItemRecord.describes(entity) else { return nil }
        let changes: [AttributeChange]
        switch phase.work {
        case .update(let work): changes = work.set
        case .merge(let work): changes = work.set
        case .seed, .fetch, .checkpoint, .load: return nil
        }
        guard let change = changes.first(where: { $0.operation == .assign(.null) }) else { return nil }
        return "the struct that \(entity.name) is read into has no place for a missing \(change.attribute)"
    }
}

import BenchDrivers
import BenchHarness

/// What the drivers tell of themselves.
extension PeerStore {
    /// GRDB's version as `Package.swift` asks for it; the library does not know its own.
    static var libraryProperties: [String: String] {
        SQLiteDriver().properties.merging(["grdb_version": "7.10.0 or later, below 8"]) { $1 }
    }

    /// Why `phase` cannot be done where records are fetched with all that they have; nil for one that wants that.
    static func wholeRecords(in phase: Phase) -> String? {
        guard let work = phase.work.as(FetchWork.self), work.attributes != nil else { return nil }
        return "this driver fetches whole records, not some attributes of them"
    }

    /// Why `phase` cannot be done: foreign keys set what leads to a deleted record to null, and count no save of it.
    static func uncountedSaves(in phase: Phase, of schema: Schema) -> String? {
        let isLeft = schema.entity.relationships.contains { end in
            guard case .inverse = end.place else { return false }
            return end.destination == schema.focus && end.deleteRule == .nullify
        }
        guard phase.work.as(DeleteWork.self) != nil, isLeft else { return nil }
        return "its foreign keys change the \(schema.entity.name)s that led to deleted ones without counting a save"
    }

    /// Why `phase` cannot be done to a struct, whose properties are optional only where the application's are.
    ///
    /// - Parameter optionals: The attributes with optional properties.
    static func missingPlace(in phase: Phase, of entity: EntitySpec, optionals: [String] = []) -> String? {
        guard let attribute = phase.attributeSetToMissing, !optionals.contains(attribute) else { return nil }
        return "the struct that \(entity.name) is read into has no place for a missing \(attribute)"
    }

    /// Why `phase` cannot be done where texts end at their first zero byte, since GRDB passes them to SQLite and back
    /// as C strings; nil for one without such a text.
    static func zeroByte(in phase: Phase, of entities: [EntitySpec]) -> String? {
        let texts = entities.flatMap(\.attributes).flatMap(\.generator.texts) + phase.texts
        guard texts.contains(where: { $0.utf8.contains(0) }) else { return nil }
        return "GRDB ends a text at its first zero byte, and this phase has one with a zero byte in it"
    }
}

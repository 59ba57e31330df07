import BenchHarness
import Foundation
import ManagedStore

/// ManagedStore, used as its documentation tells applications to use it.
public struct ManagedDriver: StoreDriver {
    /// Creates the driver.
    public init() {}

    /// `managed`.
    public var name: String { "managed" }
    /// One line for `bench list`.
    public var summary: String { "ManagedStore: managed objects, contexts and requests over SQLite" }
    /// The SQLite that runs.
    public var properties: [String: String] { SQLiteDriver.libraryProperties }

    /// Nil but for what a batch update cannot do.
    public func unsupportedReason(for phase: Phase, entity: EntitySpec) -> String? {
        guard case .update(let work) = phase.work, work.mode == .batch, let relationship = entity.owner?.relationship,
            work.set.contains(where: { $0.attribute == relationship })
        else { return nil }
        return "a batch update sets attributes, no relationships such as \(relationship)"
    }

    /// Sessions do everything, with records of every kind.
    public var sessionType: any StoreSession.Type { ManagedSession<ManagedFields>.self }

    /// Opens the store file in the configuration's directory, creating it when there is none.
    public func open(_ configuration: StoreConfiguration) throws -> any StoreSession {
        let entity = configuration.entity
        if ManagedOwnedItem.describes(entity) { return try ManagedOwnedSession<ManagedOwnedItem>(configuration) }
        if entity.owner != nil { return try ManagedOwnedSession<ManagedOwnedFields>(configuration) }
        // The classes are of entities with these names; another one of the same shape has no class.
        if ItemRecord.describes(entity), entity.name == Item.entityName {
            return try ManagedSession(configuration, ManagedItem(entity))
        }
        if MessageRecord.describes(entity), entity.name == Message.entityName {
            return try ManagedSession(configuration, ManagedMessage(entity))
        }
        return try ManagedSession(configuration, ManagedFields(entity))
    }
}

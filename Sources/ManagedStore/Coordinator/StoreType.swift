import Foundation

/// Options of a type of store. Each type has its own, see ``SQLiteStoreOptions``.
public protocol PersistentStoreOptions: Sendable {}

extension PersistentStoreCoordinator {
    /// The type of a store. A new kind of backing store adds a constant here; no other code depends on the set of
    /// types.
    public struct StoreType: Sendable {
        /// The name of the type, as in Core Data.
        public let rawValue: String
        let open: @Sendable (StoreOpening) throws(StoreError) -> any PersistentStore

        init(
            _ rawValue: String,
            open: @escaping @Sendable (StoreOpening) throws(StoreError) -> any PersistentStore
        ) {
            (self.rawValue, self.open) = (rawValue, open)
        }

        /// A store in memory that lives as long as the coordinator. It ignores the URL and takes no options.
        public static let inMemory = StoreType("InMemory") { opening in InMemoryStore(model: opening.model) }
    }
}

extension PersistentStoreCoordinator.StoreType: Hashable, CustomStringConvertible {
    /// The type's name.
    public var description: String { rawValue }

    /// Whether both types have the same name.
    public static func == (left: Self, right: Self) -> Bool { left.rawValue == right.rawValue }

    /// Hashes the name.
    public func hash(into hasher: inout Hasher) { hasher.combine(rawValue) }
}

/// The arguments that open a store.
struct StoreOpening {
    let type: PersistentStoreCoordinator.StoreType
    let model: ManagedObjectModel
    let url: URL?
    let options: (any PersistentStoreOptions)?

    /// Returns the options, which must be of the store's own type; `defaults` if there are none.
    ///
    /// - Throws: `StoreError` with `invalidRequest` for options of another type of store.
    func options<Options: PersistentStoreOptions>(or defaults: Options) throws(StoreError) -> Options {
        guard let options else { return defaults }
        if let own = options as? Options { return own }
        throw StoreError(
            .invalidRequest, "a \(type) store takes \(Options.self), not \(Swift.type(of: options))")
    }
}

import Foundation

/// Options of a type of store, each of which brings its own: see ``SQLiteStoreOptions``.
public protocol PersistentStoreOptions: Sendable {}

extension PersistentStoreCoordinator {
    /// The kind of a store. A backing store of another kind adds one here; nothing else knows how many there are.
    public struct StoreType: Sendable {
        /// What the type is called, as in Core Data.
        public let rawValue: String
        let open: @Sendable (StoreOpening) throws(StoreError) -> any PersistentStore

        init(
            _ rawValue: String,
            open: @escaping @Sendable (StoreOpening) throws(StoreError) -> any PersistentStore
        ) {
            (self.rawValue, self.open) = (rawValue, open)
        }

        /// In memory, gone with the coordinator. Has no use for a URL or options.
        public static let inMemory = StoreType("InMemory") { opening in InMemoryStore(model: opening.model) }
    }
}

extension PersistentStoreCoordinator.StoreType: Hashable, CustomStringConvertible {
    /// The type's name.
    public var description: String { rawValue }

    /// Whether both have the same name.
    public static func == (left: Self, right: Self) -> Bool { left.rawValue == right.rawValue }

    /// Feeds the name.
    public func hash(into hasher: inout Hasher) { hasher.combine(rawValue) }
}

/// What a store is opened with.
struct StoreOpening {
    let type: PersistentStoreCoordinator.StoreType
    let model: ManagedObjectModel
    let url: URL?
    let options: (any PersistentStoreOptions)?

    /// The options, which are the store's own; `defaults` without any.
    ///
    /// - Throws: `StoreError` with `invalidRequest` for those of another type of store.
    func options<Options: PersistentStoreOptions>(or defaults: Options) throws(StoreError) -> Options {
        guard let options else { return defaults }
        if let own = options as? Options { return own }
        throw StoreError(
            .invalidRequest, "a \(type) store takes \(Options.self), not \(Swift.type(of: options))")
    }
}

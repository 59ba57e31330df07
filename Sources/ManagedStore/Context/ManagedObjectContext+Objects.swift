import Foundation

/// Finding objects by ID.
extension ManagedObjectContext {
    /// Returns what the context fetches from and saves to: the store, or its parent.
    ///
    /// - Throws: `StoreError` with `noStore`.
    func requireStore() throws(StoreError) -> any PersistentStore {
        if let parentStore { return parentStore }
        let store = try persistentStoreCoordinator.requireStore()
        if store.identifier != storeIdentifier { try use(store) }
        return store
    }

    /// Notes which store the context uses. In another one, the keys of the objects that the context has are those of
    /// other objects.
    private func use(_ store: any PersistentStore) throws(StoreError) {
        if storeIdentifier != nil {
            guard registry.count == 0, pending.isEmpty else { throw StoreError.exchanged }
            forgetStore()
        }
        storeIdentifier = store.identifier
    }

    /// Returns the part that all IDs of `entity` in the store share.
    ///
    /// - Throws: `StoreError` with `noStore`, or `unknownEntity` for an entity of another model.
    func source(of entity: EntityDescription) throws(StoreError) -> ObjectIDSource {
        let sources = try requireStore().sources
        if let source = sources.first(where: { $0.entity === entity }) { return source }
        throw StoreError.unknownEntity(entity.name, known: sources.map(\.entity.name))
    }

    /// The object with `id` if the context has it. No I/O.
    public func registeredObject(for id: ManagedObjectID) -> ManagedObject? {
        checkQueue()
        if id.isTemporaryID { return pending.insertedObject(id.key) }
        guard let id = local(id) else { return nil }
        return registry.object(id.source.rootIndex, id.key).flatMap { $0.isKind(of: id.source) ? $0 : nil }
    }

    /// Returns `id` with this context's own model, which an ID from another coordinator need not share; nil for an ID
    /// of another store.
    func local(_ id: ManagedObjectID) -> ManagedObjectID? {
        if id.source === knownSource { return id }
        guard let sources = try? requireStore().sources else {
            let isOfThisStore = storeIdentifier == nil || id.source.storeIdentifier == storeIdentifier
            return isOfThisStore && isOfThisModel(id.source) ? id : nil
        }
        guard let own = sources.first(where: { $0.isEqual(to: id.source) }) else { return nil }
        if !isOfThisModel(id.source) { return ManagedObjectID(source: own, key: id.key) }
        knownSource = id.source
        return id
    }

    private func isOfThisModel(_ source: ObjectIDSource) -> Bool {
        model.entities.indices.contains(source.entityIndex) && model.entities[source.entityIndex] === source.entity
    }

    /// Returns the object with `id`: the registered one or a fault. Reads nothing, so the store need not have such an
    /// object.
    ///
    /// Traps for an ID of another store.
    public func object(with id: ManagedObjectID) -> ManagedObject {
        checkQueue()
        if id.isTemporaryID, let object = pending.insertedObject(id.key) { return object }
        guard let id = local(id) else { fatalError("\(id) belongs to another store than \(self)") }
        guard let known = registry.object(id.source.rootIndex, id.key) else { return newFault(id.source, id.key) }
        return known.isKind(of: id.source) ? known : unregisteredFault(id.source, id.key)
    }

    /// Returns a fault with a key that no registered object has.
    func newFault(_ source: ObjectIDSource, _ key: Int64) -> ManagedObject {
        let object = unregisteredFault(source, key)
        object.state.insert(.registered)
        return register(object)
    }

    /// Registers an object that was just made.
    ///
    /// Making the object may run code of its class, and that code may register another object for the same key. The
    /// context then keeps and returns that other object. An object of another entity goes to `onStray`.
    func register(_ object: ManagedObject, onStray: (ManagedObject) -> Void = { _ in }) -> ManagedObject {
        if let other = registry.object(object.rootIndex, object.row.key) {
            if other.entityIndex == object.entityIndex {
                object.state.remove(.registered)
                return other
            }
            onStray(other)
        }
        registry.insert(object, object.rootIndex)
        return object
    }

    /// Returns an unregistered fault whose key belongs to an object of another entity. It counts as missing unless
    /// reading its row finds the entity of the fault.
    private func unregisteredFault(_ source: ObjectIDSource, _ key: Int64) -> ManagedObject {
        let (page, row) = writableRow(source, key: key)
        return source.entity.managedObjectClass.init(_page: page, row: row, state: [.isFault, .isHollow])
    }

    /// Returns the object with `id`, with its values loaded.
    ///
    /// - Throws: `StoreError` with `objectNotFound` if the store has no such object; any error of reading it.
    public func existingObject(with id: ManagedObjectID) throws(StoreError) -> ManagedObject {
        let object = object(with: id)
        if object.state.contains(.isHollow), try !load(object) { throw StoreError.notFound(id) }
        if object.state.contains(.isGone) { throw StoreError.notFound(id) }
        return object
    }

    /// Gives new objects permanent IDs before they are saved. Their keys ascend in the order of the objects, also where
    /// they are of several entities that inherit from one.
    ///
    /// - Throws: `StoreError` if keys cannot be reserved; no object has a permanent ID then.
    public func obtainPermanentIDs(for objects: [ManagedObject]) throws(StoreError) {
        checkQueue()
        let store = try requireStore()
        let temporary = objects.filter { $0.isInserted && $0.row.key < 0 }
        let byRoot = temporary.groups(by: \.rootIndex).sorted { $0.key < $1.key }
        // Relationships lead to the temporary keys until all objects have permanent ones, so nothing may fail between.
        let firstKeys = try byRoot.map { group throws(StoreError) in
            try store.reserveKeys(group.elements.count, of: group.key)
        }
        var permanent: [Int64: Int64] = [:]
        for (group, firstKey) in zip(byRoot, firstKeys) {
            var key = firstKey
            // An object that occurs twice has its key after the first time.
            for object in group.elements where object.row.key < 0 {
                permanent[object.row.key] = key
                object.row.key = key
                object.state.insert(.registered)
                registry.insert(object, object.rootIndex)
                key += 1
            }
        }
        didObtain(permanent)
    }

    /// Replaces the temporary keys in references to new objects.
    private func didObtain(_ permanent: [Int64: Int64]) {
        guard !model.graph.isEmpty, !permanent.isEmpty else { return }
        relationshipTable.rename { permanent[$0] ?? 0 }
        for object in pending.inserted + pending.updated.all where object.state.isDisjoint(with: .isGone) {
            for field in object.page.layout.toOneFields {
                guard let reference = field.reference(in: object.row), let key = permanent[reference.key] else {
                    continue
                }
                field.setReference(ObjectReference(entity: Int(reference.entity), key: key), of: object.row)
            }
        }
    }
}

extension ManagedObject {
    /// Whether the object is of the entity of `source` or of one that inherits from it.
    fileprivate func isKind(of source: ObjectIDSource) -> Bool {
        entityIndex == source.entityIndex || entity.isKindOf(entity: source.entity)
    }
}

extension StoreError {
    static func notFound(_ id: ManagedObjectID) -> StoreError {
        StoreError(.objectNotFound, "the store has no object \(id); it was deleted, or never saved")
    }
}

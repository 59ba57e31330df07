/// Finding objects by ID with their class, without a cast.
extension ManagedObjectContext {
    /// Returns the registered object, as ``registeredObject(for:)`` does; nil also for an object of another class.
    public func registeredObject<Object: ManagedObject>(for id: ManagedObjectID, as type: Object.Type) -> Object? {
        registeredObject(for: id) as? Object
    }

    /// Returns the registered object or a fault, as ``object(with:)`` does. Traps if another class represents the
    /// entity of `id`.
    public func object<Object: ManagedObject>(with id: ManagedObjectID, as type: Object.Type) -> Object {
        let object = object(with: id)
        guard let typed = object as? Object else { fatalError(Self.mismatch(object, type)) }
        return typed
    }

    /// Returns the object with its values loaded, as ``existingObject(with:)`` does.
    ///
    /// - Throws: `StoreError` with `invalidRequest` if another class represents the entity of `id`; the errors of
    ///   ``existingObject(with:)``.
    public func existingObject<Object: ManagedObject>(
        with id: ManagedObjectID, as type: Object.Type
    ) throws(StoreError) -> Object {
        let object = try existingObject(with: id)
        guard let typed = object as? Object else { throw StoreError(.invalidRequest, Self.mismatch(object, type)) }
        return typed
    }

    private static func mismatch(_ object: ManagedObject, _ type: ManagedObject.Type) -> String {
        "\(object.objectID) is of the entity \(object.entity.name); pass its class, "
            + "\(object.entity.managedObjectClass), instead of \(type)"
    }
}

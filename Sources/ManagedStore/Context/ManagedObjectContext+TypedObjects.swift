/// Finding objects by ID as objects of a class, without a cast.
extension ManagedObjectContext {
    /// As ``registeredObject(for:)``; nil also for an object of another class.
    public func registeredObject<Object: ManagedObject>(for id: ManagedObjectID, as type: Object.Type) -> Object? {
        registeredObject(for: id) as? Object
    }

    /// As ``object(with:)``. Traps when the entity of `id` is represented by another class.
    public func object<Object: ManagedObject>(with id: ManagedObjectID, as type: Object.Type) -> Object {
        let object = object(with: id)
        guard let typed = object as? Object else { fatalError(Self.mismatch(object, type)) }
        return typed
    }

    /// As ``existingObject(with:)``.
    ///
    /// - Throws: `StoreError` with `invalidRequest` when the entity of `id` is represented by another class; as
    ///   ``existingObject(with:)``.
    public func existingObject<Object: ManagedObject>(
        with id: ManagedObjectID, as type: Object.Type
    ) throws(StoreError) -> Object {
        let object = try existingObject(with: id)
        guard let typed = object as? Object else { throw StoreError(.invalidRequest, Self.mismatch(object, type)) }
        return typed
    }

    private static func mismatch(_ object: ManagedObject, _ type: ManagedObject.Type) -> String {
        "\(object.objectID) is of the entity \(object.entity.name), which \(object.entity.managedObjectClass) represents, not \(type)"
    }
}

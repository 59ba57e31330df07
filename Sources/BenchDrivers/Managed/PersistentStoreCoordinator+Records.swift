import ManagedStore

extension PersistentStoreCoordinator {
    /// Returns the ID of the record with an ordinal, which an application would have with its object: the key of record
    /// `n` is `n + 1`. To make one of a URI takes longer than to change the object.
    func objectID(ofRecord ordinal: Int, in entity: EntityDescription) -> ManagedObjectID? {
        objectID(withPrimaryKey: Int64(ordinal) + 1, ofEntityNamed: entity.name)
    }
}

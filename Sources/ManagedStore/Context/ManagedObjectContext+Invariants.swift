/// The invariants of a context's own structures between calls. For tests, on the context's queue.
extension ManagedObjectContext {
    /// Checks the tables of objects and of relationships, the cache, and every page that holds an object.
    func _checkInvariants() {
        registry._checkInvariants()
        relationshipTable._checkInvariants()
        rowCache._checkInvariants()
        var checked: Set<ObjectIdentifier> = []
        for object in registry.objects() where checked.insert(ObjectIdentifier(object.page)).inserted {
            object.page._checkInvariants()
        }
        for object in registry.objects() {
            object.page.checkHomes(of: object.row)
            if let row = object.committedRow { row.page.takeUnretainedValue().checkHomes(of: row.row) }
        }
    }
}

/// Making new objects.
extension ManagedObjectContext {
    /// A row for a new object of a typed class. Traps when there is no store, or the model lacks the class.
    func rowForNewObject(of type: ManagedObject.Type) -> (RowPage, RowPointer) {
        checkQueue()
        // One class is inserted many times in a row: looking its entity and page up each time would cost more than the
        // row. The first new object after a save asks for the store, which may be another one by then.
        if let lastInserted, lastInserted.type == type, !lastInserted.page.isFull, !pending.inserted.isEmpty {
            return (lastInserted.page, lastInserted.page.appendNewRow(key: pending.nextTemporaryKey))
        }
        do {
            let (page, row) = rowForNewObject(try source(of: try concrete(try model.entity(for: type))))
            lastInserted = (type, page)
            return (page, row)
        } catch {
            fatalError("\(type)(context:): \(error)")
        }
    }

    private func rowForNewObject(_ source: ObjectIDSource) -> (RowPage, RowPointer) {
        let page = newObjectPages.page(of: source, registry)
        return (page, page.appendNewRow(key: pending.nextTemporaryKey))
    }

    /// The entity itself.
    ///
    /// - Throws: `StoreError` with `invalidRequest` if it is abstract.
    private func concrete(_ entity: EntityDescription) throws(StoreError) -> EntityDescription {
        guard entity.isAbstract else { return entity }
        let concrete = model.entities.filter { $0.isKindOf(entity: entity) && !$0.isAbstract }.map(\.name)
        throw StoreError(
            .invalidRequest, "entity \(entity.name) is abstract and has no objects of its own; make one of \(concrete)")
    }

    /// Takes in an object that was just made with a row from `rowForNewObject`.
    func registerInserted(_ object: ManagedObject) {
        pending.inserted.append(object)
        undoManager?.didInsert(object)
    }

    /// Makes a new object of `entity`.
    ///
    /// - Throws: `StoreError` with `noStore`, or `unknownEntity` for an entity of another model.
    func insertNewObject(_ entity: EntityDescription) throws(StoreError) -> ManagedObject {
        checkQueue()
        let (page, row) = rowForNewObject(try source(of: try concrete(entity)))
        let object = entity.managedObjectClass.init(_page: page, row: row, state: .newlyInserted)
        registerInserted(object)
        return object
    }
}

// MARK: - Rows to write to

extension ManagedObjectContext {
    /// A page with room for a row that an object may write, kept by the context until it is full and another one is
    /// asked for.
    func writablePage(like object: ManagedObject) -> Unmanaged<RowPage> {
        if let page = writablePages.page(of: object.entityIndex) { return .passUnretained(page) }
        return .passUnretained(writablePages.page(of: object.page.source, registry))
    }

    /// A row that may be written, without values.
    func writableRow(_ source: ObjectIDSource, key: Int64) -> (RowPage, RowPointer) {
        let page = writablePages.page(of: source, registry)
        return (page, page.appendRow(key: key))
    }
}

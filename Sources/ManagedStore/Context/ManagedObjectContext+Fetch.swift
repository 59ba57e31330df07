import Foundation

/// Fetching.
extension ManagedObjectContext {
    /// Returns the objects that `request` asks for, with unsaved changes taken into account.
    ///
    /// - Throws: `StoreError` with `unknownEntity`, `unknownKey`, `wrongType` or `invalidRequest` for an invalid
    ///   request; with `storeFailure` if the store cannot be read.
    public func fetch<Object: ManagedObject>(_ request: FetchRequest<Object>) throws(StoreError) -> [Object] {
        checkQueue()
        return try executing(request) { executor throws(StoreError) in try executor.objectsWithRelated() }
            .asserting(Object.self)
    }

    /// Returns the number of objects that `request` asks for, with unsaved changes taken into account.
    public func count<Object: ManagedObject>(for request: FetchRequest<Object>) throws(StoreError) -> Int {
        checkQueue()
        return try executing(request) { executor throws(StoreError) in try executor.count() }
    }

    /// Returns the IDs of the objects that `request` asks for, with unsaved changes taken into account. Reads rows only
    /// if there are unsaved changes.
    public func fetchObjectIDs<Object: ManagedObject>(
        _ request: FetchRequest<Object>
    ) throws(StoreError) -> [ManagedObjectID] {
        checkQueue()
        return try executing(request) { executor throws(StoreError) in try executor.objectIDs() }
    }

    /// Returns the values that `request` asks for: its `propertiesToFetch`, by name, for each object or group of
    /// objects. A missing value is `.null`.
    ///
    /// The store computes the values, without unsaved changes. A request that includes them throws while there are any.
    ///
    /// - Throws: `StoreError` with `unknownEntity`, `unknownKey`, `wrongType` or `invalidRequest` for an invalid
    ///   request; with `invalidRequest` while the context has unsaved changes to objects of the entity, unless the
    ///   request's `includesPendingChanges` is false; with `storeFailure` if the store cannot be read.
    public func fetchDictionaries<Object: ManagedObject>(
        _ request: FetchRequest<Object>
    ) throws(StoreError) -> [[String: StoredValue]] {
        checkQueue()
        return try throwingKeptErrors { () throws(StoreError) in
            try DictionaryFetch(request, in: self).dictionaries()
        }
    }

    /// Executes `request` and returns the results that its `resultType` asks for.
    public func execute<Object: ManagedObject>(
        _ request: FetchRequest<Object>
    ) throws(StoreError) -> FetchResult<Object> {
        switch request.resultType {
        case .managedObject: .objects(try fetch(request))
        case .managedObjectID: .objectIDs(try fetchObjectIDs(request))
        case .count: .count(try count(for: request))
        case .dictionary: .dictionaries(try fetchDictionaries(request))
        }
    }

    /// Runs `body` with the executor of `request`.
    ///
    /// - Throws: what `body` throws, and the errors that properties of objects could not throw.
    private func executing<Object: ManagedObject, Result>(
        _ request: FetchRequest<Object>, _ body: (FetchExecutor) throws(StoreError) -> Result
    ) throws(StoreError) -> Result {
        followed.trim { registry.count }
        return try throwingKeptErrors { () throws(StoreError) in
            try body(FetchExecutor(self, try ResolvedFetch(request, in: self)))
        }
    }
}

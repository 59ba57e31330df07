/// Batch requests, which bypass the context and change the store directly.
extension ManagedObjectContext {
    /// Updates objects in the store. Objects of this context keep their values until they are refreshed.
    ///
    /// - Throws: `StoreError` with `invalidRequest`, `unknownKey` or `wrongType` for a request that makes no sense;
    ///   errors of the store.
    public func execute(_ request: BatchUpdateRequest) throws(StoreError) -> BatchUpdateResult {
        try BatchExecutor(self).execute(request)
    }

    /// Inserts objects into the store in one transaction. This context does not register them.
    ///
    /// The request holds all rows in memory until it is done: about as much as unsaved objects take in a context,
    /// without the objects themselves.
    ///
    /// - Throws: `StoreError` with `unknownEntity`, `unknownKey` or `wrongType`; a validation code such as
    ///   `validationMissingMandatoryProperty` for a missing required value or NaN; `constraintConflict` for values that
    ///   must be unique, unless the merge policy settles them; errors of the store. After an error, the store has none
    ///   of the objects.
    public func execute(_ request: BatchInsertRequest) throws(StoreError) -> BatchInsertResult {
        try BatchExecutor(self).execute(request)
    }

    /// Deletes objects in the store. Objects of this context stay as they are.
    ///
    /// - Throws: `StoreError` with `unknownEntity`, `unknownKey`, `wrongType` or `invalidRequest` for a request that
    ///   makes no sense, such as IDs of several entities; errors of the store.
    public func execute(_ request: BatchDeleteRequest) throws(StoreError) -> BatchDeleteResult {
        try BatchExecutor(self).execute(request)
    }
}

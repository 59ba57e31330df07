/// Batch requests: past the context, straight into the store.
extension ManagedObjectContext {
    /// Updates objects in the store itself. Objects of this context stay as they are until they are refreshed.
    ///
    /// - Throws: `StoreError` with `invalidRequest`, `unknownKey` or `wrongType` for a request that makes no sense;
    ///   errors of the store.
    public func execute(_ request: BatchUpdateRequest) throws(StoreError) -> BatchUpdateResult {
        try BatchExecutor(self).execute(request)
    }

    /// Inserts objects into the store itself, in one transaction. This context does not hold them.
    ///
    /// Takes memory for all rows until it is done: about as much as the context would for unsaved objects, less the
    /// objects.
    ///
    /// - Throws: `StoreError` with `unknownEntity`, `unknownKey` or `wrongType`; with
    ///   `validationMissingMandatoryProperty` and its like for a missing required value and for NaN; errors of the
    ///   store. Nothing was inserted then.
    public func execute(_ request: BatchInsertRequest) throws(StoreError) -> BatchInsertResult {
        try BatchExecutor(self).execute(request)
    }

    /// Deletes objects in the store itself. Objects of this context stay as they are.
    ///
    /// - Throws: `StoreError` with `unknownEntity`, `unknownKey`, `wrongType` or `invalidRequest` for a request that
    ///   makes no sense, such as IDs of several entities; errors of the store.
    public func execute(_ request: BatchDeleteRequest) throws(StoreError) -> BatchDeleteResult {
        try BatchExecutor(self).execute(request)
    }
}

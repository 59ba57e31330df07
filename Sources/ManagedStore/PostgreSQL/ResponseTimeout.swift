/// The response timeout of the requests that the current thread or task makes, if it is not that of the store.
enum ResponseTimeout {
    /// In milliseconds; 0 for without limit.
    @TaskLocal static var milliseconds: Int?

    /// Calls `body` with another limit for the requests in it.
    static func with<Result>(
        milliseconds: Int?, _ body: () throws(StoreError) -> Result
    ) throws(StoreError) -> Result {
        try $milliseconds.withValue(milliseconds) {
            Swift.Result { () throws(StoreError) in try body() }
        }.get()
    }
}

extension PersistentStoreCoordinator {
    /// Calls `body`, and lets its requests wait for a server for another time than
    /// ``PostgreSQLStoreOptions/responseTimeoutMilliseconds``. Stores without a server ignore it.
    ///
    /// ```swift
    /// let result = try PersistentStoreCoordinator.withResponseTimeout(milliseconds: 600_000) {
    ///     try context.execute(request)
    /// }
    /// ```
    ///
    /// Requests of every kind count: fetches, also asynchronous ones that begin in `body`, properties of faults, batch
    /// requests, saves, and adding a store, which may migrate it. They must be made on the thread on which `body` is
    /// called: call this within a context's ``ManagedObjectContext/perform(_:)-(()->Void)``, not around it.
    ///
    /// - Parameters:
    ///   - milliseconds: How long a server may say nothing; 0 means without limit.
    ///   - body: Makes the requests.
    /// - Returns: What `body` returns.
    public static func withResponseTimeout<Result>(
        milliseconds: Int, _ body: () throws -> Result
    ) rethrows -> Result {
        try ResponseTimeout.$milliseconds.withValue(milliseconds, operation: body)
    }
}

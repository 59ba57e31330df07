/// The options for opening a store in a PostgreSQL database.
public struct PostgreSQLStoreOptions: PersistentStoreOptions, Equatable {
    /// The greatest number of connections to the server at a time. A fetch or a save uses one, and waits for one if all
    /// are in use.
    public var connectionLimit: Int
    /// The time to wait for the server when connecting, in seconds, at each of its addresses. The URL's
    /// `connect_timeout` takes precedence.
    public var connectTimeoutSeconds: Int
    /// The time to wait for a lock of another save, or for a free connection, in milliseconds.
    public var busyTimeoutMilliseconds: Int
    /// How long the server may say nothing while an answer is awaited, in milliseconds; 0 means without limit.
    ///
    /// Then the connection is closed, and the request fails with ``StoreError/Code-swift.enum/timeout``. An answer may
    /// take longer as long as parts of it arrive. A server that works on one statement for long, such as a batch update
    /// of very many rows or an index that a migration adds, says nothing either, nor does one that waits for a lock:
    /// allow more time for these, here, or for some requests with
    /// ``PersistentStoreCoordinator/withResponseTimeout(milliseconds:_:)``. See <doc:PostgreSQL>.
    public var responseTimeoutMilliseconds: Int
    /// How often a save that the server ends because of a deadlock or a serialization failure is tried again.
    public var commitRetries: Int
    /// Whether each save tells the other processes that have the store open, and whether this one listens to them:
    /// contexts with ``ManagedObjectContext/automaticallyMergesChangesFromParent`` then merge the saves of other
    /// processes, and the coordinator posts ``PersistentStoreCoordinator/remoteChangeNotification``.
    ///
    /// All processes must set it. It takes a connection more, and costs each save: the server lets one at a time commit
    /// that has something to tell. No message reaches a process whose connection is interrupted, and one of very many
    /// objects does not name them; contexts then ask the store what became of their objects, as
    /// ``ManagedObjectContext/mergeRemoteChanges()`` does, and new ones appear with the next fetch. A standby server
    /// has no messages.
    public var postsRemoteChanges: Bool
    /// Whether to add the parts of a newer model that an older database lacks: entities, attributes that are optional
    /// or have a default value, optional relationships.
    public var migratesAutomatically: Bool

    /// The server's `lock_timeout`, where 0 would be no limit.
    var lockTimeoutMilliseconds: Int32 { max(Int32(clamping: busyTimeoutMilliseconds), 1) }

    /// How long the current request waits for a word of the server; nil for without limit.
    var responseLimitMilliseconds: Int32? {
        let limit = ResponseTimeout.milliseconds ?? responseTimeoutMilliseconds
        return limit > 0 ? Int32(clamping: limit) : nil
    }

    /// How long the current request waits for a connection, where 0 would be no limit.
    var connectLimitSeconds: Int32 {
        let limit = max(Int32(clamping: connectTimeoutSeconds), 1)
        return responseLimitMilliseconds.map { min(limit, ($0 - 1) / 1_000 + 1) } ?? limit
    }

    /// Makes options.
    public init(
        connectionLimit: Int = 8, connectTimeoutSeconds: Int = 10, busyTimeoutMilliseconds: Int = 5_000,
        responseTimeoutMilliseconds: Int = 60_000, commitRetries: Int = 10, postsRemoteChanges: Bool = false,
        migratesAutomatically: Bool = true
    ) {
        self.connectionLimit = connectionLimit
        self.connectTimeoutSeconds = connectTimeoutSeconds
        self.busyTimeoutMilliseconds = busyTimeoutMilliseconds
        self.responseTimeoutMilliseconds = responseTimeoutMilliseconds
        self.commitRetries = commitRetries
        self.postsRemoteChanges = postsRemoteChanges
        self.migratesAutomatically = migratesAutomatically
    }
}

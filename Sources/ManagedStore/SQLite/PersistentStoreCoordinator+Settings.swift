extension PersistentStoreCoordinator {
    /// Returns the settings of the connection that writes and of one that reads, by the names of their `PRAGMA`s, as
    /// SQLite reports them; empty for a store that is no SQLite file.
    package func settingsInForce() throws(StoreError) -> [[String: Int64]] {
        guard let store = try requireStore() as? SQLiteStore else { return [] }
        return [try store.pool.write(Self.settings), try store.pool.read(Self.settings)]
    }

    private static func settings(_ connection: Connection) throws(StoreError) -> [String: Int64] {
        var settings: [String: Int64] = [:]
        for name in ["synchronous", "cache_size", "page_size", "mmap_size", "wal_autocheckpoint"] {
            // Not a cached statement: it could drive out another.
            let statement = try Statement("PRAGMA \(name)", on: connection)
            if try statement.step() { settings[name] = statement.int64(0) }
        }
        if let pages = connection.checkpointPages { settings["wal_autocheckpoint"] = Int64(pages) }
        return settings
    }
}

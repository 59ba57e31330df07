import Foundation

extension PersistentStoreCoordinator.StoreType {
    /// A database of a PostgreSQL server, at a URL such as `postgresql://host/database`. Takes
    /// ``PostgreSQLStoreOptions``.
    ///
    /// The URL has the form that PostgreSQL's own programs take. Its parameters, the environment (`PGHOST`,
    /// `PGPASSFILE` and so on) and service files say the rest. The store's tables lie in the first schema of the search
    /// path. The client library libpq must be installed.
    public static let postgreSQL = Self("PostgreSQL") { opening throws(StoreError) in
        guard let url = opening.url, let address = ServerAddress(url) else {
            throw StoreError(
                .invalidRequest,
                "a PostgreSQL store needs the URL of a database, such as "
                    + "URL(string: \"postgresql://localhost/items\")")
        }
        return try PostgreSQLStore(address, opening.model, opening.options(or: PostgreSQLStoreOptions()))
    }
}

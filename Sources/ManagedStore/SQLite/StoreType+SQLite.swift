import Foundation

extension PersistentStoreCoordinator.StoreType {
    /// A SQLite file with Core Data's layout. Takes ``SQLiteStoreOptions``.
    public static let sqlite = Self("SQLite") { opening throws(StoreError) in
        guard let url = opening.url else { throw StoreError(.invalidRequest, "a SQLite store needs the URL of a file") }
        guard url.isFileURL else {
            throw StoreError(
                .invalidRequest,
                "\(url) is not the URL of a file; a SQLite store needs one, such as URL(filePath: \"items.sqlite\")")
        }
        return try SQLiteStore(url: url, model: opening.model, options: opening.options(or: SQLiteStoreOptions()))
    }
}

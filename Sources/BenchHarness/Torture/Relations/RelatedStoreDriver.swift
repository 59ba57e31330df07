import Foundation

/// A driver of a store of related records, for `bench torture --relations`. A ``StoreDriver`` may conform in addition.
///
/// There are accounts, lists and tags. An account must be in a list (one of the list's members), and a list with
/// members cannot be deleted. An account may be in the queue of a list, which is ordered. It may precede one other
/// account, which then follows only this one. It has tags, which have accounts. The harness chooses the operations and
/// verifies their results.
public protocol RelatedStoreDriver: StoreDriver {
    /// Opens the store in `directory`, and creates it if the directory is empty.
    func openRelated(in directory: URL, options: StoreOptions) throws -> any RelatedSession
}

/// An open store of related records.
public protocol RelatedSession: AnyObject, Sendable {
    /// Creates `records` in an empty store, in one save.
    func seed(_ records: RelatedRecords) throws
    /// Makes a worker, on the thread that it will work on.
    func makeWorker() throws -> any RelatedWorker
    /// Returns the errors in the files, found without the store's own code: failed integrity checks, references that
    /// lead nowhere, and references without their inverse. Empty if all is well.
    func checkFiles() throws -> [String]
    /// Returns all records, each with its own view of its relations, read from a newly opened store.
    func records() throws -> RelatedRecords
    /// Closes the store; nothing uses the session afterwards.
    func close() throws
}

/// A worker that does one operation after another, on its own thread, with its own context or connection.
public protocol RelatedWorker: AnyObject {
    /// Does an operation in one save, with its policy. The worker releases all records before it returns.
    func perform(_ operation: RelatedOperation) throws -> RelatedOutcome
}

/// The outcome of an operation.
public enum RelatedOutcome: Sendable, Equatable {
    /// The operation was saved; the marks show each account that it names, except a deleted one.
    case done([RelatedMark])
    /// Another writer interfered: a record had changed or no longer existed, or the store was locked. Nothing was
    /// written.
    case refused
}

/// The state of an account as written by a save.
public struct RelatedMark: Sendable, Equatable, Codable {
    /// The account.
    public var account: Int
    /// The number of its saves.
    public var revision: Int
    /// Its balance.
    public var balance: Int
    /// Its list.
    public var list: Int?

    /// Creates a mark.
    public init(account: Int, revision: Int, balance: Int, list: Int?) {
        (self.account, self.revision, self.balance, self.list) = (account, revision, balance, list)
    }
}

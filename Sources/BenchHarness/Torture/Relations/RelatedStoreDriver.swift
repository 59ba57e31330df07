import Foundation

/// A store of related records, which `bench torture --relations` can torture: what a driver may be beside a
/// ``StoreDriver``.
///
/// There are accounts, lists and tags. An account must be in a list (the list's members), and a list with members
/// cannot be deleted. An account may stand in the queue of a list, which has an order; may come before one other
/// account, which then comes after it alone; and has tags, which have accounts. The harness says what is to be done,
/// and judges what came of it.
public protocol RelatedStoreDriver: StoreDriver {
    /// Opens the store in `directory`, creating it when the directory is empty.
    func openRelated(in directory: URL, options: StoreOptions) throws -> any RelatedSession
}

/// An open store of related records.
public protocol RelatedSession: AnyObject, Sendable {
    /// Creates `records` in an empty store, in one save.
    func seed(_ records: RelatedRecords) throws
    /// Makes a worker, on the thread that it will work on.
    func makeWorker() throws -> any RelatedWorker
    /// What is wrong with the files, seen without the store's own code: its integrity, references that lead nowhere,
    /// and those that their inverse does not know. Empty when all is well.
    func checkFiles() throws -> [String]
    /// All records, each as it sees itself, read through the store afresh.
    func records() throws -> RelatedRecords
    /// Closes the store; the session is not used after.
    func close() throws
}

/// Does operations one after another, on a thread of its own, with a context or connection of its own.
public protocol RelatedWorker: AnyObject {
    /// Does an operation in one save, by its policy. What the worker held on to is let go of before it returns.
    func perform(_ operation: RelatedOperation) throws -> RelatedOutcome
}

/// What came of an operation.
public enum RelatedOutcome: Sendable, Equatable {
    /// It was saved; each account that the operation names is as told, but for one that was deleted.
    case done([RelatedMark])
    /// Another writer was in the way: a record had changed, or was gone, or the store was locked. Nothing was written.
    case refused
}

/// An account as a save has written it.
public struct RelatedMark: Sendable, Equatable, Codable {
    /// The account.
    public var account: Int
    /// How often it was saved.
    public var revision: Int
    /// What is in it.
    public var balance: Int
    /// The list that it is in.
    public var list: Int?

    /// Creates a mark.
    public init(account: Int, revision: Int, balance: Int, list: Int?) {
        (self.account, self.revision, self.balance, self.list) = (account, revision, balance, list)
    }
}

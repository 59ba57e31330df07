/// The outcome of an operation.
enum RelatedOutcome: Sendable, Equatable {
    /// The operation was saved; the marks show each account that it names, except a deleted one.
    case done([RelatedMark])
    /// Another writer interfered: a record had changed or no longer existed, or the store was locked. Nothing was
    /// written.
    case refused
}

/// The state of an account as written by a save.
struct RelatedMark: Sendable, Equatable, Codable {
    /// The account.
    var account: Int
    /// The number of its saves.
    var revision: Int
    /// Its balance.
    var balance: Int
    /// Its list.
    var list: Int?

    /// Creates a mark.
    init(account: Int, revision: Int, balance: Int, list: Int?) {
        (self.account, self.revision, self.balance, self.list) = (account, revision, balance, list)
    }
}

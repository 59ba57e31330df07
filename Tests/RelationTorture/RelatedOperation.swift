/// The work of one save. It adds 1 to the revision of each account that it names.
struct RelatedOperation: Sendable, Equatable, Codable {
    /// The change to the accounts.
    enum Kind: String, Sendable, Codable, CaseIterable {
        /// Transfers the amount from the first account to the second.
        case transfer
        /// Moves the account to another list.
        case move
        /// Puts the first account before the second.
        case pair
        /// Removes the account's successor.
        case part
        /// Puts the account at a position in the queue of a list.
        case enqueue
        /// Adds a tag to the account, or removes it if present.
        case tag
        /// Inserts an account with balance 0 into a list.
        case insert
        /// Deletes the account.
        case delete
        /// Inserts a list without accounts.
        case insertList
        /// Deletes a list, which is refused if the list has members.
        case deleteList
    }

    /// The way in which a save settles conflicts.
    enum Policy: String, Sendable, Codable, CaseIterable {
        /// The save is refused.
        case error
        /// The store's values win, attribute by attribute.
        case storeTrump
        /// The saved values win, attribute by attribute.
        case objectTrump
        /// The saved record replaces the store's.
        case overwrite
        /// The save's changes are discarded.
        case rollback
    }

    /// The change.
    var kind: Kind
    /// The way in which conflicts are settled.
    var policy: Policy
    /// The numbers of the operation's accounts; for an operation on a list, the list's number.
    var numbers: [Int]
    /// The amount of a transfer.
    var amount: Int
    /// Selects a list or tag, in the order of their numbers, or a position in a queue: the remainder of the division by
    /// their count.
    var choice: Int

    /// Creates an operation.
    init(_ kind: Kind, _ policy: Policy, _ numbers: [Int], amount: Int = 0, choice: Int = 0) {
        (self.kind, self.policy, self.numbers, self.amount, self.choice) = (kind, policy, numbers, amount, choice)
    }

    /// The accounts that the operation changes.
    var accounts: [Int] {
        switch kind {
        case .insertList, .deleteList: []
        default: numbers
        }
    }
}

/// What a worker is to do in one save. It adds 1 to the revision of each account that it names.
public struct RelatedOperation: Sendable, Equatable, Codable {
    /// What is done to the accounts.
    public enum Kind: String, Sendable, Codable, CaseIterable {
        /// The amount goes from the first account to the second.
        case transfer
        /// The account goes to another list.
        case move
        /// The first account comes before the second.
        case pair
        /// The account comes before no other.
        case part
        /// The account goes to a place in the queue of a list.
        case enqueue
        /// The account gets a tag, or loses it if it has it.
        case tag
        /// A new account in a list, with nothing in it.
        case insert
        /// The account is deleted.
        case delete
        /// A new list without accounts.
        case insertList
        /// A list is deleted, which is refused if it has members.
        case deleteList
    }

    /// How a save settles conflicts.
    public enum Policy: String, Sendable, Codable, CaseIterable {
        /// The save is refused.
        case error
        /// Attribute by attribute, what the store has wins.
        case storeTrump
        /// Attribute by attribute, what is saved wins.
        case objectTrump
        /// What is saved replaces what the store has.
        case overwrite
        /// What is saved is given up.
        case rollback
    }

    /// What is done.
    public var kind: Kind
    /// How conflicts are settled.
    public var policy: Policy
    /// The numbers of the accounts that it is about; for lists, the list's.
    public var numbers: [Int]
    /// What a transfer transfers.
    public var amount: Int
    /// Decides which of the lists or tags there are, in the order of their numbers, and which place in a queue: the
    /// remainder of the division by how many there are.
    public var choice: Int

    /// Creates an operation.
    public init(_ kind: Kind, _ policy: Policy, _ numbers: [Int], amount: Int = 0, choice: Int = 0) {
        (self.kind, self.policy, self.numbers, self.amount, self.choice) = (kind, policy, numbers, amount, choice)
    }

    /// The accounts that it changes.
    public var accounts: [Int] {
        switch kind {
        case .insertList, .deleteList: []
        default: numbers
        }
    }
}

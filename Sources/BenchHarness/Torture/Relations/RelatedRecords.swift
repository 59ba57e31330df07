/// Accounts, lists and tags, each with its own view of its relations: numbers identify records.
public struct RelatedRecords: Sendable, Equatable {
    /// An account.
    public struct Account: Sendable, Equatable {
        /// Its number.
        public var number: Int
        /// The number of its saves.
        public var revision = 1
        /// Its balance.
        public var balance = 0
        /// Its list.
        public var list: Int?
        /// The list whose queue it is in.
        public var queue: Int?
        /// The account after it.
        public var next: Int?
        /// The account before it.
        public var previous: Int?
        /// Its tags.
        public var tags: Set<Int> = []

        /// Creates an account without relations.
        public init(number: Int) { self.number = number }
    }

    /// A list.
    public struct List: Sendable, Equatable {
        /// Its number.
        public var number: Int
        /// The accounts in it.
        public var members: Set<Int> = []
        /// The accounts in its queue, in order.
        public var queue: [Int] = []

        /// Creates a list without accounts.
        public init(number: Int) { self.number = number }
    }

    /// A tag.
    public struct Tag: Sendable, Equatable {
        /// Its number.
        public var number: Int
        /// The accounts that have it.
        public var accounts: Set<Int> = []

        /// Creates a tag without accounts.
        public init(number: Int) { self.number = number }
    }

    /// The accounts.
    public var accounts: [Account] = []
    /// The lists.
    public var lists: [List] = []
    /// The tags.
    public var tags: [Tag] = []

    /// Creates an empty set of records.
    public init() {}
}

/// Accounts, lists and tags, each with what it is related to as it sees it itself: records are named by their numbers.
public struct RelatedRecords: Sendable, Equatable {
    /// An account.
    public struct Account: Sendable, Equatable {
        /// Its number.
        public var number: Int
        /// How often it was saved.
        public var revision = 1
        /// What is in it.
        public var balance = 0
        /// The list that it is in.
        public var list: Int?
        /// The list in whose queue it stands.
        public var queue: Int?
        /// The account that it comes before.
        public var next: Int?
        /// The account that comes before it.
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
        /// Those in its queue, in their order.
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

    /// Creates none.
    public init() {}
}

/// Accounts, lists and tags, each with its own view of its relations: numbers identify records.
struct RelatedRecords: Sendable, Equatable {
    /// An account.
    struct Account: Sendable, Equatable {
        /// Its number.
        var number: Int
        /// The number of its saves.
        var revision = 1
        /// Its balance.
        var balance = 0
        /// Its list.
        var list: Int?
        /// The list whose queue it is in.
        var queue: Int?
        /// The account after it.
        var next: Int?
        /// The account before it.
        var previous: Int?
        /// Its tags.
        var tags: Set<Int> = []

        /// Creates an account without relations.
        init(number: Int) { self.number = number }
    }

    /// A list.
    struct List: Sendable, Equatable {
        /// Its number.
        var number: Int
        /// The accounts in it.
        var members: Set<Int> = []
        /// The accounts in its queue, in order.
        var queue: [Int] = []

        /// Creates a list without accounts.
        init(number: Int) { self.number = number }
    }

    /// A tag.
    struct Tag: Sendable, Equatable {
        /// Its number.
        var number: Int
        /// The accounts that have it.
        var accounts: Set<Int> = []

        /// Creates a tag without accounts.
        init(number: Int) { self.number = number }
    }

    /// The accounts.
    var accounts: [Account] = []
    /// The lists.
    var lists: [List] = []
    /// The tags.
    var tags: [Tag] = []

    /// Creates an empty set of records.
    init() {}
}

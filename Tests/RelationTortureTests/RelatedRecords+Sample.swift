@testable import RelationTorture

extension RelatedRecords {
    /// Two lists, two tags, and four accounts in the first list.
    static var sample: RelatedRecords {
        var records = RelatedRecords()
        records.lists = [0, 1].map(RelatedRecords.List.init)
        records.tags = [0, 1].map(RelatedRecords.Tag.init)
        records.accounts = (0..<4).map {
            var account = RelatedRecords.Account(number: $0)
            (account.list, account.balance) = (0, 100)
            return account
        }
        return records
    }
}

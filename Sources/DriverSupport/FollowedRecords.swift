import BenchHarness

/// Fetched records, each with those that a relationship leads to.
public struct FollowedRecords<Record: Sendable, Related: Sendable>: FetchedRecords, Sendable {
    /// Where the relationship leads.
    public enum Kind: Sendable {
        /// To one record, whose attributes continue those of the fetched record.
        case one
        /// To many.
        case many(isOrdered: Bool)
    }

    private let records: [(record: Record, related: [Related])]
    private let kind: Kind
    private let number: @Sendable (Record) -> Int64
    private let digest: @Sendable (Record, inout RecordDigester) -> Void
    private let digestRelated: @Sendable (Related, inout RecordDigester) -> Void

    /// Creates a result.
    ///
    /// - Parameters:
    ///   - number: Returns the number of a record.
    ///   - digest: Feeds every attribute of a record, in the order of the entity.
    ///   - digestRelated: Feeds every attribute of a related record; without the numbers of further records where the
    ///     relationship leads to one.
    public init(
        _ records: [(record: Record, related: [Related])], kind: Kind, number: @escaping @Sendable (Record) -> Int64,
        digest: @escaping @Sendable (Record, inout RecordDigester) -> Void,
        digestRelated: @escaping @Sendable (Related, inout RecordDigester) -> Void
    ) {
        self.records = records
        self.kind = kind
        self.number = number
        self.digest = digest
        self.digestRelated = digestRelated
    }

    /// The number of records.
    public var count: Int { records.count }

    /// Feeds records, each with the related ones.
    public func digest(_ positions: Range<Int>, into digester: inout RecordDigester) {
        for (record, related) in records[positions] {
            switch kind {
            case .one:
                digest(record, &digester)
                for target in related { digestRelated(target, &digester) }
                digester.endRecord()
            case .many(let isOrdered):
                digester.addOwner(number(record), isOrdered: isOrdered) {
                    digest(record, &$0)
                } records: {
                    for member in related {
                        digestRelated(member, &$0)
                        $0.endRecord()
                    }
                }
            }
        }
    }
}

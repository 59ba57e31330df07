/// A many-to-many relationship of one of several entities of a scenario: each record leads to some records of another
/// entity, and each of those to any number of records.
public struct LinkSpec: Sendable, Equatable, Codable {
    /// The relationship from a record, such as `tags`.
    public var relationship: String
    /// The relationship that leads back, such as `products`.
    public var inverse: String
    /// The name of the entity that it leads to, such as `Tag`, or of the one from which that inherits.
    public var entityName: String
    /// The number of records of that entity in a seeded store.
    public var records: Int
    /// The smallest number of records that one leads to.
    public var min: Int
    /// The largest number of records that one leads to.
    public var max: Int
    /// How the relationships are spread over the records that they lead to; nil if all are equally likely.
    public var distribution: ReferenceSpec.Distribution?
    /// The subentity whose records alone have the relationship; nil if all records have it.
    public var subentity: String?
    /// The subentity to whose records alone it leads; nil if it may lead to any.
    public var target: TargetKind?
    /// Whether a record keeps those that it leads to in order, new ones last; nil means it does not.
    public var ordered: Bool?

    /// Whether a record keeps those that it leads to in order.
    public var isOrdered: Bool { ordered ?? false }

    /// Creates a description of a relationship.
    public init(
        relationship: String, inverse: String, entityName: String, records: Int, min: Int, max: Int,
        distribution: ReferenceSpec.Distribution? = nil
    ) {
        self.relationship = relationship
        self.inverse = inverse
        self.entityName = entityName
        self.records = records
        self.min = min
        self.max = max
        self.distribution = distribution
    }
}

extension RecordGenerator {
    /// Returns the numbers of the records that the relationship at a place in ``EntitySpec/links`` leads to from the
    /// record with `ordinal`: in their order, or ascending if it keeps none.
    public func links(_ place: Int, _ ordinal: Int) -> [Int64] {
        guard let link = entity.links?[place] else { return [] }
        if let subentity = link.subentity, entity.number(ofKind: subentity) != kind(ordinal) { return [] }
        let target = linkTargets[place]
        var random = SplitMix64(state: mixed(entity.attributes.count + place, ordinal))
        let wanted = Swift.min(link.min + Int(random.next() % UInt64(link.max - link.min + 1)), link.records)
        var (numbers, inOrder) = (Set<Int64>(), [Int64]())
        // The most likely records come again and again, and few may be of the right kind: then there are fewer.
        for _ in 0..<wanted * (target == nil ? 8 : RecordsOfKind.draws) where numbers.count < wanted {
            let drawn = (link.distribution ?? .uniform).draw(below: link.records, &random)
            guard target?.contains(drawn) ?? true else { continue }
            if numbers.insert(Int64(drawn) + 1).inserted { inOrder.append(Int64(drawn) + 1) }
        }
        return link.isOrdered ? inOrder : inOrder.sorted()
    }
}

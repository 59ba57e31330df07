import BenchHarness

/// A fetch that follows a relationship, and the tables that it reads.
struct RelatedFetch {
    /// Where the relationship leads from the records.
    enum Lead {
        /// To one record, whose number is the value at a position.
        case one(position: Int, RecordTable)
        /// To many records.
        case many(MemberTable)
    }

    let work: FetchWork
    /// Whether the related records are read all at once.
    let prefetches: Bool
    /// The table of the records that it finds.
    let source: RecordTable
    let lead: Lead

    /// - Parameter table: The table of the records that the phase is about.
    init(_ work: FetchWork, _ follow: FollowSpec, from table: RecordTable) throws {
        self.work = work
        prefetches = follow.prefetch
        source = table
        guard let lead = source.lead(by: follow.relationship) else {
            throw DriverError(.invalidRequest, "\(source.entity.name) has no relationship \(follow.relationship)")
        }
        self.lead = lead
    }

    /// Whether it finds all records.
    var findsAll: Bool { work.filter == nil && work.limit == 0 }
}

extension RecordTable {
    /// Returns where a relationship leads; nil if there is none of that name.
    fileprivate func lead(by relationship: String) -> RelatedFetch.Lead? {
        if case .number(let toOne)? = schema.relationship(relationship)?.place {
            return .one(position: entity.toOneAttributes.lowerBound + toOne, target(toOne).alone)
        }
        return members(by: relationship).map { .many($0) }
    }

    /// The table without its relationships, of which a fetch reads none.
    private var alone: RecordTable {
        RecordTable(
            Schema(EntitySpec(name: entity.name, attributes: Array(entity.attributesOfItsOwn))), dialect: dialect)
    }
}

/// Records, each with the one that a relationship leads to.
struct RecordsWithTargets<Record: SQLRecord, Target: SQLRecord>: FetchedRecords {
    let records: [Record]
    /// The position of the number of the related record.
    let position: Int
    let targets: [Int64: Target]

    var count: Int { records.count }

    @_specialize(where Record == OwnedItemRecord, Target == FieldRecord)
    func digest(_ positions: Range<Int>, into digester: inout RecordDigester) {
        for record in records[positions] {
            record.digest(into: &digester)
            targets[record.number(at: position)]?.digest(into: &digester)
            digester.endRecord()
        }
    }
}

/// Records, each with those that a relationship leads to.
struct RecordsWithMembers<Record: SQLRecord, Member: SQLRecord>: FetchedRecords {
    let records: [Record]
    let groups: [[Member]]
    /// Whether the members of each record are in order.
    let isOrdered: Bool

    var count: Int { records.count }

    @_specialize(where Record == FieldRecord, Member == OwnedItemRecord)
    func digest(_ positions: Range<Int>, into digester: inout RecordDigester) {
        for position in positions {
            let record = records[position]
            digester.addOwner(record.key, isOrdered: isOrdered) {
                record.digest(into: &$0)
            } records: {
                RecordArray(groups[position]).digest(groups[position].indices, into: &$0)
            }
        }
    }
}

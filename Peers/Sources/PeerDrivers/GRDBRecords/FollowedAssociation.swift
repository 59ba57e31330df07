import BenchHarness
import DriverSupport
import GRDB

/// An association that a fetch follows: prefetched with the records, or requested for each of them.
struct FollowedAssociation<Record: EntityRecord>: Sendable {
    let fetch: @Sendable (QueryInterfaceRequest<Record>, _ prefetch: Bool, Database) throws -> any FetchedRecords

    /// Follows an association to one record, which every record has.
    init<Target: EntityRecord>(one association: BelongsToAssociation<Record, Target>) {
        fetch = { request, prefetch, db in
            let found: [(record: Record, related: [Target])]
            if prefetch {
                let pairs = request.including(required: association.forKey(WithTarget<Record, Target>.key))
                    .asRequest(of: WithTarget<Record, Target>.self)
                found = try pairs.fetchAll(db).map { ($0.record, [$0.target]) }
            } else {
                found = try request.fetchAll(db).map { record in
                    (record, [try record.request(for: association).fetchOne(db)].compactMap(\.self))
                }
            }
            return Self.followed(found, .one) { $0.digestAttributes(into: &$1) }
        }
    }

    /// Follows an association to many records.
    init<Many: AssociationToMany>(
        many association: Many, isOrdered: Bool = false
    ) where Many.OriginRowDecoder == Record, Many.RowDecoder: EntityRecord {
        typealias Member = Many.RowDecoder
        fetch = { request, prefetch, db in
            let found: [(record: Record, related: [Member])]
            if prefetch {
                let groups = request.including(all: association.forKey(WithMembers<Record, Member>.key))
                    .asRequest(of: WithMembers<Record, Member>.self)
                found = try groups.fetchAll(db).map { ($0.record, $0.members) }
            } else {
                found = try request.fetchAll(db).map { ($0, try $0.request(for: association).fetchAll(db)) }
            }
            return Self.followed(found, .many(isOrdered: isOrdered)) { $0.digestAll(into: &$1) }
        }
    }

    private static func followed<Related: EntityRecord>(
        _ found: [(record: Record, related: [Related])], _ kind: FollowedRecords<Record, Related>.Kind,
        _ digest: @escaping @Sendable (Related, inout RecordDigester) -> Void
    ) -> any FetchedRecords {
        FollowedRecords(
            found, kind: kind, number: { $0.id }, digest: { $0.digestAll(into: &$1) }, digestRelated: digest)
    }
}

/// A record with the one that an association leads to.
private struct WithTarget<Record: FetchableRecord, Target: FetchableRecord>: FetchableRecord {
    static var key: String { "target" }
    let record: Record
    let target: Target

    init(row: Row) throws {
        record = try Record(row: row)
        target = row[Self.key]
    }
}

/// A record with those that an association leads to.
private struct WithMembers<Record: FetchableRecord, Member: FetchableRecord>: FetchableRecord {
    static var key: String { "members" }
    let record: Record
    let members: [Member]

    init(row: Row) throws {
        record = try Record(row: row)
        members = row[Self.key]
    }
}

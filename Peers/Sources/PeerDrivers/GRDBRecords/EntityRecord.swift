import BenchHarness
import DriverSupport
import GRDB

/// A record as GRDB's documentation recommends it: `Codable`, its properties named for the application and its columns
/// for the file.
protocol EntityRecord: PeerRecord, PersistableRecord, Identifiable where ID == Int64 {
    var version: Int64 { get set }

    /// Whether the type is written for an entity.
    static func describes(_ entity: EntitySpec) -> Bool
    /// The attributes that may be null.
    static var optionals: [String] { get }
    /// The associations that a fetch can follow, by the names of relationships.
    static var relationships: [String: FollowedAssociation<Self>] { get }
    /// A new record: the one with this ordinal.
    init(_ ordinal: Int, of records: RecordGenerator)
    /// Inserts a new record, and what its many-to-many relationships lead to.
    func insertWithPairs(_ ordinal: Int, of records: RecordGenerator, in db: Database) throws
    /// Feeds the attributes, in the order of the entity, without the numbers of related records.
    func digestAttributes(into digester: inout RecordDigester)
    /// The numbers of the records that relationships to one lead to, in the order of the entity.
    var numbers: [Int64] { get }
    /// The value of an attribute, as it is stored.
    func value(_ attribute: Int) -> DatabaseValue
    /// Makes a change in the struct alone.
    mutating func apply(_ change: RecordChange) throws
}

extension EntityRecord {
    static var key: Column { Column("Z_PK") }
    static var versions: Column { Column("Z_OPT") }

    static var relationships: [String: FollowedAssociation<Self>] { [:] }

    var numbers: [Int64] { [] }

    func digestAll(into digester: inout RecordDigester) {
        digestAttributes(into: &digester)
        for number in numbers { digester.add(number) }
    }

    func digest(into digester: inout RecordDigester, entity: EntitySpec) { digestAll(into: &digester) }

    /// Dates are numbers in the file: seconds since 2001.
    static func databaseDateEncodingStrategy(for column: String) -> DatabaseDateEncodingStrategy {
        .timeIntervalSinceReferenceDate
    }

    static func databaseDateDecodingStrategy(for column: String) -> DatabaseDateDecodingStrategy {
        .timeIntervalSinceReferenceDate
    }

    /// The row, if it still has the version that was read.
    var asRead: QueryInterfaceRequest<Self> { Self.filter(Self.key == id && Self.versions == version) }

    func insertWithPairs(_ ordinal: Int, of records: RecordGenerator, in db: Database) throws { try insert(db) }

    /// Inserts the records of an entity that a session is not about.
    static func seed(_ table: RecordTable, of configuration: StoreConfiguration) -> EntitySeed {
        EntitySeed(table, RecordTechnique<Self>(query: RecordQuery(table: table)), of: configuration)
    }
}

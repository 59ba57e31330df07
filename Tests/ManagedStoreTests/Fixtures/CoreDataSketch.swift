import Foundation
import TestSupport
import Testing

@testable import ManagedStore

/// A small file with the tables that Core Data gives every store, and those that a test wants.
struct CoreDataSketch: FileFixture {
    let url: URL
    private let directory: TemporaryDirectory

    /// `entities` are rows of `Z_PRIMARYKEY`: name, number, superentity's number, highest key. `hashed` are the names
    /// in the metadata, if they are others.
    init(_ sql: String, entities: [(String, Int, Int, Int)], hashed: [String]? = nil) throws {
        directory = try TemporaryDirectory(isKept: true)
        url = directory.file("Sketch.sqlite")
        let database = try RawDatabase(url)
        try database.execute(
            """
            PRAGMA journal_mode = WAL; BEGIN;
            CREATE TABLE Z_METADATA (Z_VERSION INTEGER PRIMARY KEY, Z_UUID VARCHAR(255), Z_PLIST BLOB);
            CREATE TABLE Z_PRIMARYKEY (Z_ENT INTEGER PRIMARY KEY, Z_NAME VARCHAR, Z_SUPER INTEGER, Z_MAX INTEGER);
            CREATE TABLE Z_MODELCACHE (Z_CONTENT BLOB);
            """)
        for (name, number, above, highest) in entities {
            try database.execute("INSERT INTO Z_PRIMARYKEY VALUES (\(number), '\(name)', \(above), \(highest))")
        }
        let plist: [String: Any] = [
            "NSStoreType": "SQLite",
            "NSStoreModelVersionHashes": Dictionary(
                uniqueKeysWithValues: (hashed ?? entities.map(\.0)).map { ($0, Data(repeating: 7, count: 32)) }),
        ]
        let bytes = try PropertyListSerialization.data(fromPropertyList: plist, format: .binary, options: 0)
        let hex = bytes.map { String(format: "%02x", $0) }.joined()
        try database.execute("INSERT INTO Z_METADATA VALUES (1, '\(UUID().uuidString)', x'\(hex)')")
        try database.execute(sql + "; COMMIT")
    }

    /// A context of the calling thread on the file.
    func context(_ entities: EntityDescription...) throws -> ManagedObjectContext {
        ManagedObjectContext(coordinator: try coordinator(try ManagedObjectModel(entities: entities)))
    }

    func refusal(_ entities: EntityDescription...) throws -> String {
        let model = try ManagedObjectModel(entities: entities)
        return expectError(.incompatibleStore) { try coordinator(model) }?.message ?? ""
    }

    /// The folder of values that Core Data keeps outside of the file.
    func externalFolder() throws -> URL {
        let folder = directory.url.appending(path: ".Sketch_SUPPORT/_EXTERNAL_DATA")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        return folder
    }
}

extension CoreDataSketch {
    /// Books that count their pages, know their titles without capitals and when they were saved last, through the
    /// triggers that Core Data makes for derived attributes.
    static func books() throws -> CoreDataSketch {
        try CoreDataSketch(
            """
            CREATE TABLE ZBOOK ( Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, Z_OPT INTEGER, ZPAGESCOUNT INTEGER, ZSAVEDAT TIMESTAMP, \
            ZTITLE VARCHAR, ZSEARCHTITLE VARCHAR );
            CREATE TABLE ZPAGE ( Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, Z_OPT INTEGER, ZNUMBER INTEGER, ZBOOK INTEGER );
            CREATE INDEX ZPAGE_ZBOOK_INDEX ON ZPAGE (ZBOOK);
            INSERT INTO ZBOOK VALUES (1, 1, 3, 2, 600000000, 'Tides', 'tides'), (2, 1, 1, 0, 600000000, 'Winds', 'winds');
            INSERT INTO ZPAGE VALUES (1, 2, 1, 1, 1), (2, 2, 1, 2, 1);
            """ + triggers, entities: [("Book", 1, 0, 2), ("Page", 2, 0, 2)])
    }

    private static let triggers = """
        CREATE TRIGGER Z_DA_ZPAGE_Book_pagesCount_PARAMETER_INSERT AFTER INSERT ON ZPAGE FOR EACH ROW WHEN (NEW.ZBOOK NOT NULL) \
        BEGIN UPDATE ZBOOK SET ZPAGESCOUNT = IFNULL(ZPAGESCOUNT, 0) + 1 WHERE Z_PK = NEW.ZBOOK; SELECT \
        NSCoreDataDATriggerUpdatedAffectedObjectValue('ZBOOK', Z_ENT, Z_PK, 'pagesCount', ZPAGESCOUNT) FROM ZBOOK WHERE Z_PK = NEW.ZBOOK; END;
        CREATE TRIGGER Z_DA_ZPAGE_Book_pagesCount_PARAMETER_UPDATE_INCREMENT AFTER UPDATE OF ZBOOK ON ZPAGE FOR EACH ROW WHEN \
        (NEW.ZBOOK NOT NULL) BEGIN UPDATE ZBOOK SET ZPAGESCOUNT = ZPAGESCOUNT + 1 WHERE Z_PK = NEW.ZBOOK; SELECT \
        NSCoreDataDATriggerUpdatedAffectedObjectValue('ZBOOK', Z_ENT, Z_PK, 'pagesCount', ZPAGESCOUNT) FROM ZBOOK WHERE Z_PK = NEW.ZBOOK; END;
        CREATE TRIGGER Z_DA_ZPAGE_Book_pagesCount_PARAMETER_UPDATE_DECREMENT AFTER UPDATE OF ZBOOK ON ZPAGE FOR EACH ROW WHEN \
        (OLD.ZBOOK NOT NULL) BEGIN UPDATE ZBOOK SET ZPAGESCOUNT = ZPAGESCOUNT - 1 WHERE Z_PK = OLD.ZBOOK; SELECT \
        NSCoreDataDATriggerUpdatedAffectedObjectValue('ZBOOK', Z_ENT, Z_PK, 'pagesCount', ZPAGESCOUNT) FROM ZBOOK WHERE Z_PK = OLD.ZBOOK; END;
        CREATE TRIGGER Z_DA_ZPAGE_Book_pagesCount_PARAMETER_DELETE AFTER DELETE ON ZPAGE FOR EACH ROW WHEN (OLD.ZBOOK NOT NULL) \
        BEGIN UPDATE ZBOOK SET ZPAGESCOUNT = ZPAGESCOUNT - 1 WHERE Z_PK = OLD.ZBOOK; SELECT \
        NSCoreDataDATriggerUpdatedAffectedObjectValue('ZBOOK', Z_ENT, Z_PK, 'pagesCount', ZPAGESCOUNT) FROM ZBOOK WHERE Z_PK = OLD.ZBOOK; END;
        CREATE TRIGGER Z_DA_ZBOOK_Book_pagesCount_SOURCE_INSERT AFTER INSERT ON ZBOOK FOR EACH ROW BEGIN UPDATE ZBOOK SET ZPAGESCOUNT = \
        (SELECT IFNULL(COUNT(ZBOOK), 0) FROM ZPAGE WHERE ZBOOK = NEW.Z_PK) WHERE Z_PK = NEW.Z_PK; SELECT \
        NSCoreDataDATriggerInsertUpdatedAffectedObjectValue('ZBOOK', Z_ENT, Z_PK, 'pagesCount', ZPAGESCOUNT) FROM ZBOOK WHERE Z_PK = NEW.Z_PK; END;
        CREATE TRIGGER Z_DA_ZBOOK_Book_savedAt_UPDATE AFTER UPDATE OF Z_OPT ON ZBOOK FOR EACH ROW BEGIN UPDATE ZBOOK SET ZSAVEDAT = \
        NSCoreDataNow() WHERE Z_PK = NEW.Z_PK; SELECT NSCoreDataDATriggerUpdatedAffectedObjectValue('ZBOOK', Z_ENT, Z_PK, 'savedAt', ZSAVEDAT) \
        FROM ZBOOK WHERE Z_PK = NEW.Z_PK; END;
        CREATE TRIGGER Z_DA_ZBOOK_Book_searchTitle_INSERT AFTER INSERT ON ZBOOK FOR EACH ROW BEGIN UPDATE ZBOOK SET ZSEARCHTITLE = \
        NSCoreDataCanonical(NEW.ZTITLE) WHERE Z_PK = NEW.Z_PK; SELECT NSCoreDataDATriggerInsertUpdatedAffectedObjectValue('ZBOOK', Z_ENT, \
        Z_PK, 'searchTitle', ZSEARCHTITLE) FROM ZBOOK WHERE Z_PK = NEW.Z_PK; END;
        CREATE TRIGGER Z_DA_ZBOOK_Book_searchTitle_UPDATE AFTER UPDATE OF ZTITLE ON ZBOOK FOR EACH ROW BEGIN UPDATE ZBOOK SET ZSEARCHTITLE = \
        NSCoreDataCanonical(NEW.ZTITLE) WHERE Z_PK = NEW.Z_PK; SELECT NSCoreDataDATriggerUpdatedAffectedObjectValue('ZBOOK', Z_ENT, \
        Z_PK, 'searchTitle', ZSEARCHTITLE) FROM ZBOOK WHERE Z_PK = NEW.Z_PK; END
        """

    static let book = EntityDescription(
        name: "Book",
        attributes: [
            AttributeDescription("title", .string), AttributeDescription("searchTitle", .string, isOptional: true),
            AttributeDescription("pagesCount", .integer64, isOptional: true),
            AttributeDescription("savedAt", .date, isOptional: true),
        ], relationships: [RelationshipDescription("pages", to: "Page", inverse: "book", isToMany: true)])
    static let page = EntityDescription(
        name: "Page", attributes: [AttributeDescription("number", .integer32)],
        relationships: [RelationshipDescription("book", to: "Book", inverse: "pages")])
}

import Foundation
import TestSupport

@testable import ManagedStore

/// A file as Apple's Core Data writes it, made from SQL: what the layout is known to be, with what a file gathers in
/// its life.
///
/// A folder has notes in an order of its own, and a cover that is any medium; notes and images are media; notes have
/// tags, and these their notes in an order of their own.
struct CoreDataFile: FileFixture {
    let directory: TemporaryDirectory
    let url: URL
    static let identifier = "5C2E7B1D-7F0A-4C8E-9B55-0A1B2C3D4E5F"

    init(_ extra: String = "") throws {
        directory = try TemporaryDirectory()
        url = directory.file("Notes.sqlite")
        let database = try RawDatabase(url)
        try database.execute("PRAGMA auto_vacuum = 2; PRAGMA journal_mode = DELETE; BEGIN")
        for sql in [Self.tables, Self.entities, Self.history, Self.rows, Self.trigger] { try database.execute(sql) }
        try database.execute("INSERT INTO Z_METADATA VALUES (1, '\(Self.identifier)', x'\(try Self.plist())'); COMMIT")
        if !extra.isEmpty { try database.execute(extra) }
    }

    /// A context of the calling thread on the file.
    func context(_ model: ManagedObjectModel? = nil) throws -> ManagedObjectContext {
        ManagedObjectContext(coordinator: try coordinator(try model ?? Self.model()))
    }

    /// Every row of the tables that are not ours.
    func history() throws -> [String] {
        let database = try database()
        return try ["ACHANGE", "ATRANSACTION", "ATRANSACTIONSTRING", "Z_MODELCACHE"].flatMap {
            try database.lines("SELECT * FROM \($0)")
        } + database.lines("SELECT name, sql FROM sqlite_master ORDER BY name")
            + database.lines("SELECT * FROM Z_PRIMARYKEY WHERE Z_ENT > 16000")
    }

    /// The property list with the hashes of the model's entities, which Core Data alone computes.
    private static func plist() throws -> String {
        let hashes = ["Folder", "Image", "Medium", "Note", "Tag"].map {
            ($0, Data(repeating: UInt8($0.count), count: 32))
        }
        let plist: [String: Any] = [
            "NSPersistenceFrameworkVersion": 1_330, "NSPersistenceMaximumFrameworkVersion": 1_330,
            "NSStoreModelVersionChecksumKey": "RmFrZSBjaGVja3N1bQ==", "NSStoreModelVersionHashesVersion": 3,
            "NSStoreModelVersionHashes": Dictionary(uniqueKeysWithValues: hashes),
            "NSStoreModelVersionHashesDigest": "ZmFrZSBkaWdlc3Q=", "NSStoreModelVersionIdentifiers": ["7"],
            "NSStoreType": "SQLite", "_NSAutoVacuumLevel": "2", "LastSynced": Date(timeIntervalSinceReferenceDate: 60),
        ]
        let bytes = try PropertyListSerialization.data(fromPropertyList: plist, format: .binary, options: 0)
        return bytes.map { String(format: "%02x", $0) }.joined()
    }

    private static let tables = """
        CREATE TABLE ZFOLDER ( Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, Z_OPT INTEGER, ZCOUNTOFNOTES INTEGER, ZCOVER INTEGER, \
        Z2_COVER INTEGER, ZPARENT INTEGER, ZCREATEDAT TIMESTAMP, ZNAME VARCHAR, ZIDENTIFIER BLOB );
        CREATE TABLE ZMEDIUM ( Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, Z_OPT INTEGER, ZISPINNED INTEGER, ZFOLDER INTEGER, \
        Z_FOK_FOLDER INTEGER, ZMODIFIEDAT TIMESTAMP, ZPRICE DECIMAL, ZWIDTH FLOAT, ZLINK VARCHAR, ZTITLE VARCHAR, ZTITLE1 VARCHAR, \
        ZBODY BLOB );
        CREATE TABLE ZTAG ( Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, Z_OPT INTEGER, ZNAME VARCHAR );
        CREATE TABLE Z_4TAGS ( Z_4NOTES INTEGER, Z_5TAGS INTEGER, Z_FOK_4NOTES INTEGER, PRIMARY KEY (Z_4NOTES, Z_5TAGS) );
        CREATE TABLE Z_METADATA (Z_VERSION INTEGER PRIMARY KEY, Z_UUID VARCHAR(255), Z_PLIST BLOB);
        CREATE TABLE Z_PRIMARYKEY (Z_ENT INTEGER PRIMARY KEY, Z_NAME VARCHAR, Z_SUPER INTEGER, Z_MAX INTEGER);
        CREATE TABLE Z_MODELCACHE (Z_CONTENT BLOB);
        CREATE INDEX ZFOLDER_ZCOVER_INDEX ON ZFOLDER (ZCOVER, Z2_COVER);
        CREATE INDEX Z_Folder_byName ON ZFOLDER (ZNAME COLLATE BINARY ASC);
        CREATE UNIQUE INDEX Z_Folder_UNIQUE_identifier ON ZFOLDER (ZIDENTIFIER COLLATE BINARY ASC);
        CREATE INDEX ZMEDIUM_Z_ENT_INDEX ON ZMEDIUM (Z_ENT);
        CREATE INDEX ZMEDIUM_ZFOLDER_INDEX ON ZMEDIUM (ZFOLDER);
        CREATE INDEX Z_4TAGS_Z_5TAGS_INDEX ON Z_4TAGS (Z_5TAGS, Z_4NOTES);
        """

    /// Keeps a derived attribute.
    private static let trigger = """
        CREATE TRIGGER Z_DA_ZMEDIUM_INSERT AFTER INSERT ON ZMEDIUM FOR EACH ROW BEGIN UPDATE ZFOLDER SET \
        ZCOUNTOFNOTES = IFNULL(ZCOUNTOFNOTES, 0) + 1 WHERE Z_PK = NEW.ZFOLDER; SELECT \
        NSCoreDataTriggerUpdateAffectedObjectValue('ZFOLDER', Z_ENT, Z_PK, 'countOfNotes', ZCOUNTOFNOTES) FROM ZFOLDER \
        WHERE Z_PK = NEW.ZFOLDER; END;
        """

    private static let entities = """
        INSERT INTO Z_PRIMARYKEY VALUES (1, 'Folder', 0, 2), (2, 'Medium', 0, 7), (3, 'Image', 2, 0), (4, 'Note', 2, NULL), \
        (5, 'Tag', 0, NULL), (16001, 'CHANGE', 0, 2), (16002, 'TRANSACTION', 0, 1), (16003, 'TRANSACTIONSTRING', 0, 2);
        INSERT INTO Z_MODELCACHE VALUES (x'789C0102030405');
        """

    private static let history = """
        CREATE TABLE ACHANGE ( Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, Z_OPT INTEGER, ZCHANGETYPE INTEGER, ZENTITY INTEGER, \
        ZENTITYPK INTEGER, ZTRANSACTIONID INTEGER, ZCOLUMNS BLOB );
        CREATE TABLE ATRANSACTION ( Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, Z_OPT INTEGER, ZAUTHORTS INTEGER, ZBUNDLEIDTS INTEGER, \
        ZCONTEXTNAMETS INTEGER, ZPROCESSIDTS INTEGER, ZTIMESTAMP FLOAT, ZAUTHOR VARCHAR, ZBUNDLEID VARCHAR, ZCONTEXTNAME VARCHAR, \
        ZPROCESSID VARCHAR, ZQUERYGEN BLOB );
        CREATE TABLE ATRANSACTIONSTRING ( Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, Z_OPT INTEGER, ZNAME VARCHAR );
        CREATE INDEX ACHANGE_ZTRANSACTIONID_INDEX ON ACHANGE (ZTRANSACTIONID);
        CREATE UNIQUE INDEX Z_TRANSACTIONSTRING_UNIQUE_NAME ON ATRANSACTIONSTRING (ZNAME COLLATE BINARY ASC);
        INSERT INTO ACHANGE VALUES (1, 16001, NULL, 0, 1, 1, 1, NULL), (2, 16001, NULL, 1, 4, 1, 1, x'0200');
        INSERT INTO ATRANSACTION VALUES (1, 16002, NULL, NULL, 1, NULL, 2, 694224000.25, NULL, NULL, NULL, NULL, x'00');
        INSERT INTO ATRANSACTIONSTRING VALUES (1, 16003, 1, 'com.example.notes'), (2, 16003, 1, 'Notes');
        """

    /// An image, then two notes in a folder; versions and orders as years of changes leave them.
    private static let rows = """
        INSERT INTO ZFOLDER VALUES (1, 1, 12, 2, 3, 3, NULL, 694224000.125, 'Home', x'00112233445566778899AABBCCDDEEFF'), \
        (2, 1, NULL, 0, 5, 4, 1, 694310400, 'Ideas', NULL);
        INSERT INTO ZMEDIUM VALUES (3, 3, 2, 0, NULL, NULL, NULL, NULL, 640.5, NULL, 'Photo', NULL, NULL), \
        (5, 4, 41, 2, 1, 4096, 694224000, 12, NULL, 'https://example.com', NULL, 'Shopping', x'01FF'), \
        (7, 4, 3, 1, 1, -1024, 694224001.5, 0.99, NULL, NULL, NULL, 'Reading', NULL);
        INSERT INTO ZTAG VALUES (1, 5, 1, 'urgent'), (2, 5, 1, 'later');
        INSERT INTO Z_4TAGS VALUES (5, 1, 900), (7, 1, -20), (7, 2, 0);
        """
}

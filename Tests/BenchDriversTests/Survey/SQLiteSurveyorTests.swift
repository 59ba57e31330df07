import BenchHarness
import CSQLite
import Foundation
import TestSupport
import Testing

@testable import BenchDrivers
@testable import DriverConformance

/// The survey of files that drivers and other programs wrote.
@Suite struct SQLiteSurveyorTests {
    @Test(arguments: DriverCase.all)
    func filesOfEveryDriverAreDescribedAlike(_ subject: DriverCase) async throws {
        try await onThread {
            let store = try CheckedStore(subject.driver, entity: .boxedSample)
            try store.seeded(200).close()
            let survey = try SQLiteSurveyor().survey(RecordFile.url(in: store.configuration.directory))
            let entity = try #require(survey.entities.max { $0.records < $1.records })
            let expected = EntitySpec.boxedSample
            let box = expected.toOnes[0]
            #expect(survey.entities.count == 2 && entity.name == expected.name && entity.records == 200)
            let names = expected.attributesOfItsOwn.map { $0.name.uppercased() }
            #expect(Set(entity.attributes.map { $0.name.uppercased() }) == Set(names))
            for attribute in entity.attributes {
                let known = expected.attributes.first { $0.name.uppercased() == attribute.name.uppercased() }
                let type = try #require(known?.type)
                #expect(attribute.values.type == (type == .bool ? .int64 : type), "\(attribute.name)")
                #expect(attribute.isUnique == known?.isUnique && attribute.isIndexed == known?.isIndexed)
            }
            #expect(entity.references.map(\.entity) == [box.entityName] && entity.references[0].nulls == 0)
            #expect(survey.entities.first { $0.name == box.entityName }?.records == box.records)
        }
    }

    @Test func namesInCapitalsTakeTheirCaseFromAnIndex() throws {
        let file = try makeFile(
            """
            CREATE TABLE Z_METADATA (Z_VERSION INTEGER); CREATE TABLE Z_PRIMARYKEY (Z_ENT, Z_NAME, Z_SUPER, Z_MAX);
            INSERT INTO Z_PRIMARYKEY VALUES (1, 'Item', 0, 1);
            CREATE TABLE ZITEM (Z_PK INTEGER PRIMARY KEY, Z_ENT, Z_OPT, ZSENTAT TIMESTAMP, ZSIZE INTEGER);
            CREATE INDEX Z_Item_INDEX_sentAt ON ZITEM (ZSENTAT); INSERT INTO ZITEM VALUES (1, 1, 1, 5.5, 7)
            """)
        let entity = try #require(try SQLiteSurveyor().survey(file.url).entities.first)
        #expect(entity.attributes.map(\.name) == ["sentAt", "size"])
        #expect(entity.attributes.map(\.values.type) == [.date, .int64])
        #expect(entity.attributes.map(\.isIndexed) == [true, false])
        #expect(try SQLiteSurveyor().survey(file.url).remarks == [CoreDataLayout.smallLetters])
    }

    /// Xcode suggests such names of indexes; the tables of the history are Core Data's own.
    @Test func namesComeFromTheIndexesOfCoreData() throws {
        let file = try makeFile(
            """
            CREATE TABLE Z_METADATA (Z_VERSION INTEGER); CREATE TABLE Z_PRIMARYKEY (Z_ENT, Z_NAME, Z_SUPER, Z_MAX);
            INSERT INTO Z_PRIMARYKEY VALUES (1, 'Item', 0, 1), (16001, 'CHANGE', 0, 2);
            CREATE TABLE ACHANGE (Z_PK INTEGER PRIMARY KEY, Z_ENT, Z_OPT); INSERT INTO ACHANGE VALUES (1, 16001, NULL);
            CREATE TABLE ZITEM (Z_PK INTEGER PRIMARY KEY, Z_ENT, Z_OPT, ZSENTAT TIMESTAMP, ZREADAT TIMESTAMP, ZBY INTEGER);
            CREATE INDEX Z_Item_bySentAtIndex ON ZITEM (ZSENTAT COLLATE BINARY ASC);
            CREATE INDEX Z_Item_byReadAt ON ZITEM (ZREADAT COLLATE BINARY ASC); INSERT INTO ZITEM VALUES (1, 1, 1, 5.5, 6, 7)
            """)
        let survey = try SQLiteSurveyor().survey(file.url)
        #expect(survey.entities.map(\.name) == ["Item"] && survey.remarks == [CoreDataLayout.smallLetters])
        #expect(survey.entities.first?.attributes.map(\.name) == ["sentAt", "readAt", "by"])
    }

    /// Core Data keeps the model in the file, as an archive that is compressed.
    @Test func namesAreThoseOfTheModelInTheFile() throws {
        let file = try makeFile(
            """
            CREATE TABLE Z_METADATA (Z_VERSION INTEGER); CREATE TABLE Z_PRIMARYKEY (Z_ENT, Z_NAME, Z_SUPER, Z_MAX);
            INSERT INTO Z_PRIMARYKEY VALUES (1, 'Item', 0, 1), (2, 'Tag', 0, 1); CREATE TABLE Z_MODELCACHE (Z_CONTENT BLOB);
            CREATE TABLE ZITEM (Z_PK INTEGER PRIMARY KEY, Z_ENT, Z_OPT, ZSENTAT TIMESTAMP, ZSIZE INTEGER, ZONETAG INTEGER);
            CREATE INDEX ZITEM_ZONETAG_INDEX ON ZITEM (ZONETAG); INSERT INTO ZITEM VALUES (1, 1, 1, 5.5, 7, 1);
            CREATE TABLE ZTAG (Z_PK INTEGER PRIMARY KEY, Z_ENT, Z_OPT, ZNAME VARCHAR); INSERT INTO ZTAG VALUES (1, 2, 1, 'a');
            CREATE TABLE Z_1ALLTAGS (Z_1ALLITEMS INTEGER, Z_2ALLTAGS INTEGER)
            """)
        let names = ["Item", "sentAt", "size", "Size", "oneTag", "allTags", "allItems", "name", "NAME"]
        let archive = try PropertyListSerialization.data(
            fromPropertyList: ["$objects": names], format: .binary, options: 0)
        let size = UInt16(archive.count)
        // A block that is not compressed.
        let head = [1, UInt8(size & 255), UInt8(size >> 8), UInt8(~size & 255), UInt8(~size >> 8)]
        let connection = try PlainConnection(file: file.url, flags: SQLITE_OPEN_READWRITE)
        try connection.execute("INSERT INTO Z_MODELCACHE VALUES (?)", [.data(Data(head) + archive)])
        try connection.close()
        let survey = try SQLiteSurveyor().survey(file.url)
        #expect(survey.entities.map { $0.attributes.map(\.name) } == [["sentAt", "size"], ["name"]])
        #expect(survey.entities.map { $0.references.map(\.name) } == [["oneTag"], []] && survey.remarks.isEmpty)
        #expect(survey.links.map { [$0.first.relationship, $0.second.relationship] } == [["allItems", "allTags"]])
    }

    /// Entities of one hierarchy, as Core Data keeps them: in one table, each with its own columns and rows.
    @Test func entitiesOfAHierarchyAreToldApart() throws {
        let file = try makeFile(
            """
            CREATE TABLE Z_METADATA (Z_VERSION INTEGER); CREATE TABLE Z_PRIMARYKEY (Z_ENT, Z_NAME, Z_SUPER, Z_MAX);
            INSERT INTO Z_PRIMARYKEY VALUES (1, 'Folder', 0, 2), (2, 'Medium', 0, 4), (3, 'Image', 2, 0), (4, 'Note', 2, 0);
            CREATE TABLE ZFOLDER (Z_PK INTEGER PRIMARY KEY, Z_ENT, Z_OPT, ZNAME VARCHAR);
            INSERT INTO ZFOLDER VALUES (1, 1, 1, 'a'), (2, 1, 1, 'b');
            CREATE TABLE ZMEDIUM (Z_PK INTEGER PRIMARY KEY, Z_ENT, Z_OPT, ZWIDTH INTEGER, ZTITLE VARCHAR, ZFOLDER INTEGER,
              Z1_FOLDER INTEGER, Z_FOK_FOLDER INTEGER);
            CREATE INDEX ZMEDIUM_ZFOLDER_INDEX ON ZMEDIUM (ZFOLDER);
            INSERT INTO ZMEDIUM VALUES (1, 3, 1, 640, 'x', 1, 1, 1), (2, 4, 1, NULL, 'y', 2, 1, 2),
              (3, 4, 1, NULL, 'z', 2, 1, 3);
            CREATE TABLE Z_4TAGS (Z_4NOTES INTEGER, Z_5TAGS INTEGER, PRIMARY KEY (Z_4NOTES, Z_5TAGS))
            """)
        let survey = try SQLiteSurveyor().survey(file.url)
        let sizes = survey.entities.map { "\($0.name) \($0.records) \($0.attributes.map(\.name))" }
        #expect(sizes == [#"Folder 2 ["name"]"#, "Medium 0 []", #"Image 1 ["width", "title"]"#, #"Note 2 ["title"]"#])
        let note = survey.entities[3].references
        #expect(note.map(\.name) == ["folder"] && note.map(\.entity) == ["Folder"] && note.map(\.most) == [2])
        #expect(note.map(\.isOrdered) == [true] && survey.remarks == [CoreDataLayout.smallLetters])
        #expect(survey.entities.map(\.root) == [nil, nil, "Medium", "Medium"])
        let families = survey.families.map { "\($0.name) \($0.records) \($0.attributes.map(\.name))" }
        #expect(families == [#"Medium 3 ["width", "title"]"#])
    }

    /// The pairs of a relationship to many lead to the entity that has the records, which may inherit from the one that
    /// the file names.
    @Test func pairsJoinTheEntitiesThatHaveTheRecords() throws {
        let file = try makeFile(
            """
            CREATE TABLE Z_METADATA (Z_VERSION INTEGER); CREATE TABLE Z_PRIMARYKEY (Z_ENT, Z_NAME, Z_SUPER, Z_MAX);
            INSERT INTO Z_PRIMARYKEY VALUES (1, 'Medium', 0, 4), (2, 'Image', 1, 0), (3, 'Film', 1, 0), (4, 'Tag', 0, 3);
            CREATE TABLE ZMEDIUM (Z_PK INTEGER PRIMARY KEY, Z_ENT, Z_OPT, ZWIDTH INTEGER);
            INSERT INTO ZMEDIUM VALUES (1, 2, 1, 640), (2, 2, 1, 320), (3, 3, 1, 64), (4, 2, 1, 32);
            CREATE TABLE ZTAG (Z_PK INTEGER PRIMARY KEY, Z_ENT, Z_OPT, ZNAME VARCHAR);
            INSERT INTO ZTAG VALUES (1, 4, 1, 'a'), (2, 4, 1, 'b'), (3, 4, 1, 'c'), (4, 4, 1, 'd');
            CREATE TABLE Z_1TAGS (Z_1MEDIA INTEGER, Z_4TAGS INTEGER, Z_FOK_4TAGS INTEGER,
              PRIMARY KEY (Z_1MEDIA, Z_4TAGS));
            INSERT INTO Z_1TAGS VALUES (1, 1, 3), (1, 2, 2), (1, 3, 1), (2, 1, 1), (4, 2, 1);
            CREATE INDEX Z_1TAGS_Z_4TAGS_INDEX ON Z_1TAGS (Z_4TAGS, Z_1MEDIA);
            CREATE TABLE Z_4FRIENDS (Z_4FRIENDS INTEGER, REFLEXIVE INTEGER)
            """)
        let survey = try SQLiteSurveyor().survey(file.url)
        #expect(survey.remarks == [CoreDataLayout.smallLetters])
        let links = survey.links
        let ends = links.flatMap { [$0.first, $0.second] }.map { end in
            "\(end.relationship) lead to \(end.entity), which leads to \(end.fewest) to \(end.most)"
        }
        #expect(
            ends == [
                "media lead to Image, which leads to 1 to 3", "tags lead to Tag, which leads to 0 to 2",
                "friends lead to Tag, which leads to 0 to 0", "friends lead to Tag, which leads to 0 to 0",
            ])
        #expect(links.map(\.pairs) == [5, 0])
        #expect(links.flatMap { [$0.first.isOrdered, $0.second.isOrdered] } == [true, false, false, false])
    }

    @Test func whatTriggersDeriveIsNoAttribute() throws {
        let file = try makeFile(
            """
            CREATE TABLE Z_METADATA (Z_VERSION INTEGER); CREATE TABLE Z_PRIMARYKEY (Z_ENT, Z_NAME, Z_SUPER, Z_MAX);
            INSERT INTO Z_PRIMARYKEY VALUES (1, 'Book', 0, 1);
            CREATE TABLE ZBOOK (Z_PK INTEGER PRIMARY KEY, Z_ENT, Z_OPT, ZPAGESCOUNT INTEGER, ZTITLE VARCHAR);
            CREATE TABLE ZPAGE (Z_PK INTEGER PRIMARY KEY, Z_ENT, Z_OPT, ZBOOK INTEGER); INSERT INTO ZBOOK VALUES (1, 1, 1, 5, 'a');
            CREATE TRIGGER Z_DA_ZPAGE_Book_pagesCount AFTER INSERT ON ZPAGE FOR EACH ROW WHEN (NEW.ZBOOK NOT NULL) BEGIN UPDATE ZBOOK
              SET ZPAGESCOUNT = IFNULL(ZPAGESCOUNT, 0) + 1 WHERE Z_PK = NEW.ZBOOK; END
            """.replacing("\n  SET", with: " SET"))
        let survey = try SQLiteSurveyor().survey(file.url)
        #expect(survey.entities.map { $0.attributes.map(\.name) } == [["title"]])
        let derived = "the attribute Book.pagescount is left out: triggers of the file derive it"
        #expect(survey.remarks == [derived, CoreDataLayout.smallLetters])
    }

    @Test func tablesOfAnyOtherFileAreEntities() throws {
        let file = try makeFile(
            """
            CREATE TABLE "mail ""box" (id INTEGER PRIMARY KEY, title TEXT UNIQUE);
            INSERT INTO "mail ""box" VALUES (7, 'a'), (9, 'b');
            CREATE TABLE message (id INTEGER PRIMARY KEY, "sub ject" TEXT, flag BOOLEAN, at TIMESTAMP, price DECIMAL,
              body BLOB, odd, twice AS (id * 2), box INTEGER REFERENCES "mail ""box" (id));
            CREATE INDEX byFlag ON message (flag); CREATE INDEX byBoth ON message (flag, at);
            CREATE UNIQUE INDEX some ON message (price) WHERE flag;
            INSERT INTO message VALUES (1, 'x', 1, 'now', 1, x'00', NULL, 7), (2, NULL, 0, NULL, 2.5, x'', 'a', 9),
              (3, 'y', 1, 'then', 3, NULL, 4, NULL);
            CREATE VIEW v AS SELECT 1; CREATE VIRTUAL TABLE words USING fts5(text)
            """)
        let survey = try SQLiteSurveyor().survey(file.url)
        #expect(survey.entities.map(\.name).sorted() == ["mail \"box", "message"])
        #expect(
            survey.remarks == [
                "the column message.twice is left out: it is computed from others",
                "the index some of message holds a part of the rows; here it holds all",
                "the index byBoth of message is left out: it has several columns", "the view v is left out",
                "the virtual table words is left out",
            ])
        let message = try #require(survey.entities.first { $0.name == "message" })
        #expect(message.attributes.map(\.name) == ["id", "sub ject", "flag", "at", "price", "body", "odd"])
        #expect(message.attributes.map(\.values.type) == [.int64, .string, .bool, .string, .double, .data, .string])
        #expect(message.attributes.map(\.isUnique) == [true, false, false, false, false, false, false])
        #expect(message.attributes.map(\.isIndexed) == [false, false, true, false, true, false, false])
        #expect(message.references.map(\.entity) == ["mail \"box"] && message.references.map(\.nulls) == [1])
    }

    /// A table of nothing but two references and its key joins the tables that they lead to.
    @Test func tablesThatJoinTwoOthersAreRelationships() throws {
        let file = try makeFile(
            """
            CREATE TABLE post (id INTEGER PRIMARY KEY, title TEXT); CREATE TABLE tag (id INTEGER PRIMARY KEY, name TEXT);
            INSERT INTO post VALUES (1, 'x'), (2, 'y'), (3, 'z'); INSERT INTO tag VALUES (5, 'a'), (6, 'b');
            CREATE TABLE post_tag (id INTEGER PRIMARY KEY, post INTEGER REFERENCES post, tag INTEGER REFERENCES Tag);
            INSERT INTO post_tag VALUES (1, 1, 5), (2, 1, 6), (3, 2, 5);
            CREATE TABLE visit (post INTEGER REFERENCES post, tag INTEGER REFERENCES tag, at INTEGER)
            """)
        let survey = try SQLiteSurveyor().survey(file.url)
        #expect(survey.entities.map(\.name).sorted() == ["post", "tag", "visit"])
        let link = try #require(survey.links.first)
        #expect(survey.links.count == 1 && link.pairs == 3)
        #expect(link.first.entity == "post" && link.first.fewest == 0 && link.first.most == 2)
        #expect(link.second.entity == "tag" && link.second.relationship == "tag" && link.second.fewest == 1)
    }

    /// A scenario cannot say that records of one table are joined with each other.
    @Test func aTableThatJoinsRowsOfOneOtherHasRecords() throws {
        let file = try makeFile(
            """
            CREATE TABLE parent (id INTEGER PRIMARY KEY, name TEXT); INSERT INTO parent VALUES (1, 'x');
            CREATE TABLE child (id INTEGER PRIMARY KEY, p INTEGER REFERENCES Parent, q INTEGER REFERENCES parent);
            INSERT INTO child VALUES (1, 1, 1)
            """)
        let survey = try SQLiteSurveyor().survey(file.url)
        #expect(survey.entities.map(\.name).sorted() == ["child", "parent"] && survey.links.isEmpty)
    }

    @Test func indexesThatNoScenarioHasAreTold() throws {
        let file = try makeFile(
            """
            CREATE TABLE t (id INTEGER PRIMARY KEY, a INTEGER, b INTEGER, c TEXT, UNIQUE (a, b));
            INSERT INTO t VALUES (1, 2, 3, 'x'); CREATE INDEX several ON t (b, c); CREATE INDEX computed ON t (lower(c));
            CREATE INDEX part ON t (c) WHERE a > 1; CREATE INDEX plain ON t (b)
            """)
        let remarks = try SQLiteSurveyor().survey(file.url).remarks.sorted()
        #expect(
            remarks == [
                "the index computed of t is left out: it holds what is computed from columns",
                "the index part of t holds a part of the rows; here it holds all",
                "the index several of t is left out: it has several columns",
                "the index sqlite_autoindex_t_1 of t is left out: it has several columns",
            ])
    }

    @Test func referencesOfSeveralColumnsAndThoseThatCascadeAreTold() throws {
        let file = try makeFile(
            """
            CREATE TABLE box (a INTEGER, b INTEGER, id INTEGER UNIQUE, PRIMARY KEY (a, b));
            INSERT INTO box VALUES (1, 2, 3);
            CREATE TABLE mail (id INTEGER PRIMARY KEY, x INTEGER, y INTEGER, box INTEGER REFERENCES box (id) ON DELETE cascade,
              other INTEGER REFERENCES box (id) ON DELETE SET NULL, FOREIGN KEY (x, y) REFERENCES box (a, b));
            INSERT INTO mail VALUES (1, 1, 2, 3, 3)
            """)
        let survey = try SQLiteSurveyor().survey(file.url)
        let mail = try #require(survey.entities.first { $0.name == "mail" })
        #expect(mail.attributes.map(\.name) == ["id", "x", "y"])
        #expect(mail.references.map { "\($0.name) \($0.cascades)" } == ["box true", "other false"])
        let relationship = "the relationship of mail to box by the columns x, y is left out"
        #expect(survey.remarks == [relationship + ": only one by a single column can be told"])
    }

    @Test func aFileThatWasNotClosedProperlyIsToldAsSuch() throws {
        let folder = try TemporaryDirectory()
        let file = try InterruptedFile(in: folder) { try $0.execute("CREATE TABLE a (b)") }
        let error = #expect(throws: DriverError.self) { try SQLiteSurveyor().survey(file.url) }
        let message = error?.description ?? ""
        #expect(message.hasPrefix("its journal interrupted.sqlite-journal has changes to take back"), "\(message)")
        #expect(!message.contains("check that the directory"))
    }

    @Test(.enabled(if: geteuid() != 0, "root may read everything")) func aFileThatMayNotBeReadIsToldAsSuch() throws {
        let file = try makeFile("CREATE TABLE a (b)")
        try FileManager.default.setAttributes([.posixPermissions: 0], ofItemAtPath: file.url.path)
        let error = #expect(throws: DriverError.self) { try SQLiteSurveyor().survey(file.url) }
        #expect(error?.description == "its permissions do not let this program read it; allow that with chmod")
    }

    /// To Swift, a quote and a mark after it are one character, and no quote.
    @Test func aNameWithAQuoteAndAMarkIsAName() throws {
        let file = try makeFile(
            """
            CREATE TABLE "a""\u{301}b" (id INTEGER PRIMARY KEY, "size""\u{301}" INTEGER);
            INSERT INTO "a""\u{301}b" VALUES (1, 7)
            """)
        let entity = try #require(try SQLiteSurveyor().survey(file.url).entities.first)
        #expect(entity.name == "a\"\u{301}b" && entity.records == 1)
    }

    /// A log that another program has not written back is part of the file.
    @Test func aFileInUseIsReadWithItsLogAndStaysAsItIs() throws {
        let file = try makeFile("PRAGMA journal_mode = wal; CREATE TABLE a (b); INSERT INTO a VALUES (1), (2)")
        let writer = try PlainConnection(file: file.url, flags: SQLITE_OPEN_READWRITE)
        try writer.execute("INSERT INTO a VALUES (3)")
        let before = try file.content()
        #expect(try SQLiteSurveyor().survey(file.url).entities.map(\.records) == [3])
        #expect(try file.content().keys == before.keys && file.content()["a ?#%.db"] == before["a ?#%.db"])
        try writer.close()
        let atRest = try file.content()
        #expect(atRest.keys.sorted() == ["a ?#%.db"])
        #expect(try SQLiteSurveyor().survey(file.url).entities.map(\.records) == [3])
        #expect(try file.content() == atRest)
    }

    @Test func whatIsNoFileOfSQLiteIsRefused() throws {
        let file = try makeFile("CREATE TABLE a (b)")
        try Data("hello, this is a text of some length".utf8).write(to: file.url)
        let error = #expect(throws: DriverError.self) { try SQLiteSurveyor().survey(file.url) }
        #expect(error?.description == "expected a file of SQLite", "\(String(describing: error))")
    }

    // MARK: - Files

    private struct File {
        let folder: TemporaryDirectory
        /// SQLite reads a name with these characters as a URI too.
        var url: URL { folder.url.appendingPathComponent("a ?#%.db") }

        func content() throws -> [String: Data] {
            let names = try FileManager.default.contentsOfDirectory(atPath: folder.url.path)
            return try Dictionary(
                uniqueKeysWithValues: names.map {
                    ($0, try Data(contentsOf: folder.url.appendingPathComponent($0)))
                })
        }
    }

    private func makeFile(_ statements: String) throws -> File {
        let file = File(folder: try TemporaryDirectory())
        let connection = try PlainConnection(
            file: file.url, flags: SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE)
        #expect(sqlite3_exec(connection.handle, statements, nil, nil, nil) == SQLITE_OK)
        try connection.close()
        return file
    }
}

import Foundation
import Testing

@testable import ManagedStore

/// Values that Core Data may keep in files of their own.
@Suite struct ExternalDataTests {
    private static let name = "0F6C1F2E-9C6B-4C7E-8C53-3B1F0A3D2E10"
    private static let payload = Data((0..<5_000).map { UInt8(truncatingIfNeeded: $0) })

    private static func reference(_ name: String) -> String {
        "02" + name.utf8.map { String(format: "%02x", $0) }.joined() + "00"
    }

    private func file(_ rows: String, withFolder: Bool = true) throws -> CoreDataSketch {
        let file = try CoreDataSketch(
            """
            CREATE TABLE ZPHOTO ( Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, Z_OPT INTEGER, ZNAME VARCHAR, ZIMAGE BLOB );
            INSERT INTO ZPHOTO VALUES \(rows)
            """, entities: [("Photo", 1, 0, 9)])
        guard withFolder else { return file }
        try Self.payload.write(to: file.externalFolder().appending(path: Self.name))
        return file
    }

    private func photo(external: Bool = true) -> EntityDescription {
        EntityDescription(
            name: "Photo",
            attributes: [
                AttributeDescription("name", .string),
                AttributeDescription("image", .binaryData, isOptional: true, allowsExternalBinaryDataStorage: external),
            ])
    }

    private let rows =
        "(1, 1, 1, 'small', x'01AABB'), (2, 1, 1, 'large', x'\(reference(name))'), (3, 1, 1, 'none', NULL)"

    private func image(_ name: String, in context: ManagedObjectContext) throws -> Data? {
        try context.only("Photo", "name", name).value(forKey: "image") as? Data
    }

    @Test func bothKindsAreRead() throws {
        let context = try file(rows).context(photo())
        #expect(try image("small", in: context) == Data([0xAA, 0xBB]))
        #expect(try image("large", in: context) == Self.payload)
        #expect(try image("none", in: context) == nil)
    }

    @Test func valuesAreWrittenIntoTheFileWithTheirMark() throws {
        let file = try file(rows)
        let context = try file.context(photo())
        try context.only("Photo", "name", "small").setValue(Data([1, 2]), forKey: "image")
        try context.only("Photo", "name", "large").setValue("renamed", forKey: "name")
        try context.only("Photo", "name", "none").setValue(Self.payload, forKey: "image")
        let new = try EntityDescription.insertNewObject(forEntityName: "Photo", into: context)
        try new.setValue("new", forKey: "name")
        try new.setValue(Data(), forKey: "image")
        try context.save()
        let database = try file.database()
        #expect(try database.value("SELECT hex(ZIMAGE) FROM ZPHOTO WHERE Z_PK = 1") == "010102")
        #expect(
            try database.value("SELECT hex(ZIMAGE) FROM ZPHOTO WHERE Z_PK = 2")
                == Self.reference(Self.name).uppercased())
        #expect(try database.value("SELECT length(ZIMAGE) FROM ZPHOTO WHERE Z_PK = 3") == "5001")
        #expect(try database.value("SELECT hex(ZIMAGE) FROM ZPHOTO WHERE ZNAME = 'new'") == "01")
        let again = try file.context(photo())
        #expect(try image("renamed", in: again) == Self.payload)
        #expect(try image("none", in: again) == Self.payload)
        #expect(try image("new", in: again) == Data())
    }

    @Test func aReplacedFileStays() throws {
        let file = try file(rows)
        let context = try file.context(photo())
        try context.only("Photo", "name", "large").setValue(Data([5]), forKey: "image")
        try context.save()
        #expect(try file.database().value("SELECT hex(ZIMAGE) FROM ZPHOTO WHERE Z_PK = 2") == "0105")
        #expect(try Data(contentsOf: file.externalFolder().appending(path: Self.name)) == Self.payload)
    }

    @Test func nothingButAUUIDIsAFileName() throws {
        let path = "../../../../../../../../../../etc/passwd".prefix(36)
        let context = try file("(1, 1, 1, 'x', x'\(Self.reference(String(path)))')").context(photo())
        let error = expectError(.storeFailure) { try image("x", in: context) }
        #expect(error?.message.contains("not by a UUID") == true)
    }

    @Test func aFileThatIsNotThereIsNamed() throws {
        let context = try file(rows, withFolder: false).context(photo())
        let error = expectError(.storeFailure) { try image("large", in: context) }
        #expect(error?.message.contains(Self.name) == true && error?.message.contains("Photo/p2.image") == true)
    }

    @Test func aLinkOrAPipeIsNotFollowed() throws {
        let file = try file(rows)
        let path = try file.externalFolder().appending(path: Self.name).path(percentEncoded: false)
        try FileManager.default.removeItem(atPath: path)
        #expect(mkfifo(path, 0o600) == 0)
        let context = try file.context(photo())
        expectError(.storeFailure) { try image("large", in: context) }
        try FileManager.default.removeItem(atPath: path)
        try FileManager.default.createSymbolicLink(atPath: path, withDestinationPath: "/etc/passwd")
        expectError(.storeFailure) { try image("large", in: context) }
    }

    @Test func aFaultWhoseFileIsNotThereReadsAsNothingAndKeepsItsReference() throws {
        let file = try file(rows)
        let context = try file.context(photo())
        let large = try context.only("Photo", "name", "large")
        try FileManager.default.removeItem(at: file.externalFolder().appending(path: Self.name))
        context.stalenessInterval = 0
        try context.refresh(large, mergeChanges: false)
        #expect(try large.value(forKey: "image") == nil)
        try large.setValue("other", forKey: "name")
        try context.save()
        #expect(try file.database().value("SELECT length(ZIMAGE) FROM ZPHOTO WHERE Z_PK = 2") == "38")
    }

    @Test func aModelThatDoesNotSayItIsRefused() throws {
        let message = try file(rows, withFolder: false).refusal(photo(external: false))
        #expect(message.contains("Photo.image (ZPHOTO.ZIMAGE)"), "\(message)")
        #expect(message.contains("set allowsExternalBinaryDataStorage"), "\(message)")
        let inline = "(1, 1, 1, 'a', x'01AA'), (2, 1, 1, 'b', x'01')"
        #expect(try file(inline).refusal(photo(external: false)).contains("_EXTERNAL_DATA"))
    }

    @Test func plainDataIsReadAsItIs() throws {
        let context = try file("(1, 1, 1, 'a', x'01AA'), (2, 1, 1, 'b', x'00')").context(photo(external: false))
        #expect(try image("a", in: context) == Data([1, 0xAA]))
        let message = try file("(1, 1, 1, 'a', x'01AA'), (2, 1, 1, 'b', x'00')").refusal(photo())
        #expect(message.contains("set allowsExternalBinaryDataStorage to false"), "\(message)")
    }

    @Test func requestsThatSQLCannotAnswerAreRefused() throws {
        let context = try file(rows).context(photo())
        func request(_ predicate: FetchPredicate?) -> FetchRequest<ManagedObject> {
            FetchRequest(entityName: "Photo", predicate: predicate)
        }
        expectError(.invalidRequest) { try context.fetch(request(.compare("image", .equal, Data([0xAA])))) }
        #expect(try context.fetch(request(.compare("image", .equal, nil as Data?))).count == 1)
        expectError(.invalidRequest) {
            try context.execute(BatchUpdateRequest(entityName: "Photo", set: ["image": .value(Data([1]))]))
        }
        var sorted = request(nil)
        sorted.sortDescriptors = [FetchSortDescriptor(key: "image", ascending: true)]
        expectError(.invalidRequest) { try context.fetch(sorted) }
    }

    @Test func inOurOwnFilesTheFlagChangesNothing() throws {
        let store = try TestStore(model: ManagedObjectModel(entities: [photo()]))
        let context = store.context()
        let new = try EntityDescription.insertNewObject(forEntityName: "Photo", into: context)
        try new.setValue("a", forKey: "name")
        try new.setValue(Data([1, 2]), forKey: "image")
        try context.save()
        #expect(try store.database().value("SELECT hex(ZIMAGE) FROM ZPHOTO") == "0102")
    }

    @Test func theFlagIsForBinaryDataAlone() {
        let entity = EntityDescription(
            name: "Photo", attributes: [AttributeDescription("a", .string, allowsExternalBinaryDataStorage: true)])
        expectError(.invalidModel) { try ManagedObjectModel(entities: [entity]) }
    }
}

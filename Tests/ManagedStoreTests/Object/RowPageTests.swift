import Foundation
import TestSupport
import Testing

@testable import ManagedStore

@Suite struct RowPageTests {
    private let source: ObjectIDSource

    init() throws {
        source = ObjectIDSource(
            storeIdentifier: UUID(), model: try ManagedObjectModel(Everything.self), entityIndex: 0)
    }

    private func field(_ name: String) throws -> RowField {
        source.entity.layout.fields[try source.entity.position(of: name)]
    }

    @Test func rowsHaveNoValuesAtFirst() {
        let page = RowPage(source)
        let row = page.appendRow(key: 7)
        #expect(row.key == 7 && row.version == 0)
        #expect(source.entity.layout.fields.allSatisfy { page.value(of: $0, of: row) == .null })
        #expect(source.entity.layout.lacksRequired(row))
    }

    @Test func aPageGrowsUntilItIsFull() throws {
        let page = RowPage(source)
        let text = try field("text")
        for key in 0..<page.rowsMax {
            #expect(!page.isFull)
            let row = page.appendRow(key: Int64(key))
            page.setValue(.string("row \(key)"), of: text, of: row)
        }
        #expect(page.isFull)
        page.trim()
        for key in [0, 15, 16, 63, 64, page.rowsMax - 1] {
            #expect(page.row(key).key == Int64(key))
            #expect(page.value(of: text, of: page.row(key)) == .string("row \(key)"))
        }
    }

    @Test func writableRowsNeverMove() {
        let page = RowPage(writable: source, capacity: 8)
        let rows = (0..<8).map { page.appendRow(key: Int64($0)) }
        #expect(page.isFull)
        #expect((0..<8).allSatisfy { page.row($0) == rows[$0] })
    }

    /// Values of all types, shrinking and growing in place, against a plain dictionary.
    @Test(arguments: [1, 2, 3] as [UInt64]) func aPageKeepsWhatItIsTold(_ seed: UInt64) {
        var random = RandomRows(seed: seed)
        let page = RowPage(writable: source, capacity: 20)
        let rows = (0..<20).map { page.appendRow(key: Int64($0)) }
        let fields = source.entity.layout.fields
        var expected = rows.map { _ in fields.map { _ in StoredValue.null } }
        for step in 0..<5_000 {
            let (row, position) = (
                Int.random(in: 0..<20, using: &random.generator),
                Int.random(in: fields.indices, using: &random.generator)
            )
            let value = random.generator.oneIn(5) ? .null : random.value(fields[position].type)
            page.setValue(value, of: fields[position], of: rows[row])
            expected[row][position] = value
            if step % 100 == 0 { page._checkInvariants() }
        }
        for (row, values) in zip(rows, expected) {
            #expect(fields.map { page.value(of: $0, of: row) } == values)
        }
    }

    /// Up to 15 bytes lie in the row, more of them in the arena: from each length to each other one, and back to
    /// nothing.
    @Test func textsOfAllLengthsTakeEachOthersPlace() throws {
        let page = RowPage(writable: source, capacity: 2)
        let (row, neighbour) = (page.appendRow(key: 1), page.appendRow(key: 2))
        let (text, bytes) = (try field("text"), try field("bytes"))
        page.setValue(.string("the neighbour's"), of: text, of: neighbour)
        for first in 0...33 {
            for second in 0...33 {
                let values = [first, second].map { StoredValue.string(String(repeating: "\($0 % 10)", count: $0)) }
                page.setValue(.binaryData(Data(repeating: 7, count: second)), of: bytes, of: row)
                for value in values {
                    page.setValue(value, of: text, of: row)
                    #expect(page.value(of: text, of: row) == value)
                }
                #expect(page.value(of: bytes, of: row) == .binaryData(Data(repeating: 7, count: second)))
                if second % 5 == 0 { page.setValue(.null, of: text, of: row) }
                page._checkInvariants()
            }
        }
        #expect(page.value(of: text, of: neighbour) == .string("the neighbour's"))
    }

    /// The value of a bool is a bit beside the one that says whether it is there; forty of them take three words.
    @Test func boolsAreBitsOfTheirOwn() throws {
        let entity = EntityDescription(
            name: "Switches",
            attributes: (0..<40).map { AttributeDescription("s\($0)", .boolean, isOptional: true) })
        let page = RowPage(
            writable: ObjectIDSource(
                storeIdentifier: UUID(), model: try ManagedObjectModel(entities: [entity]), entityIndex: 0),
            capacity: 1)
        let row = page.appendRow(key: 5)
        let fields = page.layout.fields
        var expected = [StoredValue](repeating: .null, count: 40)
        var random = SeededGenerator(seed: 4)
        for _ in 0..<2_000 {
            let position = Int.random(in: 0..<40, using: &random)
            expected[position] = [.null, .boolean(true), .boolean(false)].randomElement(using: &random)!
            page.setValue(expected[position], of: fields[position], of: row)
            #expect(fields.map { page.value(of: $0, of: row) } == expected)
        }
        #expect(row.key == 5 && row.version == 0 && RowPage.page(of: row).takeUnretainedValue() === page)
    }

    @Test func everyRowLeadsToItsPage() {
        let (growing, writable) = (RowPage(source), RowPage(writable: source, capacity: 5_000))
        let new = RowPage(writable: source, capacity: 5_000, isForNewObjects: true)
        for page in [growing, writable, new] {
            var key: Int64 = 0
            while !page.isFull {
                _ = page.appendRow(key: key)
                key += 1
            }
            page.trim()
            page._checkInvariants()
            #expect(page.count == page.rowsMax)
            #expect((0..<page.count).allSatisfy { RowPage.page(of: page.row($0)).takeUnretainedValue() === page })
        }
    }

    /// Enough rewriting that the arena is compacted many times.
    @Test func rewritingLargeValuesKeepsTheOthers() throws {
        let page = RowPage(writable: source, capacity: 4)
        let rows = (0..<4).map { page.appendRow(key: Int64($0)) }
        let (bytes, text) = (try field("bytes"), try field("text"))
        for (index, row) in rows.enumerated() { page.setValue(.string("kept \(index)"), of: text, of: row) }
        for round in 1..<200 {
            let size = (round * 7_919) % 60_000
            page.setValue(.binaryData(Data(repeating: UInt8(round), count: size)), of: bytes, of: rows[round % 4])
            #expect(
                page.value(of: bytes, of: rows[round % 4]) == .binaryData(Data(repeating: UInt8(round), count: size)))
            page._checkInvariants()
        }
        for (index, row) in rows.enumerated() { #expect(page.value(of: text, of: row) == .string("kept \(index)")) }
    }

    @Test func rowsAreCopiedWithinAPageAndBetweenPages() throws {
        var random = RandomRows(seed: 9)
        let page = RowPage(writable: source, capacity: 40)
        let fields = source.entity.layout.fields
        let original = page.appendRow(key: 1)
        for field in fields { page.setValue(random.value(field.type), of: field, of: original) }
        original.version = 12
        let other = RowPage(source)
        for target in [page, other] {
            for key in 2..<30 as Range<Int64> {
                let copy = target.appendRow(key: key)
                target.copyRow(RowReference(original), to: copy)
                #expect(copy.key == key && copy.version == 12)
                let (left, right) = (RowReference(original), RowReference(copy))
                #expect(RowPage.differences(left, right, source.entity.layout) == 0)
            }
            target._checkInvariants()
        }
    }

    @Test func differencesAreABitEach() throws {
        let page = RowPage(writable: source, capacity: 2)
        let (left, right) = (page.appendRow(key: 1), page.appendRow(key: 2))
        page.setValue(.double(0), of: try field("real"), of: left)
        page.setValue(.double(-0.0), of: try field("real"), of: right)
        page.setValue(.string(""), of: try field("text"), of: left)
        let mask = RowPage.differences(RowReference(left), RowReference(right), source.entity.layout)
        let expected = try ["real", "text"].reduce(0 as UInt64) { mask, name in
            mask | 1 << UInt64(try source.entity.position(of: name))
        }
        #expect(mask == expected)
    }

    @Test func anOriginIsKeptAliveUntilItIsForgotten() {
        let writable = RowPage(writable: source, capacity: 1)
        let row = writable.appendRow(key: 1)
        weak var origin: RowPage?
        do {
            let page = RowPage(source)
            origin = page
            writable.setOrigin(RowReference(page.appendRow(key: 1)), of: row)
        }
        writable._checkInvariants()
        #expect(origin != nil && writable.origin(of: row)?.row.key == 1)
        writable.setOrigin(nil, of: row)
        #expect(origin == nil && writable.origin(of: row) == nil)
    }

    /// They are as small as rows that were read; a row on another page can replace one of them.
    @Test func rowsOfNewObjectsReplaceNone() throws {
        let new = RowPage(writable: source, capacity: 2, isForNewObjects: true)
        let rows = [new.appendNewRow(key: -1), new.appendNewRow(key: -2)]
        #expect(new.stride == source.entity.layout.stride)
        let text = try field("text")
        for (index, row) in rows.enumerated() { new.setValue(.string("new \(index)"), of: text, of: row) }
        let writable = RowPage(writable: source, capacity: 1)
        let row = writable.appendHeir(of: RowReference(rows[1]))
        writable.setOrigin(RowReference(rows[1]), of: row)
        for page in [new, writable] { page._checkInvariants() }
        #expect(new.isFull && rows.allSatisfy { new.origin(of: $0) == nil })
        #expect(writable.value(of: text, of: row) == .string("new 1"))
        #expect(writable.origin(of: row)?.value(text) == .string("new 1"))
    }

    @Test func manyAttributesHaveTheirOwnNullBits() throws {
        let names = (0..<100).map { "a\($0)" }
        let entity = EntityDescription(
            name: "Wide", attributes: names.map { AttributeDescription($0, .integer64, isOptional: true) })
        let coordinator = PersistentStoreCoordinator(managedObjectModel: try ManagedObjectModel(entities: [entity]))
        let directory = try TemporaryDirectory()
        try coordinator.addPersistentStore(.sqlite, at: directory.file("wide.sqlite"))
        let context = ManagedObjectContext(coordinator: coordinator)
        let objects = try (0..<70).map { _ in
            try EntityDescription.insertNewObject(forEntityName: "Wide", into: context)
        }
        for index in [0, 31, 32, 63, 64, 99] { try objects[3].setValue(index, forKey: "a\(index)") }
        try context.save()
        for object in objects { try object.setValue(7, forKey: "a80") }
        try objects[5].setValue(8, forKey: "a90")
        try context.save()
        try context.refreshAllObjects()
        #expect(try objects[3].value(forKey: "a99") as? Int64 == 99)
        #expect(try objects[3].value(forKey: "a1") == nil)
        #expect(try objects.allSatisfy { try $0.value(forKey: "a80") as? Int64 == 7 })
        #expect(try objects[5].value(forKey: "a90") as? Int64 == 8 && objects[6].value(forKey: "a90") == nil)
    }
}

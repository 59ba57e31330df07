import Foundation
import TestSupport
import Testing

@testable import ManagedStore

/// Rows that point at the long values of the rows that they replace.
@Suite struct InheritedValueTests {
    private let source: ObjectIDSource
    private let lengths = [0, 15, 16, 17, 127, 200, 3_000]

    init() throws {
        source = ObjectIDSource(
            storeIdentifier: UUID(), model: try ManagedObjectModel(Everything.self), entityIndex: 0)
    }

    private func field(_ name: String) throws -> RowField {
        source.entity.layout.fields[try source.entity.position(of: name)]
    }

    private func text(_ count: Int, _ character: Character = "t") -> StoredValue {
        .string(String(repeating: character, count: count))
    }

    /// A read-only page with a row whose text has `count` bytes.
    private func page(textOf count: Int, blobOf size: Int = 0) throws -> RowPage {
        let page = RowPage(source)
        let row = page.appendRow(key: 1)
        page.setValue(text(count), of: try field("text"), of: row)
        page.setValue(.binaryData(Data(repeating: 1, count: size)), of: try field("bytes"), of: row)
        page.trim()
        return page
    }

    /// Appends an heir of the row, with the row as its origin.
    private func heir(of reference: RowReference, on page: RowPage) -> RowPointer {
        let row = page.appendHeir(of: reference)
        page.setOrigin(reference, of: row)
        return row
    }

    @Test func onlyLongValuesAreShared() throws {
        for count in lengths {
            let old = try page(textOf: count)
            let writable = RowPage(writable: source, capacity: 1)
            let row = heir(of: RowReference(old.row(0)), on: writable)
            let bytes = (
                old.bytes(of: try field("text"), of: old.row(0)), writable.bytes(of: try field("text"), of: row)
            )
            #expect((bytes.0.baseAddress == bytes.1.baseAddress) == (count >= RowPage.inheritedMin))
            #expect(writable.value(of: try field("text"), of: row) == text(count))
            #expect(writable.arena.count == (16..<RowPage.inheritedMin ~= count ? count : 0))
            writable._checkInvariants()
            writable.checkHomes(of: row)
        }
    }

    @Test func settingAValueLeavesTheOldRowAlone() throws {
        for count in lengths {
            let old = try page(textOf: 500, blobOf: 300)
            let writable = RowPage(writable: source, capacity: 1)
            let row = heir(of: RowReference(old.row(0)), on: writable)
            writable.setValue(text(count, "n"), of: try field("text"), of: row)
            #expect(writable.value(of: try field("text"), of: row) == text(count, "n"))
            #expect(writable.inheritedByteCount(of: row) == 300)
            writable._checkInvariants()
            writable.setValue(.null, of: try field("bytes"), of: row)
            #expect(writable.inheritedByteCount(of: row) == nil && writable.base(of: row) == nil)
            #expect(old.value(of: try field("text"), of: old.row(0)) == text(500))
            #expect(old.value(of: try field("bytes"), of: old.row(0)) == .binaryData(Data(repeating: 1, count: 300)))
            writable._checkInvariants()
            old._checkInvariants()
        }
    }

    /// A row takes over what the row that it replaces inherits; that one's own values may move, and are copied.
    @Test func anHeirOfAnHeirInheritsFromTheFirstRow() throws {
        let old = try page(textOf: 500, blobOf: 300)
        let writable = RowPage(writable: source, capacity: 2)
        let first = heir(of: RowReference(old.row(0)), on: writable)
        writable.setValue(text(400, "n"), of: try field("text"), of: first)
        let second = heir(of: RowReference(first), on: writable)
        #expect(writable.inheritedByteCount(of: second) == 300 && writable.arena.count == 800)
        #expect(writable.value(of: try field("text"), of: second) == text(400, "n"))
        #expect(writable.base(of: second)?.row == old.row(0))
        writable._checkInvariants()
        writable.checkHomes(of: second)
    }

    @Test func aRowThatItsObjectLeavesInheritsNothing() throws {
        let writable = RowPage(writable: source, capacity: 1)
        weak var home: RowPage?
        var row: RowPointer?
        do {
            let old = try page(textOf: 500)
            home = old
            row = heir(of: RowReference(old.row(0)), on: writable)
        }
        #expect(home != nil)
        writable.abandon(try #require(row))
        #expect(home == nil)
        writable._checkInvariants()
    }

    @Test func copyingInheritedValuesReleasesTheirHome() throws {
        let writable = RowPage(writable: source, capacity: 1)
        weak var home: RowPage?
        let row: RowPointer
        do {
            let old = try page(textOf: 500)
            home = old
            row = heir(of: RowReference(old.row(0)), on: writable)
            writable.copyInheritedValues(of: row)
        }
        #expect(home == nil && writable.inheritedByteCount(of: row) == nil)
        #expect(writable.value(of: try field("text"), of: row) == text(500))
        writable._checkInvariants()
    }

    /// A page stays for saved rows only if they use a quarter of its bytes.
    @Test(arguments: [1, 24, 25, 100]) func savedRowsKeepAPageThatTheyUse(_ count: Int) throws {
        let writable = RowPage(writable: source, capacity: 100)
        var snapshots: [RowSnapshot] = []
        weak var home: RowPage?
        do {
            let old = RowPage(source)
            home = old
            for key in 0..<100 { old.setValue(text(200), of: try field("text"), of: old.appendRow(key: Int64(key))) }
            old.trim()
            var copies = RowCopies(source)
            let rows = (0..<count).map { heir(of: RowReference(old.row($0)), on: writable) }
            snapshots = copies.copySaved(rows.map { RowReference($0) })
            for row in rows { writable.abandon(row) }
            for page in copies.pages { page._checkInvariants() }
        }
        #expect((home != nil) == (count >= 25))
        #expect(snapshots.allSatisfy { $0.values["text"] == text(200) })
        snapshots = []
        #expect(home == nil)
    }

    /// A page that inherits values is no home: what lies on it is copied, so that pages do not retain one another.
    @Test func aHomeHasNoHomes() throws {
        var snapshot: RowSnapshot?
        var pages: [WeakPage] = []
        do {
            let old = try page(textOf: 500, blobOf: 300)
            pages.append(WeakPage(page: old))
            snapshot = RowSnapshot(page: old, index: 0)
        }
        for round in 0..<100 {
            let writable = RowPage(writable: source, capacity: 1)
            let row = heir(of: try #require(snapshot).reference, on: writable)
            writable.setValue(text(400 + round, "n"), of: try field("text"), of: row)
            if round == 0 { writable.setValue(text(350, "o"), of: try field("optionalText"), of: row) }
            var copies = RowCopies(source)
            snapshot = copies.copySaved([RowReference(row)])[0]
            pages.append(WeakPage(page: copies.pages[0]))
            copies.pages[0]._checkInvariants()
            #expect(copies.pages[0].homes.map { $0 === pages[0].page } == [true])
        }
        #expect(pages.filter { $0.page != nil }.count == 2)
        #expect(snapshot?.values["text"] == text(499, "n"))
        #expect(snapshot?.values["optionalText"] == text(350, "o"))
        #expect(snapshot?.values["bytes"] == .binaryData(Data(repeating: 1, count: 300)))
    }

    /// Rewriting of inherited and own values, with enough garbage that the arena is compacted.
    @Test(arguments: [1, 2, 3] as [UInt64]) func heirsKeepWhatTheyAreTold(_ seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        let fields = try ["text", "optionalText", "bytes"].map(field)
        let old = RowPage(source)
        let writable = RowPage(writable: source, capacity: 20)
        func value(_ field: RowField) -> StoredValue {
            let count = random.pick(lengths) * 3
            let byte = UInt8.random(in: 97..<123, using: &random)
            if field.type == .binaryData { return .binaryData(Data(repeating: byte, count: count)) }
            return .string(String(repeating: Character(UnicodeScalar(byte)), count: count))
        }
        var expected = (0..<20).map { _ in fields.map(value) }
        for (key, values) in expected.enumerated() {
            let row = old.appendRow(key: Int64(key))
            for (field, value) in zip(fields, values) { old.setValue(value, of: field, of: row) }
        }
        old.trim()
        let originals = expected
        let rows = (0..<20).map { heir(of: RowReference(old.row($0)), on: writable) }
        for step in 0..<1_000 {
            let row = Int.random(in: 0..<20, using: &random)
            let position = Int.random(in: 0..<3, using: &random)
            expected[row][position] = random.oneIn(6) ? .null : value(fields[position])
            writable.setValue(expected[row][position], of: fields[position], of: rows[row])
            if step % 50 == 0 { writable._checkInvariants() }
        }
        for index in 0..<20 {
            #expect(fields.map { writable.value(of: $0, of: rows[index]) } == expected[index])
            #expect(fields.map { old.value(of: $0, of: old.row(index)) } == originals[index])
        }
    }

    private struct WeakPage {
        weak var page: RowPage?
    }
}

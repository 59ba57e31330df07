import Foundation
import ManagedStore
import Testing

/// Sorting strings without regard to case or diacritics.
@Suite struct SortOptionsTests {
    private static let both: FetchPredicate.StringOptions = [.caseInsensitive, .diacriticInsensitive]
    private static let texts: [String?] = ["b", "É", "a", "B", "nil", "e", "A", "", "ß", "ST", "E\u{301}a", "sr"]

    /// The texts in the wanted order: sorted by us, by SQLite for a limit, and in memory with everything unsaved.
    private func order(
        _ backend: Backend, _ way: Way, _ sort: [FetchSortDescriptor], _ texts: [String?] = texts
    ) throws -> [String] {
        let context = try TestStore(backend).context()
        for (number, text) in texts.enumerated() {
            Everything("", Int64(number), in: context).optionalText = text == "nil" ? nil : text
        }
        if way != .unsaved { try context.save() }
        var request = FetchRequest(Everything.self)
        request.sortDescriptors = sort
        if way == .limited { request.fetchLimit = 10_000 }
        return try context.fetch(request).map { $0.optionalText ?? "nil" }
    }

    enum Way: CaseIterable {
        case whole
        case limited
        case unsaved
    }

    @Test(arguments: Backend.all, Way.allCases) func caseIsIgnored(_ backend: Backend, _ way: Way) throws {
        let sort = FetchSortDescriptor(key: "optionalText", options: .caseInsensitive)
        let sorted = ["nil", "", "a", "A", "b", "B", "e", "E\u{301}a", "sr", "ß", "ST", "É"]
        #expect(try order(backend, way, [sort]) == sorted)
    }

    @Test(arguments: Backend.all, Way.allCases) func bothAreIgnored(_ backend: Backend, _ way: Way) throws {
        let sort = FetchSortDescriptor(key: "optionalText", ascending: false, options: Self.both)
        let sorted = ["ST", "ß", "sr", "E\u{301}a", "É", "e", "b", "B", "a", "A", "", "nil"]
        #expect(try order(backend, way, [sort]) == sorted)
    }

    @Test(arguments: Backend.all, Way.allCases) func laterKeysSettleWhatIsIgnored(
        _ backend: Backend, _ way: Way
    ) throws {
        let sort = [
            FetchSortDescriptor(key: "optionalText", options: Self.both), FetchSortDescriptor(key: "optionalText"),
        ]
        #expect(try order(backend, way, sort, ["é", "E", "e", "É", "a", "A"]) == ["A", "a", "E", "e", "É", "é"])
    }

    @Test(arguments: Backend.all, Way.allCases) func longStringsWithALongBeginningInCommon(
        _ backend: Backend, _ way: Way
    ) throws {
        let texts = (0..<4_500).map { "Größenordnung \($0 * 7_919 % 4_500)" }
        let sort = FetchSortDescriptor(key: "optionalText", options: Self.both)
        let expected = texts.sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }
        #expect(try order(backend, way, [sort], texts) == expected)
    }

    @Test(arguments: Backend.all) func sectionsHoldWhatTheOrderHoldsEqual(_ backend: Backend) throws {
        let context = try TestStore(backend).context()
        for text in ["b", "A", "a", "B", "á"] { Everything("", in: context).optionalText = text }
        try context.save()
        var request = FetchRequest(Everything.self)
        request.sortDescriptors = [FetchSortDescriptor(key: "optionalText", options: Self.both)]
        let controller = FetchedResultsController(
            fetchRequest: request, managedObjectContext: context, sectionNameKeyPath: "optionalText")
        try controller.performFetch()
        let sections = try #require(controller.sections)
        #expect(sections.map(\.name) == ["A", "b"])
        #expect(sections.map { $0.objects.map(\.optionalText) } == [["A", "a", "á"], ["b", "B"]])
    }

    @Test func optionsAreForStrings() throws {
        let sort = FetchSortDescriptor(key: "number", options: .caseInsensitive)
        expectError(.wrongType) { try order(.inMemory, .whole, [sort]) }
        #expect(sort.description == "(number, ascending, [c])")
    }

    @Test func theLexicalComparatorIsTheOrderOfBytes() throws {
        let sort = FetchSortDescriptor(SortDescriptor(\Everything.text, comparator: .lexical, order: .reverse))
        let context = try TestStore(.inMemory).context()
        for text in ["b", "A", "a"] { Everything(text, in: context) }
        var request = FetchRequest(Everything.self)
        request.sortDescriptors = [sort]
        #expect(try context.fetch(request).map(\.text) == ["b", "a", "A"])
    }
}

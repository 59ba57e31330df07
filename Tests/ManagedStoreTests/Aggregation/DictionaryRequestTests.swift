import Foundation
import ManagedStore
import Testing

/// What is wrong with requests for dictionaries, and reading their results.
@Suite struct DictionaryRequestTests {
    private func expectRefused(
        _ code: StoreError.Code, _ properties: [FetchExpression], groupBy groups: [String] = [],
        having: FetchPredicate? = nil, sort key: String? = nil, distinct: Bool = false, naming word: String = "",
        sourceLocation: SourceLocation = #_sourceLocation
    ) throws {
        var request = FetchRequest(Everything.self)
        (request.propertiesToFetch, request.propertiesToGroupBy) = (properties, groups)
        (request.havingPredicate, request.returnsDistinctResults) = (having, distinct)
        request.sortDescriptors = key.map { [FetchSortDescriptor(key: $0)] } ?? []
        for backend in Backend.allCases {
            let context = try TestStore(backend).context()
            let error = expectError(code, sourceLocation: sourceLocation) { try context.fetchDictionaries(request) }
            #expect(word.isEmpty || error?.message.contains(word) == true, sourceLocation: sourceLocation)
        }
    }

    @Test func unknownNamesAreRefused() throws {
        try expectRefused(.unknownKey, ["nothing"], naming: "nothing")
        try expectRefused(.unknownKey, [.sum("nothing", as: "sum")], naming: "nothing")
        try expectRefused(.unknownKey, ["text"], groupBy: ["nothing"], naming: "nothing")
        try expectRefused(.unknownKey, ["text"], sort: "nothing", naming: "nothing")
        try expectRefused(.unknownKey, ["text"], groupBy: ["text"], having: .isNil("nothing"), naming: "nothing")
    }

    @Test func functionsOfTheWrongTypeAreRefused() throws {
        try expectRefused(.wrongType, [.sum("text", as: "sum")], naming: "sum")
        try expectRefused(.wrongType, [.average("moment", as: "mean")], naming: "average")
        try expectRefused(.wrongType, [.sum("flag", as: "sum")], naming: "flag")
        try expectRefused(.wrongType, [.average("identifier", as: "mean")])
    }

    @Test func groupsThatMakeNoSenseAreRefused() throws {
        try expectRefused(.invalidRequest, ["text", .count()], naming: "text")
        try expectRefused(.invalidRequest, ["text", "number"], groupBy: ["text"], naming: "number")
        try expectRefused(.invalidRequest, [.objectID(), .count()], naming: "objectID")
        try expectRefused(.invalidRequest, [], groupBy: ["text"], naming: "propertiesToFetch")
        try expectRefused(.invalidRequest, [.count(as: "count")], groupBy: ["count"], naming: "count")
        try expectRefused(.invalidRequest, ["text", "text"], naming: "twice")
    }

    @Test func conditionsOnGroupsThatMakeNoSenseAreRefused() throws {
        let many = FetchPredicate.compare("count", .greater, 1)
        try expectRefused(.invalidRequest, [.count(as: "count")], having: many, naming: "havingPredicate")
        try expectRefused(
            .invalidRequest, [.count(as: "count")], groupBy: ["text"], having: .isNil("number"), naming: "number")
        try expectRefused(
            .wrongType, [.count(as: "count")], groupBy: ["text"], having: .compare("count", .equal, "many"))
    }

    @Test func ordersThatMakeNoSenseAreRefused() throws {
        try expectRefused(.invalidRequest, [.count(as: "count")], groupBy: ["text"], sort: "number", naming: "number")
        try expectRefused(.invalidRequest, ["text"], sort: "number", distinct: true, naming: "number")
    }

    @Test func negativeLimitsAreRefused() throws {
        var request = FetchRequest(Everything.self)
        request.fetchLimit = -1
        expectError(.invalidRequest) { try TestStore(.inMemory).context().fetchDictionaries(request) }
    }

    @Test func valuesAreReadAsSwiftTypes() throws {
        let context = try TestStore(.inMemory).context()
        let object = Everything("text", 7, in: context)
        object.real = 1.5
        try context.save()
        let record = try #require(try context.fetchDictionaries(FetchRequest(Everything.self)).first)
        #expect(try record.value("number", as: Int.self) == 7)
        #expect(try record.value("number", as: Double.self) == 7)
        #expect(try record.value(Everything.text) == "text")
        #expect(try record.value(Everything.optionalText) == nil)
        #expect(try record.value("optionalNumber", as: Int?.self) == nil)
        #expect(try record.value("real", as: Double?.self) == 1.5)
        #expect(try record.value(Everything.link) == URL(string: "https://example.com/a"))
        expectError(.unknownKey) { try record.value("nothing", as: Int.self) }
        expectError(.wrongType) { try record.value("text", as: Int.self) }
        expectError(.wrongType) { try record.value("optionalNumber", as: Int.self) }
        expectError(.wrongType) { try record.objectID("text") }
    }

    @Test(arguments: Backend.allCases) func idsOfObjectsAndOfThoseTheyReferTo(_ backend: Backend) throws {
        let context = try TestStore(backend, model: try Library.model()).context()
        let (ada, eva) = (Author(context: context), Author(context: context))
        (ada.name, eva.name) = ("Ada", "Eva")
        let books = ["one", "two", "three"].map { title in
            let book = Book(context: context)
            book.title = title
            return book
        }
        (books[0].author, books[1].author) = (ada, ada)
        try context.save()
        var request = FetchRequest(Book.self, sortBy: [SortDescriptor(\.title)])
        request.propertiesToFetch = [.objectID(), "title", .property("author", as: "by")]
        let records = try context.fetchDictionaries(request)
        #expect(try records.map { try $0.objectID() } == [books[0], books[2], books[1]].map(\.objectID))
        #expect(try records.map { try $0.objectID("by") } == [ada.objectID, nil, ada.objectID])
        request.propertiesToFetch = ["author", .count(as: "books")]
        request.propertiesToGroupBy = ["author"]
        request.sortDescriptors = []
        let groups = try context.fetchDictionaries(request)
        #expect(
            groups == [
                ["author": .null, "books": .integer64(1)], ["author": .objectID(ada.objectID), "books": .integer64(2)],
            ])
    }

    @Test(arguments: Backend.allCases) func subentitiesCountUnlessTheyShouldNot(_ backend: Backend) throws {
        let context = try TestStore(backend, model: try Figures.model()).context()
        let (circle, ring, square) = try Figures.insert(into: context)
        var request = FetchRequest(Figure.self, sortBy: [SortDescriptor(\.order)])
        request.propertiesToFetch = [.objectID(), "name"]
        #expect(
            try context.fetchDictionaries(request).map { try $0.objectID() } == [circle, ring, square].map(\.objectID))
        var circles = FetchRequest(Circle.self)
        circles.propertiesToFetch = [.count(as: "count"), .sum("radius", as: "sum"), .max("size", as: "max")]
        #expect(
            try context.fetchDictionaries(circles) == [
                ["count": .integer64(2), "sum": .double(2), "max": .string("small")]
            ])
        circles.includesSubentities = false
        #expect(
            try context.fetchDictionaries(circles) == [
                ["count": .integer64(1), "sum": .double(1), "max": .string("large")]
            ])
    }

    @Test(arguments: Backend.allCases) func groupsByARelationshipToSubentities(_ backend: Backend) throws {
        let place = VersionedFile.entity(
            "Place", relationships: [RelationshipDescription("visits", to: "Visit", inverse: "place", isToMany: true)])
        let shop = VersionedFile.entity("Shop", superentity: place)
        let visit = VersionedFile.entity(
            "Visit", relationships: [RelationshipDescription("place", to: "Place", inverse: "visits")])
        let context = try TestStore(backend, model: ManagedObjectModel(entities: [place, shop, visit])).context()
        let places = [try context.insert("Place", "a"), try context.insert("Shop", "b")]
        for number in 0..<3 { try context.insert("Visit", "\(number)").setValue(places[number % 2], forKey: "place") }
        try context.save()
        var request = FetchRequest<ManagedObject>(entityName: "Visit")
        request.resultType = .dictionary
        request.propertiesToFetch = ["place", .count(as: "count")]
        request.propertiesToGroupBy = ["place"]
        let found = try context.fetchDictionaries(request)
        #expect(
            Set(found) == [
                ["place": .objectID(places[0].objectID), "count": .integer64(2)],
                ["place": .objectID(places[1].objectID), "count": .integer64(1)],
            ])
    }
}

import Foundation
import TestSupport
import Testing

@testable import ManagedStore

@Suite struct InheritanceTests {
    private func names(_ shapes: [some Figure]) -> [String] { shapes.map(\.name) }

    private func request<Object: Figure>(_ type: Object.Type) -> FetchRequest<Object> {
        FetchRequest(type, sortBy: [SortDescriptor(\.order)])
    }

    @Test(arguments: Backend.strictCases) func aFetchFindsSubentitiesAsTheirOwnClasses(_ backend: Backend) throws {
        let store = try TestStore(backend, model: try Figures.model())
        try Figures.insert(into: store.context())
        let shapes = try store.context().fetch(request(Figure.self))
        #expect(names(shapes) == ["circle", "ring", "square"])
        #expect(shapes.map { "\(type(of: $0))" } == ["Circle", "Ring", "Square"])
        #expect((shapes[0] as? Circle)?.size == "large")
        #expect((shapes[1] as? Ring)?.inner == 0.5)
        #expect((shapes[1] as? Ring)?.size == "small")
        #expect((shapes[2] as? Square)?.size == 4)
        #expect((shapes[2] as? Square)?.side == 2)
        #expect(names(try store.context().fetch(request(Circle.self))) == ["circle", "ring"])
    }

    @Test(arguments: Backend.strictCases) func subentitiesCanBeLeftOut(_ backend: Backend) throws {
        let store = try TestStore(backend, model: try Figures.model())
        try Figures.insert(into: store.context())
        let context = store.context()
        var circles = request(Circle.self)
        circles.includesSubentities = false
        #expect(names(try context.fetch(circles)) == ["circle"])
        #expect(try context.count(for: circles) == 1)
        #expect(try context.fetchObjectIDs(circles).map(\.entity.name) == ["Circle"])
        var shapes = request(Figure.self)
        shapes.includesSubentities = false
        #expect(try context.fetch(shapes).isEmpty)
    }

    @Test(arguments: Backend.strictCases) func idsNameTheEntityOfEachObject(_ backend: Backend) throws {
        let store = try TestStore(backend, model: try Figures.model())
        try Figures.insert(into: store.context())
        let context = store.context()
        let ids = try context.fetchObjectIDs(request(Figure.self))
        #expect(ids.map(\.entity.name) == ["Circle", "Ring", "Square"])
        #expect(Set(ids.map(\.key)).count == 3, "keys are unique within a hierarchy")
        let ring = try #require(store.coordinator.managedObjectID(forURIRepresentation: ids[1].uriRepresentation()))
        #expect((try context.existingObject(with: ring) as? Ring)?.name == "ring")
        let found = try context.fetch(FetchRequest(Figure.self, predicate: .objectID(in: [ids[0], ids[2]])))
        #expect(Set(names(found)) == ["circle", "square"])
    }

    @Test(arguments: Backend.strictCases) func permanentIDsAscendInTheOrderOfTheObjects(_ backend: Backend) throws {
        let store = try TestStore(backend, model: try Figures.model())
        let context = store.context()
        let figures: [Figure] = [
            Square(context: context), Circle(context: context), Ring(context: context), Square(context: context),
        ]
        for (figure, name) in zip(figures, ["d", "c", "b", "a"]) { figure.name = name }
        try context.obtainPermanentIDs(for: figures)
        let keys = figures.map(\.objectID.key)
        #expect(keys == (0..<4).map { keys[0] + $0 })
        try context.save()
        #expect(figures.map(\.objectID.key) == keys)
        #expect(names(try store.context().fetch(FetchRequest(Figure.self))) == ["d", "c", "b", "a"])
    }

    @Test(arguments: Backend.strictCases) func anIDOfTheWrongEntityIsOfNoObject(_ backend: Backend) throws {
        let store = try TestStore(backend, model: try Figures.model())
        let (circle, _, square) = try Figures.insert(into: store.context())
        let wrong = ManagedObjectID(source: square.objectID.source, key: circle.objectID.key)
        #expect(throws: StoreError.self) { try store.context().existingObject(with: wrong) }
    }

    @Test(arguments: Backend.strictCases) func conditionsAndOrdersUseInheritedAttributes(_ backend: Backend) throws {
        let store = try TestStore(backend, model: try Figures.model())
        try Figures.insert(into: store.context())
        let context = store.context()
        let small = FetchPredicate(#Predicate<Circle> { $0.size == "small" && $0.name.starts(with: "r") })
        #expect(names(try context.fetch(FetchRequest(Circle.self, predicate: small))) == ["ring"])
        let byName = FetchRequest(Figure.self, sortBy: [SortDescriptor(\.name, order: .reverse)])
        #expect(names(try context.fetch(byName)) == ["square", "ring", "circle"])
        var second = byName
        (second.fetchLimit, second.fetchOffset) = (1, 1)
        #expect(names(try context.fetch(second)) == ["ring"])
        let equal = FetchRequest(Figure.self, sortBy: [SortDescriptor(\.order)], predicate: .compare("order", .less, 9))
        for shape in try context.fetch(equal) { shape.order = 7 }
        try context.save()
        #expect(names(try store.context().fetch(equal)) == ["circle", "ring", "square"], "ties go by key")
    }

    /// `\Ring.name` is not `\Figure.name`, nor is what is only made of an attribute.
    @Test func anInheritedPropertyIsFoundByReadingIt() throws {
        #expect(try Ring.attributeName(of: \Ring.name).get() == "name")
        #expect(try Ring.attributeName(of: \Ring.size).get() == "size")
        #expect(try Ring.attributeName(of: \Ring.inner).get() == "inner")
        #expect(throws: StoreError.self) { try Ring.attributeName(of: \Ring.shouted).get() }
        #expect(throws: StoreError.self) { try Ring.attributeName(of: \Ring.described).get() }
        #expect(throws: StoreError.self) { try Ring.attributeName(of: \Ring.isInserted).get() }
    }

    @Test(arguments: Backend.strictCases) func unsavedChangesOfSubentitiesCount(_ backend: Backend) throws {
        let store = try TestStore(backend, model: try Figures.model())
        let context = store.context()
        let (circle, ring, _) = try Figures.insert(into: context)
        let square = Square(context: context)
        (square.name, square.order) = ("new", -1)
        ring.order = 10
        context.delete(circle)
        #expect(names(try context.fetch(request(Figure.self))) == ["new", "square", "ring"])
        #expect(try context.count(for: request(Circle.self)) == 1)
    }

    @Test(arguments: Backend.strictCases) func subentitiesAreChangedDeletedAndSaved(_ backend: Backend) throws {
        let store = try TestStore(backend, model: try Figures.model())
        let context = store.context()
        let (circle, ring, square) = try Figures.insert(into: context)
        circle.radius = 9
        ring.inner = 8
        context.delete(square)
        try context.save()
        let shapes = try store.context().fetch(request(Figure.self))
        #expect(shapes.compactMap { ($0 as? Circle)?.radius } == [9, 1])
        #expect(shapes.compactMap { ($0 as? Ring)?.inner } == [8])
        #expect(shapes.count == 2)
    }

    @Test(arguments: Backend.strictCases) func inheritedAttributesAreValidated(_ backend: Backend) throws {
        let store = try TestStore(backend, model: try Figures.model())
        let context = store.context()
        let ring = Ring(context: context)
        ring.radius = -1
        let error = #expect(throws: StoreError.self) { try context.save() }
        #expect(
            Set((error?.detailedErrors ?? []).map(\.code)) == [
                .validationMissingMandatoryProperty, .validationNumberTooSmall,
            ])
    }

    @Test(arguments: Backend.strictCases) func batchRequestsReachSubentities(_ backend: Backend) throws {
        let store = try TestStore(backend, model: try Figures.model())
        let context = store.context()
        try Figures.insert(into: context)
        var update = BatchUpdateRequest(Circle.self, set: ["radius": .attribute("radius") + 2.0])
        update.resultType = .updatedObjectIDs
        guard case .updatedObjectIDs(let ids) = try context.execute(update) else { return }
        #expect(ids.map(\.entity.name) == ["Circle", "Ring"])
        update.includesSubentities = false
        update.resultType = .updatedObjectsCount
        guard case .updatedObjectsCount(let count) = try context.execute(update) else { return }
        #expect(count == 1)
        let fresh = store.context()
        #expect(try fresh.fetch(request(Circle.self)).map(\.radius) == [5, 3])
        var delete = BatchDeleteRequest(fetchRequest: request(Circle.self))
        delete.resultType = .objectIDs
        guard case .objectIDs(let deleted) = try fresh.execute(delete) else { return }
        #expect(deleted == ids)
        #expect(names(try store.context().fetch(request(Figure.self))) == ["square"])
    }

    @Test(.timeLimit(.minutes(15))) func anAsynchronousFetchFindsSubentities() async throws {
        let store = try TestStore(.sqlite, model: try Figures.model())
        let context = store.context(.privateQueue)
        try await context.perform { _ = try Figures.insert(into: context) }
        let names = try await context.fetch(request(Figure.self)) { $0.map(\.name) }
        #expect(names == ["circle", "ring", "square"])
    }

    @Test func abstractEntitiesHaveNoObjects() throws {
        let store = try TestStore(.inMemory, model: try Figures.model())
        let error = #expect(throws: StoreError.self) {
            try EntityDescription.insertNewObject(forEntityName: "Figure", into: store.context())
        }
        #expect(error?.code == .invalidRequest)
        #expect(error?.message.contains("Circle") == true)
    }

    @Test func subentitiesWithoutAClassUseTheirSuperentitys() throws {
        let shape = EntityDescription(Figure.self)
        let blob = EntityDescription(
            name: "Blob", attributes: [AttributeDescription("area", .double, isOptional: true)], superentity: shape)
        let store = try TestStore(.sqlite, model: try ManagedObjectModel(entities: [blob, shape]))
        let context = store.context()
        let object = try EntityDescription.insertNewObject(forEntityName: "Blob", into: context)
        (object as? Figure)?.name = "blob"
        try object.setValue(2.5, forKey: "area")
        try context.save()
        let found = try #require(try store.context().fetch(FetchRequest(Figure.self)).first)
        #expect(found.name == "blob")
        #expect(try found.value(forKey: "area") as? Double == 2.5)
    }

    @Test func aSuperentityMustBeInTheModel() throws {
        let shape = EntityDescription(Figure.self)
        let circle = EntityDescription(Circle.self, superentity: shape)
        let error = #expect(throws: StoreError.self) { try ManagedObjectModel(entities: [circle]) }
        #expect(error?.code == .invalidModel)
        let square = EntityDescription(Square.self, superentity: circle)
        #expect(throws: StoreError.self) { try ManagedObjectModel(entities: [shape, circle, square]) }
    }

    /// Core Data's numbering: alphabetical, those that inherit right after what they inherit from; one table with all
    /// columns.
    @Test func aHierarchyHasOneTable() throws {
        let store = try TestStore(.sqlite, model: try Figures.model())
        try Figures.insert(into: store.context())
        let database = try store.database()
        #expect(
            try database.lines("SELECT Z_ENT, Z_NAME, Z_SUPER, Z_MAX FROM Z_PRIMARYKEY") == [
                "1|Figure|0|3", "2|Circle|1|0", "3|Ring|2|0", "4|Square|1|0",
            ])
        #expect(
            try database.lines("SELECT Z_PK, Z_ENT, Z_OPT, ZNAME, ZRADIUS, ZSIZE, ZINNER, ZSIDE, ZSIZE1 FROM ZFIGURE")
                == [
                    "1|2|1|circle|1.0|large|||", "2|3|1|ring|1.0|small|0.5||", "3|4|1|square||||2|4",
                ])
    }

    @Test func rowsOfEntitiesThatTheModelLacksAreLeftAlone() throws {
        let store = try TestStore(.sqlite, model: try Figures.model())
        try Figures.insert(into: store.context())
        try store.database().execute("INSERT INTO ZFIGURE (Z_PK, Z_ENT, Z_OPT, ZNAME) VALUES (9, 77, 1, 'x')")
        #expect(try store.context().fetch(request(Figure.self)).count == 3)
    }

    @Test(arguments: [1, 2, 3] as [UInt64]) func rowsOfSubentitiesKeepEveryValue(_ seed: UInt64) throws {
        var random = RandomRows(seed: seed)
        let base = EntityDescription(
            name: "Base",
            attributes: (0..<40).map {
                AttributeDescription(
                    "a\($0)", random.generator.pick(AttributeType.allCases.dropLast()), isOptional: true)
            })
        let sub = EntityDescription(
            name: "Sub",
            attributes: (0..<40).map {
                AttributeDescription(
                    "b\($0)", random.generator.pick(AttributeType.allCases.dropLast()), isOptional: true)
            },
            superentity: base)
        let model = try ManagedObjectModel(entities: [base, sub])
        let store = try TestStore(.sqlite, model: model)
        let context = store.context()
        var expected: [(ManagedObject, [String: StoredValue])] = []
        for index in 0..<60 {
            let object = try EntityDescription.insertNewObject(
                forEntityName: index % 3 == 0 ? "Base" : "Sub", into: context)
            var values: [String: StoredValue] = [:]
            for attribute in object.entity.attributes {
                let value = random.value(attribute.attributeType)
                try object.setValue(value, forKey: attribute.name)
                values[attribute.name] = value
            }
            expected.append((object, values))
        }
        try context.save()
        let fresh = store.context()
        let all = try fresh.fetch(FetchRequest(entityName: "Base"))
        #expect(all.count == 60)
        for (object, values) in expected {
            let found = try #require(fresh.registeredObject(for: object.objectID))
            for (key, value) in values { #expect(try found.storedValue(forKey: key) == value, "\(key)") }
        }
        // Registration is weak, and an optimised build lets go of what is not used any more.
        withExtendedLifetime(all) {}
    }
}

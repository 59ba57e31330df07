import Foundation
import ManagedStore
import TestSupport

/// Everything that reads.
extension StoreUse {
    var reading: [Step] {
        [
            (
                "metadata",
                { context throws(StoreError) in
                    _ = "\(context.persistentStoreCoordinator.metadata)"
                    _ = context.persistentStoreCoordinator.storeIdentifier
                }
            ),
            ("fetch all, sorted", fetchAllSorted), ("follow every relationship", followAll),
            ("read by key", readByKey), ("fetch in batches", fetchInBatches), ("count", count), ("filter", filter),
            ("find by URI", findByURI), ("dictionaries", dictionaries), ("aggregates", aggregates),
        ]
    }

    func entities(_ context: ManagedObjectContext) -> [EntityDescription] {
        context.persistentStoreCoordinator.managedObjectModel.entities.sorted { $0.name < $1.name }
    }

    /// All objects of an entity, by name.
    func objects(_ entity: String, _ context: ManagedObjectContext) throws(StoreError) -> [ManagedObject] {
        try context.fetch(FetchRequest(entityName: entity))
    }

    private func fetchAllSorted(_ context: ManagedObjectContext) throws(StoreError) {
        for entity in entities(context) {
            for attribute in entity.attributes where random.oneIn(3) {
                let sort = FetchSortDescriptor(
                    key: attribute.name, ascending: random.oneIn(2),
                    options: attribute.attributeType == .string ? [.caseInsensitive] : [])
                try check(context.fetch(FetchRequest(entityName: entity.name, sortDescriptors: [sort])), entity)
            }
        }
        let sorts = [FetchSortDescriptor(key: "boss.name"), FetchSortDescriptor(key: "name", ascending: false)]
        _ = try context.fetch(FetchRequest(entityName: "Holder", sortDescriptors: sorts))
    }

    /// What was fetched is of the entity that was asked for, and of its class: that is not checked where the objects
    /// are used.
    private func check(_ objects: [ManagedObject], _ entity: EntityDescription) {
        for object in objects {
            expect(object.entity.isKindOf(entity: entity), "\(object) among objects of \(entity.name)")
            expect(type(of: object as AnyObject) == object.entity.managedObjectClass, "\(object) is of a wrong class")
            (object as? Asset)?.readAttributes()
        }
    }

    private func followAll(_ context: ManagedObjectContext) throws(StoreError) {
        guard context.persistentStoreCoordinator.isTyped else { return }
        for holder in try context.fetch(FetchRequest(Holder.self)) {
            holder.read(Holder.name, Holder.number)
            for asset in holder.assets { asset.readAttributes() }
            if let favourite = holder.favourite {
                expect(favourite.entity.name == "Atlas", "a favourite is \(favourite)")
                favourite.readAttributes()
                for admirer in favourite.admirers { admirer.read(Holder.name) }
            }
            for other in [holder.boss, holder.deputy, holder.principal].compactMap({ $0 }) + holder.staff
                + holder.friends
            {
                expect(other.entity.name == "Holder", "a holder is \(other)")
                other.read(Holder.name)
            }
            if let pin = holder.pin { pin.read(Tag.name) }
        }
        for asset in try context.fetch(FetchRequest(Asset.self)) {
            for tag in asset.tags { tag.read(Tag.name) }
            asset.holder?.read(Holder.name)
            if let book = asset as? Book { book.cover?.read(Cover.colour) }
        }
        for tag in try context.fetch(FetchRequest(Tag.self)) {
            for asset in tag.assets { asset.readAttributes() }
        }
        for cover in try context.fetch(FetchRequest(Cover.self)) {
            if let book = cover.book { expect(book.entity.name != "Chart", "a book is \(book)") }
            cover.book?.readAttributes()
        }
    }

    private func readByKey(_ context: ManagedObjectContext) throws(StoreError) {
        for entity in entities(context) where entity.superentity == nil {
            for object in try objects(entity.name, context) {
                step("read \(object) by key") { () throws(StoreError) in
                    for attribute in object.entity.attributes {
                        _ = try object.value(forKey: attribute.name).map { "\($0)" }
                        _ = try object.storedValue(forKey: attribute.name).description
                    }
                    for relationship in object.entity.relationships {
                        _ = try object.objectIDs(forRelationshipNamed: relationship.name)
                        _ = try object.value(forKey: relationship.name)
                    }
                    _ = try object.committedValues()
                    _ = object.changedValues()
                }
            }
        }
    }

    private func fetchInBatches(_ context: ManagedObjectContext) throws(StoreError) {
        for entity in entities(context) {
            var request = FetchRequest<ManagedObject>(
                entityName: entity.name,
                sortDescriptors: entity.attributes.prefix(1).map { FetchSortDescriptor(key: $0.name) })
            request.fetchBatchSize = 3
            request.fetchOffset = random.oneIn(3) ? 2 : 0
            request.fetchLimit = random.oneIn(3) ? 7 : 0
            check(Array(try context.fetch(request)), entity)
        }
    }

    private func count(_ context: ManagedObjectContext) throws(StoreError) {
        for entity in entities(context) {
            let request = FetchRequest<ManagedObject>(entityName: entity.name)
            _ = try context.count(for: request)
            for id in try context.fetchObjectIDs(request) {
                step("existing \(id)") { () throws(StoreError) in
                    let object = try context.existingObject(with: id)
                    expect(object.entity.isKindOf(entity: entity), "\(object) exists as \(entity.name)")
                }
            }
        }
    }

    private func filter(_ context: ManagedObjectContext) throws(StoreError) {
        let predicates: [(String, FetchPredicate)] = [
            ("Book", .compare("large", .greater, Int64(3))), ("Book", .compare("amount", .less, Decimal(4))),
            ("Book", .between("moment", Date.distantPast, and: Date.distantFuture)), ("Asset", .isNil("code")),
            ("Asset", .string("name", .contains, "ASSET", [.caseInsensitive, .diacriticInsensitive])),
            ("Asset", .string("holder.name", .beginsWith, "holder")), ("Asset", .string("name", .like, "a*t ?.?")),
            ("Atlas", !.compare("scale", .equal, Int64(1)) || .compare("holder.number", .less, Int64(4))),
            ("Holder", .in("number", [Int64(1), 2, 3])), ("Holder", .compare("boss.boss.name", .notEqual, "x")),
            ("Book", .compare("identifier", .equal, UUID(uuid: (1, 2, 3, 4, 5, 6, 7, 8, 9, 0, 1, 2, 3, 4, 5, 6)))),
            ("Book", .compare("bytes", .notEqual, Data([1]))),
            ("Book", .string("optionalText", .matches, "[a-z]+")), ("Cover", .isNil("book")),
        ]
        for (entity, predicate) in predicates {
            step("filter \(entity) by \(predicate)") { () throws(StoreError) in
                _ = try context.fetch(FetchRequest(entityName: entity, predicate: predicate))
                _ = try context.count(for: FetchRequest(entityName: entity, predicate: predicate))
            }
        }
    }

    private func findByURI(_ context: ManagedObjectContext) throws(StoreError) {
        let coordinator = context.persistentStoreCoordinator
        guard let identifier = coordinator.storeIdentifier else { return }
        for entity in entities(context) {
            for key in ["1", "2", "40", "9223372036854775807", "0"] {
                guard let uri = URL(string: "x-coredata://\(identifier.uuidString)/\(entity.name)/p\(key)"),
                    let id = coordinator.managedObjectID(forURIRepresentation: uri)
                else { continue }
                step("object \(uri)") { () throws(StoreError) in
                    let object = context.object(with: id)
                    for attribute in entity.attributes { _ = try object.value(forKey: attribute.name) }
                    _ = try context.existingObject(with: id)
                }
            }
        }
    }

    private func dictionaries(_ context: ManagedObjectContext) throws(StoreError) {
        for entity in entities(context) {
            var request = FetchRequest<ManagedObject>(entityName: entity.name)
            request.propertiesToFetch =
                entity.attributes.map { .property($0.name) }
                + entity.relationships.filter { !$0.isToMany }.map { .property($0.name) }
                + [.objectID()]
            request.returnsDistinctResults = random.oneIn(2)
            for record in try context.fetchDictionaries(request) { _ = "\(record)" }
        }
    }

    private func aggregates(_ context: ManagedObjectContext) throws(StoreError) {
        for (entity, group, numbers) in [
            ("Book", "text", ["small", "medium", "large", "real", "single", "amount"]), ("Holder", "boss", ["number"]),
            ("Asset", "holder", []),
        ] {
            var request = FetchRequest<ManagedObject>(entityName: entity)
            for function in FetchExpression.Function.allCases {
                request.propertiesToFetch += numbers.map { .function(function, $0, as: "\($0)\(function)") }
            }
            request.propertiesToFetch += [.count()]
            step("totals of \(entity)") { () throws(StoreError) in _ = try context.fetchDictionaries(request) }
            request.propertiesToGroupBy = [group]
            request.propertiesToFetch.append(.property(group))
            request.havingPredicate = .compare("count", .greater, Int64(0))
            step("groups of \(entity)") { () throws(StoreError) in _ = try context.fetchDictionaries(request) }
        }
    }
}

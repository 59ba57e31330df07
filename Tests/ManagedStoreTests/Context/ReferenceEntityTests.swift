import Foundation
import TestSupport
import Testing

@testable import ManagedStore

class Vessel: ManagedObject {
    static let name = Attribute("name", \Vessel.name)
    override class var attributes: [any AttributeKey] { [name] }
    override class var entityName: String { "Vessel" }

    var name: String {
        get { self[Vessel.name] }
        set { self[Vessel.name] = newValue }
    }
}

final class Tanker: Vessel {
    static let cargo = Attribute("cargo", \Tanker.cargo)
    static let dock = Relationship("dock", \Tanker.dock, inverse: "tankers")
    static let pilot = Relationship("pilot", \Tanker.pilot, inverse: "tanker")
    override class var attributes: [any AttributeKey] { [cargo] }
    override class var relationships: [any RelationshipKey] { [dock, pilot] }
    override class var entityName: String { "Tanker" }
    /// Where the object lies in memory, a base's would lie elsewhere.
    var stored = "stored"

    var cargo: String? {
        get { self[Tanker.cargo] }
        set { self[Tanker.cargo] = newValue }
    }
    var dock: Dock? {
        get { self[Tanker.dock] }
        set { self[Tanker.dock] = newValue }
    }
    var pilot: Pilot? {
        get { self[Tanker.pilot] }
        set { self[Tanker.pilot] = newValue }
    }
}

/// Leads to many of a subentity.
final class Dock: ManagedObject {
    static let tankers = Relationship("tankers", \Dock.tankers, inverse: "dock")
    override class var relationships: [any RelationshipKey] { [tankers] }

    var tankers: Set<Tanker> {
        get { self[Dock.tankers] }
        set { self[Dock.tankers] = newValue }
    }
}

/// Leads to one of a subentity.
final class Pilot: ManagedObject {
    static let tanker = Relationship("tanker", \Pilot.tanker, inverse: "pilot")
    override class var relationships: [any RelationshipKey] { [tanker] }

    var tanker: Tanker? {
        get { self[Pilot.tanker] }
        set { self[Pilot.tanker] = newValue }
    }
}

/// A file may say of a row's entity what it likes; an object is of the class that its relationships say.
@Suite struct ReferenceEntityTests {
    private func store() throws -> TestStore {
        let vessel = EntityDescription(Vessel.self)
        return try TestStore(
            model: try ManagedObjectModel(entities: [
                vessel, EntityDescription(Tanker.self, superentity: vessel), EntityDescription(Dock.self),
                EntityDescription(Pilot.self),
            ]))
    }

    private func seed(_ store: TestStore) throws -> (vessel: ManagedObjectID, tanker: ManagedObjectID) {
        let context = store.context()
        let vessel = Vessel(context: context)
        vessel.name = "vessel"
        let tanker = Tanker(context: context)
        tanker.name = "tanker"
        tanker.cargo = "oil"
        tanker.dock = Dock(context: context)
        tanker.pilot = Pilot(context: context)
        try context.save()
        return (vessel.objectID, tanker.objectID)
    }

    @Test func aToOneNeverLeadsToAnObjectOfTheSuperentity() throws {
        let store = try store()
        let (vessel, _) = try seed(store)
        try store.database().execute("UPDATE ZPILOT SET ZTANKER = (SELECT Z_PK FROM ZVESSEL WHERE ZNAME = 'vessel')")
        let context = store.context()
        let known = try context.existingObject(with: vessel)
        let pilot = try #require(try context.fetch(FetchRequest(Pilot.self)).first)
        #expect(pilot.tanker == nil)
        expectError(.incompatibleStore) { try pilot.value(of: Pilot.tanker) }
        expectError(.incompatibleStore) { try pilot.value(forKey: "tanker") }
        // The tanker that the pilot was taken from leads back all the same.
        context.mergePolicy = .mergeByPropertyObjectTrump
        pilot.tanker = nil
        try context.save()
        #expect(known.managedObjectContext === context)
        #expect(try store.database().value("SELECT ZTANKER FROM ZPILOT") == nil)
    }

    @Test func aToManyNeverLeadsToAnObjectOfTheSuperentity() throws {
        let store = try store()
        let (vessel, _) = try seed(store)
        try store.database().execute("UPDATE ZVESSEL SET ZDOCK = (SELECT Z_PK FROM ZDOCK)")
        for registersFirst in [true, false] {
            let context = store.context()
            let known = registersFirst ? try context.existingObject(with: vessel) : nil
            let dock = try #require(try context.fetch(FetchRequest(Dock.self)).first)
            #expect(dock.tankers.map(\.stored) == ["stored"])
            #expect(dock.tankers.map(\.name) == ["tanker"])
            _ = known
        }
    }

    /// The parent knows an object of the subentity by then.
    @Test func whatAChildChangedOfARowThatChangedItsEntityIsAConflict() throws {
        let store = try store()
        let (id, _) = try seed(store)
        let parent = store.context()
        let child = try ManagedObjectContext(concurrencyType: .confinement, parent: parent)
        try child.existingObject(with: id, as: Vessel.self).name = "changed"
        try store.database().execute(
            "UPDATE ZVESSEL SET Z_ENT = (SELECT Z_ENT FROM Z_PRIMARYKEY WHERE Z_NAME = 'Tanker')")
        let tankers = try parent.fetch(FetchRequest(Tanker.self))
        #expect(tankers.count == 2)
        expectError(.mergeConflict) { try child.save() }
        child.rollback()
        withExtendedLifetime(tankers) {}
    }

    @Test func theLeastKeyHasAnID() throws {
        let store = try store()
        let (_, tanker) = try seed(store)
        let id = ManagedObjectID(source: tanker.source, key: .min)
        #expect(id.uriRepresentation().absoluteString.hasSuffix("/t9223372036854775808"))
    }

    /// A row that was a vessel's when it was read is a tanker's now.
    @Test func aRowThatChangedItsEntityBecomesAnotherObject() throws {
        let store = try store()
        let (id, _) = try seed(store)
        for batchSize in [0, 1] {
            try store.database().execute(
                "UPDATE ZVESSEL SET Z_ENT = (SELECT Z_ENT FROM Z_PRIMARYKEY WHERE Z_NAME = 'Vessel') WHERE ZNAME = 'vessel'"
            )
            let context = store.context()
            let old = try context.existingObject(with: id, as: Vessel.self)
            old.name = "unsaved"
            try store.database().execute(
                "UPDATE ZVESSEL SET Z_ENT = (SELECT Z_ENT FROM Z_PRIMARYKEY WHERE Z_NAME = 'Tanker')")
            var request = FetchRequest(Tanker.self, sortBy: [SortDescriptor(\.name)])
            request.fetchBatchSize = batchSize
            let tankers = try context.fetch(request)
            #expect(tankers.map(\.stored) == ["stored", "stored"])
            #expect(tankers.map(\.name) == ["tanker", "vessel"])
            #expect(old.managedObjectContext == nil && context.updatedObjects.isEmpty && context.hasChanges)
            #expect(context.readingError?.code == .mergeConflict)
            tankers[0].cargo = "sand"
            let error = expectError(.mergeConflict) { try context.save() }
            #expect(error?.message.contains("were dropped") == true && error?.conflicts.map(\.objectID) == [id])
            context.clearReadingError()
            try context.save()
            context.registry._checkInvariants()
        }
    }

    /// An ID may have been made before the row changed, or by hand.
    @Test func anIDOfAnotherEntityIsThatOfNoObject() throws {
        let store = try store()
        let (vessel, tanker) = try seed(store)
        let context = store.context()
        let known = try context.existingObject(with: vessel, as: Vessel.self)
        let text = vessel.uriRepresentation().absoluteString.replacing("/Vessel/", with: "/Tanker/")
        let wrong = try #require(
            URL(string: text).flatMap { store.coordinator.managedObjectID(forURIRepresentation: $0) })
        #expect(context.registeredObject(for: wrong) == nil)
        #expect(context.object(with: wrong, as: Tanker.self).cargo == nil)
        expectError(.objectNotFound) { try context.existingObject(with: wrong, as: Tanker.self) }
        #expect(context.registeredObject(for: vessel) === known)
        // That of the superentity names an object of the subentity, once it is known.
        let mine = try context.existingObject(with: tanker, as: Tanker.self)
        let above = tanker.uriRepresentation().absoluteString.replacing("/Tanker/", with: "/Vessel/")
        let general = try #require(
            URL(string: above).flatMap { store.coordinator.managedObjectID(forURIRepresentation: $0) })
        #expect(context.object(with: general, as: Vessel.self) === mine)
    }
}

import BenchHarness
import Foundation
import ManagedStore

/// The mapping of the records of an entity to managed objects.
///
/// Its loops are requirements, so that the compiler specialises them for the class, as in an application.
protocol ObjectMapping: Sendable {
    /// The class of the objects.
    associatedtype Object: ManagedObject

    /// Finds the object that a record leads to, by its number and the place of its entity; nil if it is not made yet.
    typealias Finder = (_ number: Int64, _ place: Int) throws -> ManagedObject?

    /// The entity in the model.
    var description: EntityDescription { get }
    /// The entities that inherit from it.
    var subentities: [EntityDescription] { get }
    /// Returns the entity of a record.
    func entity(of ordinal: Int, of records: RecordGenerator) -> EntityDescription
    /// Returns the entity with a name among that of the mapping and those that inherit from it; that of the mapping for
    /// nil.
    func entity(called name: String?) -> EntityDescription
    /// Returns the entity whose objects a condition is about, and what it demands of them.
    func selection(_ filter: FilterSpec?) -> (entity: EntityDescription, condition: FilterSpec?)
    /// Makes a new object in `context`.
    func make(in context: ManagedObjectContext) throws -> Object
    /// Makes a new object with the values of a record, by the names of its attributes and relationships.
    func make(
        _ values: [FieldValue], named names: [String], in context: ManagedObjectContext, _ find: Finder
    ) throws -> Object
    /// Sets the attributes of a new object to the values of the record with `ordinal`.
    func fill(_ object: Object, _ ordinal: Int, of records: RecordGenerator)
    /// Makes new objects of the records with `ordinals`, which lead to others, and returns them if it `keeps` them.
    func insert(
        _ ordinals: Range<Int>, of records: RecordGenerator, in context: ManagedObjectContext, keeps: Bool,
        _ find: Finder
    ) throws -> [ManagedObject]
    /// Sets the relationships of a new object to what the record with `ordinal` leads to.
    func relate(_ object: ManagedObject, _ ordinal: Int, of records: RecordGenerator, _ find: Finder) throws
    /// Sets an attribute or a relationship to one, given by position and name, to a value of its type.
    func assign(
        _ value: FieldValue, to attribute: Int, named name: String, of object: Object, _ find: Finder) throws
    /// Returns a closure that makes `changes` of attributes in an object.
    func change(_ changes: [AttributeChange]) throws -> @Sendable (Object) -> Void

    /// Feeds every attribute, in the order of the scenario's entity, through the properties of the object, and the
    /// numbers of the objects that relationships to one lead to.
    func digest(_ object: Object, into digester: inout RecordDigester)
    /// Feeds the attributes alone, for an object that others lead to.
    func digestAttributes(_ object: ManagedObject, into digester: inout RecordDigester)
    /// Feeds every object.
    func digest(_ objects: ArraySlice<Object>, into digester: inout RecordDigester)
    /// Feeds every object, whose class is that of the mapping.
    func digest(members: [ManagedObject], into digester: inout RecordDigester)
    /// Feeds every object with the attributes of the one that a relationship to one leads to.
    func digest(
        _ objects: ArraySlice<Object>, leadingBy relationship: Schema.Relationship, to target: any ObjectMapping,
        into digester: inout RecordDigester)
    /// Feeds every object and its version, for a load.
    func read(_ objects: [Object], into reading: inout LoadReading)

    /// Has a relationship to one lead to another object.
    func relate(_ object: Object, by relationship: Schema.Relationship, to target: ManagedObject)
    /// Returns the objects that a relationship to many leads to.
    func members(of object: Object, by relationship: Schema.Relationship) -> [ManagedObject]
}

extension [AttributeSpec] {
    /// The indexes that the scenario asks for.
    var fetchIndexes: [[String]] { filter(\.isIndexed).map { [$0.name] } }
}

extension ManagedObject {
    /// Returns the object that a relationship to one leads to.
    func related(by relationship: String) -> ManagedObject? { (try? value(forKey: relationship)) as? ManagedObject }
}

extension ObjectMapping {
    var subentities: [EntityDescription] { [] }

    func entity(of ordinal: Int, of records: RecordGenerator) -> EntityDescription { description }

    func entity(called name: String?) -> EntityDescription { description }

    func selection(_ filter: FilterSpec?) -> (entity: EntityDescription, condition: FilterSpec?) {
        (description, filter)
    }

    func make(
        _ values: [FieldValue], named names: [String], in context: ManagedObjectContext, _ find: Finder
    ) throws -> Object {
        let object = try make(in: context)
        for (attribute, value) in values.enumerated() {
            try assign(value, to: attribute, named: names[attribute], of: object, find)
        }
        return object
    }

    func insert(
        _ ordinals: Range<Int>, of records: RecordGenerator, in context: ManagedObjectContext, keeps: Bool,
        _ find: Finder
    ) throws -> [ManagedObject] {
        for ordinal in ordinals { fill(try make(in: context), ordinal, of: records) }
        return []
    }

    func relate(_ object: ManagedObject, _ ordinal: Int, of records: RecordGenerator, _ find: Finder) throws {}

    func assign(
        _ value: FieldValue, to attribute: Int, named name: String, of object: Object, _ find: Finder
    ) throws {
        try object.setValue(StoredValue(value), forKey: name)
    }

    func digestAttributes(_ object: ManagedObject, into digester: inout RecordDigester) {
        digest(unsafeDowncast(object, to: Object.self), into: &digester)
    }

    func digest(_ objects: ArraySlice<Object>, into digester: inout RecordDigester) {
        for object in objects {
            digest(object, into: &digester)
            digester.endRecord()
        }
    }

    func digest(members: [ManagedObject], into digester: inout RecordDigester) {
        for object in members {
            digest(unsafeDowncast(object, to: Object.self), into: &digester)
            digester.endRecord()
        }
    }

    func digest(
        _ objects: ArraySlice<Object>, leadingBy relationship: Schema.Relationship, to target: any ObjectMapping,
        into digester: inout RecordDigester
    ) {
        for object in objects {
            digest(object, into: &digester)
            if let related = object.related(by: relationship.name) {
                target.digestAttributes(related, into: &digester)
            }
            digester.endRecord()
        }
    }

    func read(_ objects: [Object], into reading: inout LoadReading) {
        for object in objects {
            digest(object, into: &reading.values)
            reading.endRecord(version: object.versionInStore)
        }
    }

    func relate(_ object: Object, by relationship: Schema.Relationship, to target: ManagedObject) {
        do { try object.setValue(target, forKey: relationship.name) } catch { preconditionFailure("\(error)") }
    }

    func members(of object: Object, by relationship: Schema.Relationship) -> [ManagedObject] {
        let value = try? object.value(forKey: relationship.name)
        return value as? [ManagedObject] ?? (value as? Set<ManagedObject>).map { Array($0) } ?? []
    }
}

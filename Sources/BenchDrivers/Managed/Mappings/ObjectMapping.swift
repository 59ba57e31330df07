import BenchHarness
import Foundation
import ManagedStore

/// The mapping of a scenario's records to managed objects.
protocol ObjectMapping: Sendable {
    /// The class of the objects.
    associatedtype Object: ManagedObject

    /// Creates the mapping for the entity of a scenario.
    init(_ entity: EntitySpec)

    /// The entity in the model.
    var description: EntityDescription { get }
    /// Returns the entity whose objects a condition is about, and what it demands of them.
    func selection(_ filter: FilterSpec?) -> (entity: EntityDescription, condition: FilterSpec?)
    /// Makes a new object in `context`.
    func make(in context: ManagedObjectContext) throws -> Object
    /// Sets a new object to the values of the record with `ordinal`.
    func fill(_ object: Object, _ ordinal: Int, of records: RecordGenerator)
    /// Makes new objects of the records with `ordinals`. A requirement, so that the compiler specialises the loop for
    /// the class, as in an application.
    func insert(_ ordinals: Range<Int>, of records: RecordGenerator, in context: ManagedObjectContext) throws
    /// Sets an attribute, given by position and name, to a value of its type.
    func assign(_ value: FieldValue, to attribute: Int, named name: String, of object: Object) throws
    /// Feeds every attribute, in the order of the scenario's entity, through the properties of the object.
    func digest(_ object: Object, into digester: inout RecordDigester)
    /// Feeds every attribute of every object. A requirement for the same reason as ``insert(_:of:in:)``.
    func digest(_ objects: ArraySlice<Object>, into digester: inout RecordDigester)
    /// Feeds every attribute and the version of every object, for a load.
    func read(_ objects: [Object], into reading: inout LoadReading)
    /// Returns a closure that makes `changes` in an object.
    func change(_ changes: [AttributeChange]) throws -> @Sendable (Object) -> Void
}

extension EntitySpec {
    /// The indexes that the scenario asks for.
    var fetchIndexes: [[String]] { attributes.filter(\.isIndexed).map { [$0.name] } }
}

extension ObjectMapping {
    /// Returns the entity of the mapping, and the condition as it is.
    func selection(_ filter: FilterSpec?) -> (entity: EntityDescription, condition: FilterSpec?) {
        (description, filter)
    }

    /// Makes new objects of the records with `ordinals`.
    func insert(_ ordinals: Range<Int>, of records: RecordGenerator, in context: ManagedObjectContext) throws {
        for ordinal in ordinals { fill(try make(in: context), ordinal, of: records) }
    }

    /// Sets the attribute by its name.
    func assign(_ value: FieldValue, to attribute: Int, named name: String, of object: Object) throws {
        try object.setValue(StoredValue(value), forKey: name)
    }

    /// Feeds every attribute of every object.
    func digest(_ objects: ArraySlice<Object>, into digester: inout RecordDigester) {
        for object in objects {
            digest(object, into: &digester)
            digester.endRecord()
        }
    }

    /// Feeds every attribute and the version of every object.
    func read(_ objects: [Object], into reading: inout LoadReading) {
        for object in objects {
            digest(object, into: &reading.values)
            reading.endRecord(version: object.versionInStore)
        }
    }
}

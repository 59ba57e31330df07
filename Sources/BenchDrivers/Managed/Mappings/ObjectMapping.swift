import BenchHarness
import Foundation
import ManagedStore

/// How the records of a scenario are told as managed objects.
protocol ObjectMapping: Sendable {
    /// The class of the objects.
    associatedtype Object: ManagedObject

    /// Makes what belongs to the entity of a scenario.
    init(_ entity: EntitySpec)

    /// The entity as the model has it.
    var description: EntityDescription { get }
    /// Makes a new object in `context`.
    func make(in context: ManagedObjectContext) throws -> Object
    /// Gives a new object the values of the record with `ordinal`.
    func fill(_ object: Object, _ ordinal: Int, of records: RecordGenerator)
    /// Makes new objects of the records with `ordinals`. A requirement, so that the loop is compiled for the class, as
    /// an application's would be.
    func insert(_ ordinals: Range<Int>, of records: RecordGenerator, in context: ManagedObjectContext) throws
    /// Gives an object the values that `records` makes for some attributes, named by their positions.
    func assign(_ attributes: some Sequence<Int>, of object: Object, _ ordinal: Int, of records: RecordGenerator)
    /// Reads every attribute; the result depends on all of them.
    func touch(_ object: Object) -> UInt64
    /// Feeds every attribute, in the order of the scenario's entity.
    func digest(_ object: Object, into digester: inout RecordDigester)
    /// What makes `changes` in an object.
    func change(_ changes: [AttributeChange]) throws -> @Sendable (Object) -> Void
}

extension ObjectMapping {
    /// Makes new objects of the records with `ordinals`.
    func insert(_ ordinals: Range<Int>, of records: RecordGenerator, in context: ManagedObjectContext) throws {
        for ordinal in ordinals { fill(try make(in: context), ordinal, of: records) }
    }

    /// What all objects in `objects` come down to, so that none of the reads can be left out.
    func touch(_ objects: ArraySlice<Object>) {
        var sum: UInt64 = 0
        for object in objects { sum &+= touch(object) }
        BlackHole.consume(sum)
    }
}

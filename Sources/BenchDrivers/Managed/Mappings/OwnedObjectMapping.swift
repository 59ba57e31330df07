import BenchHarness
import ManagedStore

/// The mapping of records with owners to managed objects. The number of the owner, the last attribute of such a record,
/// is a relationship here: within the clock, only a phase that follows it reads it.
protocol OwnedObjectMapping: ObjectMapping {
    /// The mapping of the owners.
    associatedtype Owner: ObjectMapping

    /// The mapping of the owners.
    var owner: Owner { get }
    /// The name of the relationship to the owner.
    var relationship: String { get }

    /// Returns the owner of a record.
    func owner(of object: Object) -> Owner.Object?
    /// Sets the owner of an object.
    func setOwner(_ owner: Owner.Object, of object: Object)
    /// Returns the objects of an owner.
    func objects(of owner: Owner.Object) -> [Object]
    /// Feeds every attribute of every object and of its owner. A requirement for the same reason as
    /// ``ObjectMapping/insert(_:of:in:)``.
    func digestWithOwners(_ objects: ArraySlice<Object>, into digester: inout RecordDigester)
}

extension OwnedObjectMapping {
    /// Makes new objects of the records with `ordinals`, which belong to owners that the store holds.
    func insert(_ ordinals: Range<Int>, of records: RecordGenerator, in context: ManagedObjectContext) throws {
        for ordinal in ordinals { try insert(ordinal, of: records, in: context) }
    }

    /// Makes a new object of the record with an ordinal, which belongs to an owner that the store holds.
    func insert(_ ordinal: Int, of records: RecordGenerator, in context: ManagedObjectContext) throws {
        let object = try make(in: context)
        fill(object, ordinal, of: records)
        let number = records.int64(records.entity.attributes.count - 1, ordinal)
        setOwner(try storedOwner(number, in: context), of: object)
    }

    /// Sets the attribute by its name, or the owner by its number.
    func assign(_ value: FieldValue, to attribute: Int, named name: String, of object: Object) throws {
        guard name == relationship, case .int64(let number) = value, let context = object.managedObjectContext else {
            return try object.setValue(StoredValue(value), forKey: name)
        }
        setOwner(try storedOwner(number, in: context), of: object)
    }

    /// Returns the owner with a number, whose key it is, as an object of the context.
    func storedOwner(_ number: Int64, in context: ManagedObjectContext) throws -> Owner.Object {
        let coordinator = context.persistentStoreCoordinator
        guard let id = coordinator.objectID(ofRecord: Int(number) - 1, in: owner.description),
            let object = try context.existingObject(with: id) as? Owner.Object
        else {
            throw DriverError(.invalidRequest, "there is no \(owner.description.name) with the number \(number)")
        }
        return object
    }

    /// Feeds the number of the owner.
    func digestOwner(of object: Object, into digester: inout RecordDigester) {
        digester.addOwnerNumber(owner(of: object)?.objectID.primaryKey)
    }

    /// Feeds every attribute of every object and of its owner.
    func digestWithOwners(_ objects: ArraySlice<Object>, into digester: inout RecordDigester) {
        for object in objects {
            digest(object, into: &digester)
            if let owner = owner(of: object) { self.owner.digest(owner, into: &digester) }
            digester.endRecord()
        }
    }
}

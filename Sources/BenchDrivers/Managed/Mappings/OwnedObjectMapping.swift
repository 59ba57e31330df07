import BenchHarness
import Foundation
import ManagedStore

/// The mapping of records with owners to managed objects. The number of the owner, the last attribute of such a record,
/// is a relationship here: within the clock, only a phase that follows it reads it.
protocol OwnedObjectMapping: ObjectMapping {
    /// The mapping of the owners.
    associatedtype Owner: ObjectMapping

    /// The mapping of the owners.
    var owner: Owner { get }

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
    /// Feeds the number of the owner.
    func digestOwner(of object: Object, into digester: inout RecordDigester) {
        digester.addOwnerNumber(owner(of: object)?.objectID.number)
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

extension ManagedObjectID {
    /// The key, which is the number of an owner: the end of its URI, after a `p`.
    var number: Int64 { Int64(uriRepresentation().lastPathComponent.dropFirst()) ?? 0 }
}

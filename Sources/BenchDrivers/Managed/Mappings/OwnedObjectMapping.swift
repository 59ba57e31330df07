import BenchHarness
import Foundation
import ManagedStore

/// The mapping of records with owners to managed objects. The number of the owner, the last attribute of such a record,
/// is a relationship here: ``digest(_:into:)`` feeds it, but ``touch(_:)`` does not read it; a phase that follows it
/// does.
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
    func objects(of owner: Owner.Object) -> Set<Object>
}

extension OwnedObjectMapping {
    /// Feeds the number of the owner.
    func digestOwner(of object: Object, into digester: inout RecordDigester) {
        if let owner = owner(of: object) { digester.add(owner.objectID.number) } else { digester.addNull() }
    }
}

extension ManagedObjectID {
    /// The key, which is the number of an owner: the end of its URI, after a `p`.
    var number: Int64 { Int64(uriRepresentation().lastPathComponent.dropFirst()) ?? 0 }
}

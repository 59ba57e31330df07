import BenchHarness
import Foundation
import ManagedStore

/// How records that belong to an owner are told as managed objects. The number of the owner, the last attribute of such
/// a record, is a relationship here: ``digest(_:into:)`` feeds it, ``touch(_:)`` leaves it to those who follow it.
protocol OwnedObjectMapping: ObjectMapping {
    /// How the owners are told.
    associatedtype Owner: ObjectMapping

    /// How the owners are told.
    var owner: Owner { get }

    /// The object that a record belongs to.
    func owner(of object: Object) -> Owner.Object?
    /// Makes an object belong to an owner.
    func setOwner(_ owner: Owner.Object, of object: Object)
    /// The objects that belong to an owner.
    func objects(of owner: Owner.Object) -> Set<Object>
}

extension OwnedObjectMapping {
    /// Feeds the number of the owner.
    func digestOwner(of object: Object, into digester: inout RecordDigester) {
        if let owner = owner(of: object) { digester.add(owner.objectID.number) } else { digester.addNull() }
    }
}

extension ManagedObjectID {
    /// The key, which is the number of an owner: what its URI ends in, after a `p`.
    var number: Int64 { Int64(uriRepresentation().lastPathComponent.dropFirst()) ?? 0 }
}

import Foundation
import ManagedStore

extension PersistentStoreCoordinator {
    /// Returns the ID of the record with an ordinal, which an application would have with its object: the key of record
    /// `n` is `n + 1`.
    func objectID(ofRecord ordinal: Int, in entity: EntityDescription) -> ManagedObjectID? {
        let store = "x-coredata://\(storeIdentifier?.uuidString ?? "")/\(entity.name)/p"
        return URL(string: store + String(ordinal + 1)).flatMap { managedObjectID(forURIRepresentation: $0) }
    }
}

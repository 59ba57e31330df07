import Foundation
import ManagedStore

/// The numbers by which people refer to items: the key in the item's URI, `x-coredata://<store>/Item/p12`.
///
/// A position in the list is not suitable, since another process may add or delete items between `todo list` and `todo
/// toggle`. The store assigns each object a permanent key, and never assigns that key again.
extension ManagedObjectID {
    var number: String { String(uriRepresentation().lastPathComponent.dropFirst()) }
}

extension TodoStore {
    /// Returns the ID of the item with a number, which need not exist. IDs are plain values that can cross queues,
    /// unlike objects.
    func objectID(_ number: Int) throws -> ManagedObjectID {
        guard let store = coordinator.storeIdentifier,
            let uri = URL(string: "x-coredata://\(store.uuidString)/\(Item.entityName)/p\(number)"),
            let id = coordinator.managedObjectID(forURIRepresentation: uri)
        else { throw Self.noItem(number) }
        return id
    }

    /// Returns the item with a number. Call it on the view context's queue, since its objects belong there.
    func item(_ number: Int) throws -> Item {
        do {
            // `object(with:)` would return a fault without checking whether the object exists.
            guard let item = try viewContext.existingObject(with: objectID(number)) as? Item else {
                throw Self.noItem(number)
            }
            return item
        } catch let error as StoreError where error.code == .objectNotFound {
            throw Self.noItem(number)
        }
    }

    static func noItem(_ number: Int) -> TodoError {
        TodoError("there is no item \(number); todo list shows the numbers")
    }
}

extension Arguments {
    /// Parses the numbers of items and drops repeated ones: toggling an item twice would have no effect.
    static func numbers(_ words: [String]) throws -> [Int] {
        var numbers: [Int] = []
        for word in words {
            guard let number = Int(word), number > 0 else {
                throw UsageError("\"\(word)\" is not an item's number; todo list shows the numbers")
            }
            if !numbers.contains(number) { numbers.append(number) }
        }
        return numbers
    }
}

import Foundation
import ManagedStore

/// How people name items: by the key in the item's URI, `x-coredata://<store>/Item/p12`.
///
/// A place in the list would not do, since another process may add or delete items between `todo list` and `todo
/// toggle`. The store gives each object a key for good and never gives it again.
extension ManagedObjectID {
    var number: String { String(uriRepresentation().lastPathComponent.dropFirst()) }
}

extension TodoStore {
    /// The ID of the item with a number, which need not exist. IDs are plain values and may cross queues, unlike
    /// objects.
    func objectID(_ number: Int) throws -> ManagedObjectID {
        guard let store = coordinator.storeIdentifier,
            let uri = URL(string: "x-coredata://\(store.uuidString)/\(Item.entityName)/p\(number)"),
            let id = coordinator.managedObjectID(forURIRepresentation: uri)
        else { throw Self.noItem(number) }
        return id
    }

    /// The item with a number. To be called on the view context's queue, where alone its objects may be used.
    func item(_ number: Int) throws -> Item {
        do {
            // `object(with:)` would hand out a fault without looking whether there is such an object.
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
    /// Words as numbers of items, each once: toggling an item twice would leave it as it was.
    static func numbers(_ words: [String]) throws -> [Int] {
        var numbers: [Int] = []
        for word in words {
            guard let number = Int(word), number > 0 else {
                throw UsageError("\"\(word)\" is no item's number; todo list shows the numbers")
            }
            if !numbers.contains(number) { numbers.append(number) }
        }
        return numbers
    }
}

import Foundation
import Locking

/// Detects classes with stored properties of their own.
///
/// Making an object of such a class runs foreign code, which initializes the properties. That code may do anything,
/// such as wait for a thread that waits for this one, so no lock may be held meanwhile.
enum StoredProperties {
    /// The results for the classes examined so far.
    private static let known = Locked<[ObjectIdentifier: Bool]>([:])

    /// Whether one of `types` has stored properties. Nil as long as this is unknown: a class is examined once an object
    /// of it was made.
    static func areThere(in types: some Sequence<ManagedObject.Type>) -> Bool? {
        var areKnown = true
        for type in types {
            guard let areThere = known.withLock({ $0[ObjectIdentifier(type)] }) else {
                areKnown = false
                continue
            }
            if areThere { return true }
        }
        return areKnown ? false : nil
    }

    /// Examines the class of an object.
    static func note(_ object: ManagedObject) {
        let type = ObjectIdentifier(type(of: object))
        if known.withLock({ $0[type] }) != nil { return }
        let areThere = areThere(in: object)
        known.withLock { $0[type] = areThere }
    }

    private static func areThere(in object: ManagedObject) -> Bool {
        // A custom mirror need not show all stored properties.
        if object is any CustomReflectable { return true }
        var mirror: Mirror? = Mirror(reflecting: object)
        while let current = mirror, current.subjectType != ManagedObject.self {
            if !current.children.isEmpty { return true }
            mirror = current.superclassMirror
        }
        return false
    }
}

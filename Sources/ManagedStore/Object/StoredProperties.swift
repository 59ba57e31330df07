import Foundation
import Locking

/// Which classes have stored properties of their own.
///
/// Making an object of such a class runs code that is not ours, which gives the properties their first values. It may
/// do anything, such as wait for a thread that waits for this one: so no lock may be held meanwhile.
enum StoredProperties {
    /// What is known of the classes that were looked at.
    private static let known = Locked<[ObjectIdentifier: Bool]>([:])

    /// Whether one of `types` has some; nil as long as that is not known, since a class is looked at when an object of
    /// it was made.
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

    /// Looks at the class of an object.
    static func note(_ object: ManagedObject) {
        let type = ObjectIdentifier(type(of: object))
        if known.withLock({ $0[type] }) != nil { return }
        let areThere = areThere(in: object)
        known.withLock { $0[type] = areThere }
    }

    private static func areThere(in object: ManagedObject) -> Bool {
        // What a class tells of itself need not be all that there is.
        if object is any CustomReflectable { return true }
        var mirror: Mirror? = Mirror(reflecting: object)
        while let current = mirror, current.subjectType != ManagedObject.self {
            if !current.children.isEmpty { return true }
            mirror = current.superclassMirror
        }
        return false
    }
}

import Foundation

/// Which classes have stored properties of their own.
///
/// Making an object of such a class runs code that is not ours, which gives the properties their first values. It may
/// do anything, such as wait for somebody who waits for us: so no lock may be held meanwhile.
enum StoredProperties {
    private final class Classes: @unchecked Sendable {
        // Unchecked: only touched with the lock held.
        private let lock = Lock()
        private var known: [ObjectIdentifier: Bool] = [:]

        subscript(type: ManagedObject.Type) -> Bool? {
            get { lock.withLock { known[ObjectIdentifier(type)] } }
            set { lock.withLock { known[ObjectIdentifier(type)] = newValue } }
        }
    }

    private static let classes = Classes()

    /// Whether one of `types` has some; nil as long as that is not known, since a class is looked at when an object of
    /// it was made.
    static func areThere(in types: some Sequence<ManagedObject.Type>) -> Bool? {
        var areKnown = true
        for type in types {
            guard let areThere = classes[type] else {
                areKnown = false
                continue
            }
            if areThere { return true }
        }
        return areKnown ? false : nil
    }

    /// Looks at the class of an object.
    static func note(_ object: ManagedObject) {
        let type = type(of: object)
        if classes[type] == nil { classes[type] = areThere(in: object) }
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

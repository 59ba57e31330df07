import CSystem

/// Detects classes with stored properties of their own.
///
/// Making an object of such a class runs foreign code, which initializes the properties. That code may do anything,
/// such as wait for a thread that waits for this one, so no lock may be held meanwhile.
enum StoredProperties {
    private static let countOfOurs = count(in: ManagedObject.self)

    /// Whether a class has stored properties, its superclasses included, besides those of `ManagedObject`.
    static func areThere(in type: ManagedObject.Type) -> Bool { count(in: type) > countOfOurs }

    /// Asks the runtime. A `Mirror` does so as well, but takes a millisecond for the first object of a class, and a
    /// class may choose what its mirror shows.
    private static func count(in type: ManagedObject.Type) -> Int {
        csystem_stored_property_count(unsafeBitCast(type, to: UnsafeRawPointer.self))
    }
}

import Foundation

/// A value in the form of rows and columns. Code that binds, compares or writes values switches over this rather than
/// over types, so that a new type does not affect it.
enum UntypedValue {
    /// No value, or one that no attribute can have.
    case nothing
    case bit(Bool)
    case integer(Int64)
    case real(Double)
    case decimal(Decimal)
    case text(String)
    case bytes(Data)
    case uuid(UUID)
    case reference(ManagedObjectID)
}

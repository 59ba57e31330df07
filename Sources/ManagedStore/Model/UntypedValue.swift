import Foundation

/// A value as rows and columns keep it. Code that binds, compares or writes values switches over this and not over
/// their types, so that it stays as it is when a type is added.
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

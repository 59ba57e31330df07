import Foundation

/// One key of an order: by name, or from Foundation's `SortDescriptor`.
///
/// Missing values come first in ascending order. Strings are ordered by their UTF-8 bytes.
public struct FetchSortDescriptor: Sendable {
    private let name: Result<String, StoreError>
    /// Whether small values come first.
    public let ascending: Bool

    /// Orders by the attribute called `key`.
    public init(key: String, ascending: Bool = true) {
        name = .success(key)
        self.ascending = ascending
    }

    /// Orders by the attribute that a property reads; one that reads none is refused when the request is executed.
    public init<Object: ManagedObject>(_ descriptor: SortDescriptor<Object>) {
        ascending = descriptor.order == .forward
        name = Object.attributeName(of: descriptor.keyPath)
    }

    /// The attribute's name; nil when the descriptor's property is none.
    public var key: String? { try? name.get() }

    func resolved(for entity: EntityDescription) throws(StoreError) -> ResolvedSort {
        ResolvedSort(position: try entity.position(of: try name.get()), ascending: ascending)
    }
}

extension FetchSortDescriptor: CustomStringConvertible {
    /// The key and the direction, as Core Data writes them.
    public var description: String {
        "(\(key ?? "?"), \(ascending ? "ascending" : "descending"))"
    }
}

/// One key of an order, found in an entity.
struct ResolvedSort: Sendable, Equatable {
    /// The attribute's position.
    let position: Int
    /// Whether small values come first.
    let ascending: Bool
}

extension ManagedObject {
    /// The name of the attribute that the property at `keyPath` reads.
    static func attributeName(of keyPath: AnyKeyPath?) -> Result<String, StoreError> {
        let known = inheritedAttributes
        if let keyPath, let key = known.first(where: { ($0.keyPath as AnyKeyPath?) == keyPath }) {
            return .success(key.description.name)
        }
        if let keyPath, let name = PropertyProbe.attributeName(of: keyPath, self) { return .success(name) }
        let property = keyPath.map { "\($0)" } ?? "a property without a key path"
        return .failure(
            StoreError(
                .unknownKey,
                "\(property) is not an attribute of \(self): declare it as Attribute(\"name\", \\\(self).name) and "
                    + "list it in the class's attributes; it has \(known.map(\.description.name))"))
    }
}

import Foundation

/// One key of an order: by name, or from Foundation's `SortDescriptor`.
///
/// Missing values come first in ascending order. Strings are ordered by their UTF-8 bytes, or by those of their folded form with
/// `options`.
public struct FetchSortDescriptor: Sendable {
    private let name: Result<String, StoreError>
    /// Whether small values come first.
    public let ascending: Bool
    /// What is ignored when strings are ordered; strings that differ in nothing else are equal.
    public let options: FetchPredicate.StringOptions

    /// Orders by the attribute called `key`; `options` are for strings.
    public init(key: String, ascending: Bool = true, options: FetchPredicate.StringOptions = []) {
        name = .success(key)
        self.ascending = ascending
        self.options = options
    }

    /// Orders by the attribute that a property reads; one that reads none is refused when the request is executed, and so is a
    /// comparator of strings other than `.lexical`: stores know no locale.
    public init<Object: ManagedObject>(_ descriptor: SortDescriptor<Object>) {
        ascending = descriptor.order == .forward
        options = []
        name = Object.attributeName(of: descriptor.keyPath).flatMap { key in
            guard let comparator = descriptor.stringComparator, !comparator.isLexical else { return .success(key) }
            return .failure(
                StoreError(
                    .invalidRequest,
                    "a store cannot sort \"\(key)\" by \(comparator); use SortDescriptor(_:comparator: .lexical), or "
                        + "FetchSortDescriptor(key:options:) to ignore case or diacritics"))
        }
    }

    /// The attribute's name; nil when the descriptor's property is none.
    public var key: String? { try? name.get() }

    func resolved(for entity: EntityDescription) throws(StoreError) -> ResolvedSort {
        let position = try entity.position(of: try name.get())
        _ = try entity.folds(options, at: position)
        return ResolvedSort(position: position, ascending: ascending, options: options)
    }
}

extension FetchSortDescriptor: CustomStringConvertible {
    /// The key and the direction, as Core Data writes them, and what is ignored.
    public var description: String {
        "(\(key ?? "?"), \(ascending ? "ascending" : "descending")\(options.isEmpty ? "" : ", \(options)"))"
    }
}

/// One key of an order, found in an entity.
struct ResolvedSort: Sendable, Equatable {
    /// The attribute's position.
    let position: Int
    /// Whether small values come first.
    let ascending: Bool
    /// What is ignored when strings are ordered.
    var options: FetchPredicate.StringOptions = []
}

extension String.StandardComparator {
    /// Whether it compares by Unicode scalars, as UTF-8 bytes order.
    fileprivate var isLexical: Bool {
        var forward = self
        forward.order = .forward
        return forward == .lexical
    }
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

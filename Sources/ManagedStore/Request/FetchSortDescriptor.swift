import Foundation

/// One key of an order: by name, or from Foundation's `SortDescriptor`.
///
/// Missing values come first in ascending order. Strings are ordered by their UTF-8 bytes or, with `options`, by those
/// of their folded form.
///
/// A key can lead through to-one relationships: `FetchSortDescriptor(key: "folder.name")`, or
/// `SortDescriptor(\Item.folder?.name)` if each property on the way is declared through ``Attribute`` or
/// ``Relationship``. If one of the relationships leads nowhere, the value is missing.
public struct FetchSortDescriptor: Sendable {
    private let name: Result<String, StoreError>
    /// Whether the order is ascending.
    public let ascending: Bool
    /// The differences that the order of strings ignores; strings without other differences are equal.
    public let options: FetchPredicate.StringOptions

    /// Orders by the attribute `key`, or by the attribute at the end of a key path through to-one relationships.
    /// `options` apply to strings.
    public init(key: String, ascending: Bool = true, options: FetchPredicate.StringOptions = []) {
        name = .success(key)
        self.ascending = ascending
        self.options = options
    }

    /// Orders by the attribute that a property reads, possibly through to-one relationships. Executing the request
    /// throws an error if the property reads no attribute, or if the comparator of strings is not `.lexical`: stores
    /// know no locale.
    public init<Object: ManagedObject>(_ descriptor: SortDescriptor<Object>) {
        ascending = descriptor.order == .forward
        options = []
        name = Object.attributePath(of: descriptor.keyPath).flatMap { key in
            guard let comparator = descriptor.stringComparator, !comparator.isLexical else { return .success(key) }
            return .failure(
                StoreError(
                    .invalidRequest,
                    "a store cannot sort \"\(key)\" by \(comparator); use SortDescriptor(_:comparator: .lexical), or "
                        + "FetchSortDescriptor(key:options:) to ignore case or diacritics"))
        }
    }

    /// The attribute's name, or the key path that leads to it; nil if the descriptor's property is not an attribute.
    public var key: String? { try? name.get() }

    /// Resolves the key to an attribute of `entity` itself.
    ///
    /// - Throws: `StoreError` with `unknownKey` or `wrongType`.
    func resolved(for entity: EntityDescription) throws(StoreError) -> ResolvedSort {
        let position = try entity.position(of: try name.get())
        _ = try entity.folds(options, at: position)
        return ResolvedSort(position: position, ascending: ascending, options: options)
    }

    /// Resolves the key in the entity of `source` or in the entities that its to-one relationships lead to.
    ///
    /// - Throws: `StoreError` with `unknownKey`, `wrongType` or `invalidRequest`.
    func resolved(for source: ObjectIDSource) throws(StoreError) -> ResolvedSort {
        let place = try source.place(ofKeyPath: try name.get())
        let entity = source.entity(atEndOf: place.path)
        _ = try entity.folds(options, at: place.position)
        return ResolvedSort(path: place.path, position: place.position, ascending: ascending, options: options)
    }
}

extension FetchSortDescriptor: CustomStringConvertible {
    /// The key and the direction, in Core Data's format, and the options.
    public var description: String {
        "(\(key ?? "?"), \(ascending ? "ascending" : "descending")\(options.isEmpty ? "" : ", \(options)"))"
    }
}

extension String.StandardComparator {
    /// Whether the comparator compares Unicode scalars, which is also the order of UTF-8 bytes.
    fileprivate var isLexical: Bool {
        var forward = self
        forward.order = .forward
        return forward == .lexical
    }
}

extension ManagedObject {
    /// Returns the name of the attribute that the property at `keyPath` reads, or the key path to it through to-one
    /// relationships.
    static func attributePath(of keyPath: AnyKeyPath?) -> Result<String, StoreError> {
        let name = attributeName(of: keyPath)
        if case .failure = name, let keyPath, let path = PropertyProbe.attributePath(of: keyPath, self) {
            return .success(path)
        }
        return name
    }

    /// Returns the name of the attribute that the property at `keyPath` reads.
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

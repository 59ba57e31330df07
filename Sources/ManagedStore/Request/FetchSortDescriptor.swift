import Foundation

/// One key of an order: by name, or from Foundation's `SortDescriptor`.
///
/// Missing values come first in ascending order. Strings are ordered by their UTF-8 bytes, or by those of their folded
/// form with `options`.
///
/// A key may reach through to-one relationships: `FetchSortDescriptor(key: "folder.name")`, or
/// `SortDescriptor(\Item.folder?.name)` where all that is on the way is declared through ``Attribute`` and
/// ``Relationship``. Where one of them leads nowhere, the value is missing.
public struct FetchSortDescriptor: Sendable {
    private let name: Result<String, StoreError>
    /// Whether small values come first.
    public let ascending: Bool
    /// What is ignored when strings are ordered; strings that differ in nothing else are equal.
    public let options: FetchPredicate.StringOptions

    /// Orders by the attribute called `key`, or that at the end of a key path through to-one relationships; `options`
    /// are for strings.
    public init(key: String, ascending: Bool = true, options: FetchPredicate.StringOptions = []) {
        name = .success(key)
        self.ascending = ascending
        self.options = options
    }

    /// Orders by the attribute that a property reads, be it through to-one relationships; a property that reads none is
    /// refused when the request is executed, and so is a comparator of strings other than `.lexical`: stores know no
    /// locale.
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

    /// The attribute's name, or the key path that leads to it; nil when the descriptor's property is none.
    public var key: String? { try? name.get() }

    /// Finds what is sorted by among the attributes of `entity` alone.
    ///
    /// - Throws: `StoreError` with `unknownKey` or `wrongType`.
    func resolved(for entity: EntityDescription) throws(StoreError) -> ResolvedSort {
        let position = try entity.position(of: try name.get())
        _ = try entity.folds(options, at: position)
        return ResolvedSort(position: position, ascending: ascending, options: options)
    }

    /// Finds what is sorted by in the entity of `source`, or in those that its to-one relationships lead to.
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
    /// The key and the direction, as Core Data writes them, and what is ignored.
    public var description: String {
        "(\(key ?? "?"), \(ascending ? "ascending" : "descending")\(options.isEmpty ? "" : ", \(options)"))"
    }
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
    /// The name of the attribute that the property at `keyPath` reads, or the key path through to-one relationships to
    /// it.
    static func attributePath(of keyPath: AnyKeyPath?) -> Result<String, StoreError> {
        let name = attributeName(of: keyPath)
        if case .failure = name, let keyPath, let path = PropertyProbe.attributePath(of: keyPath, self) {
            return .success(path)
        }
        return name
    }

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

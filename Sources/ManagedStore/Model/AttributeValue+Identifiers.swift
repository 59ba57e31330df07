import Foundation

/// Compared and ordered by its bytes. If a file's value does not have sixteen bytes, a fetch throws an error that names
/// table, row and column; a fault, which cannot throw, reads the value as missing.
extension UUID: AttributeValue {
    /// `.uuid`
    public static var attributeType: AttributeType { .uuid }
    /// The value as predicates and stores use it.
    public var storedValue: StoredValue { .uuid(self) }
    /// Reads sixteen bytes.
    @inlinable public static func _load(_ field: RowField, of row: RowPointer, in page: RowPage) -> UUID {
        UUID(uuid: row.load(fromByteOffset: field.offset, as: uuid_t.self))
    }
    /// Writes sixteen bytes.
    @inlinable public func _store(to field: RowField, of row: RowPointer, in page: RowPage) {
        field.setNull(false, of: row)
        row.storeBytes(of: uuid, toByteOffset: field.offset, as: uuid_t.self)
    }
}

/// Stored as the absolute string, so that a relative URL loses its base. Compared and ordered by that string's bytes.
extension URL: AttributeValue {
    /// `.uri`
    public static var attributeType: AttributeType { .uri }
    /// The value as predicates and stores use it.
    public var storedValue: StoredValue { .uri(absoluteString) }
    /// Makes a URL of the string in the page. Returns `about:blank` for a missing value and for text that is not a URL.
    public static func _load(_ field: RowField, of row: RowPointer, in page: RowPage) -> URL {
        _loadIfValid(field, of: row, in: page) ?? blank
    }
    /// Makes a URL of the string in the page; nil for text that is not a URL.
    public static func _loadIfValid(_ field: RowField, of row: RowPointer, in page: RowPage) -> URL? {
        URL(string: String._load(field, of: row, in: page))
    }
    /// Copies the absolute string's UTF-8 bytes into the page.
    public func _store(to field: RowField, of row: RowPointer, in page: RowPage) {
        absoluteString._store(to: field, of: row, in: page)
    }
    /// Makes a URL of its string.
    ///
    /// - Throws: `StoreError` with `wrongType` for text that is not a URL.
    public static func _value(of stored: StoredValue) throws(StoreError) -> Any? {
        guard case .uri(let text) = stored else { return stored.any }
        if let url = URL(string: text) { return url }
        throw StoreError(.wrongType, "\"\(text)\" is not a URL")
    }

    private static let blank = URL(string: "about:blank") ?? URL(filePath: "/")
}

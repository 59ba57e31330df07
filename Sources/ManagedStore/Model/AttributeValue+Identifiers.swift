import Foundation

/// Compared and ordered by its bytes. A file's value that is not of sixteen bytes makes a fetch fail, naming table, row
/// and column; a fault, which cannot throw, reads it as missing.
extension UUID: AttributeValue {
    /// `.uuid`
    public static var attributeType: AttributeType { .uuid }
    /// The value in the form in which predicates and stores take it.
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

/// Kept as the absolute string, so that a relative URL loses its base; compared and ordered by that string's bytes.
extension URL: AttributeValue {
    /// `.uri`
    public static var attributeType: AttributeType { .uri }
    /// The value in the form in which predicates and stores take it.
    public var storedValue: StoredValue { .uri(absoluteString) }
    /// Makes a URL of the string in the page. What stands for no value, and for text that is no URL, is `about:blank`.
    public static func _load(_ field: RowField, of row: RowPointer, in page: RowPage) -> URL {
        _loadIfValid(field, of: row, in: page) ?? blank
    }
    /// Makes a URL of the string in the page; nil for text that is no URL.
    public static func _loadIfValid(_ field: RowField, of row: RowPointer, in page: RowPage) -> URL? {
        URL(string: String._load(field, of: row, in: page))
    }
    /// Copies the absolute string's UTF-8 bytes into the page.
    public func _store(to field: RowField, of row: RowPointer, in page: RowPage) {
        absoluteString._store(to: field, of: row, in: page)
    }
    /// Makes a URL of its string.
    ///
    /// - Throws: `StoreError` with `wrongType` for text that is no URL.
    public static func _value(of stored: StoredValue) throws(StoreError) -> Any? {
        guard case .uri(let text) = stored else { return stored.any }
        if let url = URL(string: text) { return url }
        throw StoreError(.wrongType, "\"\(text)\" is not a URL")
    }

    private static let blank = URL(string: "about:blank") ?? URL(filePath: "/")
}

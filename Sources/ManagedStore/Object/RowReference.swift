/// A row, which leads to its page. The holder of the reference must keep the page alive.
///
/// A save lists a million of them, and each changed row refers to the one that it replaces, so a reference is one
/// address.
struct RowReference {
    let row: RowPointer

    init(_ row: RowPointer) {
        self.row = row
    }

    /// The page that holds the row.
    var page: Unmanaged<RowPage> { @inline(__always) get { RowPage.page(of: row) } }

    /// The row that a changed one replaces.
    var origin: RowReference? { @inline(__always) get { page._withUnsafeGuaranteedRef { $0.origin(of: row) } } }

    var entityIndex: Int { page._withUnsafeGuaranteedRef { $0.entityIndex } }

    /// Returns the value of one attribute.
    func value(_ field: RowField) -> StoredValue {
        page._withUnsafeGuaranteedRef { $0.value(of: field, of: row) }
    }

    /// Returns the bytes of one string or data attribute.
    func bytes(_ field: RowField) -> UnsafeRawBufferPointer {
        page._withUnsafeGuaranteedRef { $0.bytes(of: field, of: row) }
    }
}

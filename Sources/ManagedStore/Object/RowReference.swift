/// A row and its page. The holder of the reference must keep the page alive.
struct RowReference {
    let page: Unmanaged<RowPage>
    let row: RowPointer

    init(page: Unmanaged<RowPage>, row: RowPointer) {
        self.page = page
        self.row = row
    }

    init(_ page: RowPage, _ row: RowPointer) {
        self.init(page: Unmanaged.passUnretained(page), row: row)
    }

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

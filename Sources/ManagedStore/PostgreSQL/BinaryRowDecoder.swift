import Foundation

/// Decodes rows in the server's binary form into pages, without an allocation per row or value.
struct BinaryRowDecoder {
    private let selection: RowSelection
    private let control: FetchControl
    /// The rows of one entity.
    private var rows = FetchedRows()
    private var page: RowPage?
    /// The rows of several entities.
    private var builder = FetchedRowsBuilder()
    private(set) var count = 0

    init(_ selection: RowSelection, _ control: FetchControl) {
        self.selection = selection
        self.control = control
    }

    /// Takes in a row with the selection's columns.
    @inline(__always) mutating func append(_ tuple: some BinaryTuple) throws(StoreError) {
        let key = try key(tuple)
        if let shape = selection.single {
            let page = try pageOfOne(shape.source)
            decode(tuple, shape, page.appendUninitializedRow(key: key), page)
        } else {
            let shape = try shape(tuple)
            let page = builder.page(for: shape.source)
            if page.count == 0, count > 0 { try control.found(count) }
            decode(tuple, shape, builder.appended(to: page, key: key), page)
        }
        count += 1
    }

    @inline(__always) private mutating func pageOfOne(_ source: ObjectIDSource) throws(StoreError) -> RowPage {
        if let page, !page.isFull { return page }
        if let page {
            page.trim()
            rows.pages.append(page)
            try control.found(count)
        }
        let next = RowPage(source, capacity: count > 0 ? RowPage.rows : 16)
        page = next
        return next
    }

    /// Returns the rows. Call it once, after the last one.
    mutating func finish() throws(StoreError) -> FetchedRows {
        try control.found(count)
        if selection.single == nil { return builder.finish() }
        if let page {
            page.trim()
            rows.pages.append(page)
        }
        return rows
    }

    @inline(__always) private func decode(
        _ tuple: some BinaryTuple, _ shape: RowSelection.Shape, _ row: RowPointer, _ page: RowPage
    ) {
        row.version = Int32(truncatingIfNeeded: tuple.int64(1))
        for (position, field) in page.layout.attributeFields.enumerated() {
            decode(tuple.bytes(Int(shape.columns[position])), field, row, page)
        }
        if !shape.references.isEmpty { decodeReferences(shape, tuple, row, page) }
    }

    private func shape(_ tuple: some BinaryTuple) throws(StoreError) -> RowSelection.Shape {
        if let shape = selection.shapes[tuple.int64(2)] { return shape }
        throw StoreError(
            .incompatibleStore,
            "table \(selection.tableName), row \(tuple.int64(0)): the model has no entity with the number "
                + "\(tuple.int64(2)) that Z_ENT names")
    }

    private func key(_ tuple: some BinaryTuple) throws(StoreError) -> Int64 {
        let key = tuple.int64(0)
        if key > 0 { return key }
        throw StoreError(
            .incompatibleStore,
            "table \(selection.tableName) has a row with the key \(key), and keys are positive; delete it")
    }

    private func decodeReferences(
        _ shape: RowSelection.Shape, _ tuple: some BinaryTuple, _ row: RowPointer, _ page: RowPage
    ) {
        for reference in shape.references {
            let key = tuple.int64(Int(shape.columns[reference.field]))
            let number = reference.entityColumn.map { tuple.int64(Int($0)) } ?? 0
            let entity = number == 0 ? reference.destination : reference.entities[number]
            page.layout.fields[reference.field].setReference(
                key <= 0 ? nil : entity.map { ObjectReference(entity: $0, key: key) }, of: row)
        }
    }

    @inline(__always) private func decode(
        _ bytes: UnsafeRawBufferPointer?, _ field: RowField, _ row: RowPointer, _ page: RowPage
    ) {
        guard let bytes else { return decodeNull(field, row) }
        switch field.storage {
        case .bit: if bytes.bigEndianInteger != 0 { field.setBool(true, of: row) }
        case .int64: row.storeBytes(of: bytes.bigEndianInteger, toByteOffset: field.offset, as: Int64.self)
        case .double: row.storeBytes(of: bytes.bigEndianDouble, toByteOffset: field.offset, as: Double.self)
        case .text, .bytes: page.storeBytes(bytes, to: field, of: row)
        case .int16:
            row.storeBytes(of: Int16(clamping: bytes.bigEndianInteger), toByteOffset: field.offset, as: Int16.self)
        case .int32:
            row.storeBytes(of: Int32(clamping: bytes.bigEndianInteger), toByteOffset: field.offset, as: Int32.self)
        case .float: row.storeBytes(of: Float(bytes.bigEndianDouble), toByteOffset: field.offset, as: Float.self)
        case .decimal:
            guard let number = NumericForm.number(bytes) else { return decodeNull(field, row) }
            number.store(to: field, of: row)
        case .uuid:
            guard bytes.count == 16, let start = bytes.baseAddress else { return decodeNull(field, row) }
            row.copyMemory(from: start, toByteOffset: field.offset, byteCount: 16)
        case .reference: break
        }
    }

    private func decodeNull(_ field: RowField, _ row: RowPointer) {
        row.clear(at: field.offset, count: field.storage.slotSize)
        field.setNull(true, of: row)
    }
}

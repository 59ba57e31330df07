import CSQLite
import Foundation

/// Decodes a statement's rows directly into pages, without an allocation per row or value.
struct RowDecoder {
    let selection: RowSelection
    let statement: Statement
    /// The location of values outside of the file.
    var externalData: ExternalData?
    /// Whether bytes that are not a UUID read as a missing value: for a fault, which cannot throw when its values are
    /// read.
    var isLenient = false
    /// Whether rows come in key order, because the table is scanned from start to end. A damaged file that yields rows
    /// twice, or rows that never existed, breaks this order.
    var isScan = false
    /// The number of rows if they are a few at most.
    var rowsMax: Int?
    /// The number of rows that earlier statements of the same fetch found.
    var foundBefore = 0

    /// Reads all rows of a query for the selection's columns.
    func decode(_ control: FetchControl) throws(StoreError) -> FetchedRows {
        if let shape = selection.single { return try decode(shape, control) }
        return try decodeMixed(control)
    }

    private func decode(
        _ shape: RowSelection.Shape, _ control: FetchControl
    ) throws(StoreError) -> FetchedRows {
        var rows = FetchedRows()
        let fields = shape.source.entity.layout.attributeFields
        let plainReferences = shape.references.compactMap { PlainReference($0, shape) }
        let hasMixedReferences = plainReferences.count < shape.references.count
        let hasExternals = !shape.externals.isEmpty
        var (total, lastKey) = (0, -1 as Int64)
        var page = firstPage(shape.source)
        while try statement.step() {
            if page.isFull || hasExternals && page.isArenaFull {
                page.trim()
                rows.pages.append(page)
                page = RowPage(shape.source, capacity: RowPage.rows)
                try control.found(foundBefore + total)
            }
            let values = statement.values
            let row = try decodeRow(into: page, fields, values)
            try checkOrder(row.key, after: &lastKey)
            if hasMixedReferences {
                decodeReferences(shape, row, page, values)
            } else {
                for reference in plainReferences { reference.decode(values, to: row) }
            }
            if hasExternals { try decodeExternals(shape, row, page) }
            total += 1
        }
        if page.count > 0 {
            if rowsMax != nil { statement.arenaByteCount = page.arena.count }
            page.trim()
            rows.pages.append(page)
        }
        statement.didRead(total)
        try control.found(foundBefore + total)
        return rows
    }

    /// Returns a page of the size that a few rows most likely take.
    private func firstPage(_ source: ObjectIDSource) -> RowPage {
        guard let rowsMax else { return RowPage(source) }
        let page = RowPage(source, capacity: rowsMax)
        if statement.arenaByteCount > 0 { page.reserveArena(statement.arenaByteCount) }
        return page
    }

    /// Decodes rows of several entities, which `Z_ENT` distinguishes.
    private func decodeMixed(_ control: FetchControl) throws(StoreError) -> FetchedRows {
        var builder = FetchedRowsBuilder()
        var (total, lastKey) = (0, -1 as Int64)
        while try statement.step() {
            let values = statement.values
            guard let shape = selection.shapes[values[2].int64] else { throw unknownEntity(values) }
            let page = builder.page(for: shape.source)
            if page.count == 0, total > 0 { try control.found(foundBefore + total) }
            let row = builder.appended(to: page, key: try values.key(in: selection.tableName))
            try checkOrder(row.key, after: &lastKey)
            row.version = Int32(truncatingIfNeeded: values[1].int64)
            for (field, column) in zip(page.layout.attributeFields, shape.columns) {
                try decode(column, field, row, page, values)
            }
            decodeReferences(shape, row, page, values)
            if !shape.externals.isEmpty { try decodeExternals(shape, row, page) }
            total += 1
        }
        statement.didRead(total)
        try control.found(foundBefore + total)
        return builder.finish()
    }

    /// - Throws: `StoreError` with `incompatibleStore`.
    @inline(__always) private func checkOrder(_ key: Int64, after last: inout Int64) throws(StoreError) {
        if isScan, key <= last { throw disorder(key, last) }
        last = key
    }

    private func disorder(_ key: Int64, _ last: Int64) -> StoreError {
        StoreError(
            .incompatibleStore,
            "table \(selection.tableName) is damaged: row \(key) comes after row \(last); restore the file from a copy, or save what "
                + "can be read with sqlite3's .recover")
    }

    private func unknownEntity(_ values: ColumnValues) -> StoreError {
        StoreError(
            .incompatibleStore,
            "table \(selection.tableName), row \(values[0].int64): the model has no entity with the number "
                + "\(values[2].int64) that Z_ENT names")
    }

    private func decodeReferences(
        _ shape: RowSelection.Shape, _ row: RowPointer, _ page: RowPage, _ values: ColumnValues
    ) {
        for reference in shape.references {
            let key = values[shape.columns[reference.field]].int64
            let number = reference.entityColumn.map { values[$0].int64 } ?? 0
            let entity = number == 0 ? reference.destination : reference.entities[number]
            // No row has the key 0, so it stands for no object, as NULL does. No object exists here for an entity that
            // the model does not have.
            page.layout.fields[reference.field].setReference(
                key <= 0 ? nil : entity.map { ObjectReference(entity: $0, key: key) }, of: row)
        }
    }

    @inline(__always) private func decodeRow(
        into page: RowPage, _ fields: [RowField], _ values: ColumnValues
    ) throws(StoreError) -> RowPointer {
        let row = page.appendUninitializedRow(key: try values.key(in: selection.tableName))
        row.version = Int32(truncatingIfNeeded: values[1].int64)
        var column: Int32 = 2
        for field in fields {
            try decode(column, field, row, page, values)
            column += 1
        }
        return row
    }

    /// Decodes a value. SQLite returns 0 and no bytes for NULL, so the type is requested only for these.
    ///
    /// If another program stored a value of another type in a column, this reads it as SQLite converts it: text as the
    /// number at its start, or 0; a number as its text. Integers out of the attribute's range are clamped.
    @inline(__always) private func decode(
        _ number: Int32, _ field: RowField, _ row: RowPointer, _ page: RowPage, _ values: ColumnValues
    ) throws(StoreError) {
        let column = values[number]
        switch field.storage {
        case .bit:
            if column.int64 != 0 {
                field.setBool(true, of: row)
            } else if column.isNull {
                field.setNull(true, of: row)
            }
        case .int64:
            let value = column.int64
            row.storeBytes(of: value, toByteOffset: field.offset, as: Int64.self)
            if value == 0, column.isNull { field.setNull(true, of: row) }
        case .double:
            let value = column.double
            row.storeBytes(of: value, toByteOffset: field.offset, as: Double.self)
            if value == 0, column.isNull { field.setNull(true, of: row) }
        case .text, .bytes:
            let bytes = column.bytes
            page.storeBytes(bytes, to: field, of: row)
            if bytes.isEmpty, column.isNull { field.setNull(true, of: row) }
        case .int16:
            let value = column.int64
            row.storeBytes(of: Int16(clamping: value), toByteOffset: field.offset, as: Int16.self)
            if value == 0, column.isNull { field.setNull(true, of: row) }
        case .int32:
            let value = column.int64
            row.storeBytes(of: Int32(clamping: value), toByteOffset: field.offset, as: Int32.self)
            if value == 0, column.isNull { field.setNull(true, of: row) }
        case .float:
            let value = column.double
            row.storeBytes(of: Float(value), toByteOffset: field.offset, as: Float.self)
            if value == 0, column.isNull { field.setNull(true, of: row) }
        case .decimal: decodeDecimal(column, field, row)
        case .uuid:
            guard decodeUUID(column, field, row) else { throw notAUUID(number, row.key, column.bytes.count) }
        case .reference: break
        }
    }

    @inline(__always) private func decodeDecimal(_ column: ColumnValue, _ field: RowField, _ row: RowPointer) {
        let type = column.type
        if type == SQLITE_INTEGER || type == SQLITE_NULL {
            DecimalNumber.whole(column.int64).store(to: field, of: row)
            if type == SQLITE_NULL { field.setNull(true, of: row) }
        } else {
            DecimalNumber(column.double).store(to: field, of: row)
        }
    }

    /// Returns false for a value that does not have sixteen bytes, unless the decoder is lenient. No meaningful UUID
    /// exists for such a value.
    @inline(__always) private func decodeUUID(_ column: ColumnValue, _ field: RowField, _ row: RowPointer) -> Bool {
        let bytes = column.bytes
        if bytes.count == 16, let start = bytes.baseAddress {
            row.copyMemory(from: start, toByteOffset: field.offset, byteCount: 16)
            return true
        }
        guard isLenient || column.isNull else { return false }
        row.clear(at: field.offset, count: 16)
        field.setNull(true, of: row)
        return true
    }

    /// - Returns: A `StoreError` with `storeFailure`.
    private func notAUUID(_ column: Int32, _ key: Int64, _ count: Int) -> StoreError {
        StoreError(
            .storeFailure,
            "table \(selection.tableName), row \(key): \(selection.columns[Int(column)]) holds \(count) bytes, "
                + "not the 16 of a UUID; correct it, or set it to NULL")
    }
}

/// A reference to objects of one entity. It holds nothing that would be counted for each row.
private struct PlainReference {
    private let field: RowField
    private let column: Int32
    private let destination: Int

    /// Returns nil for a reference that may lead to several entities.
    init?(_ reference: RowSelection.Reference, _ shape: RowSelection.Shape) {
        if reference.entityColumn != nil { return nil }
        field = shape.source.entity.layout.fields[reference.field]
        column = shape.columns[reference.field]
        destination = reference.destination
    }

    /// Decodes the reference. No row has the key 0, so it stands for no object, as NULL does.
    @inline(__always) func decode(_ values: ColumnValues, to row: RowPointer) {
        let key = values[column].int64
        field.setReference(key <= 0 ? nil : ObjectReference(entity: destination, key: key), of: row)
    }
}

import BenchHarness
import DriverSupport
import Foundation

/// A record as a plain struct, into which a programmer without an object store reads the rows of a server.
protocol ServerRecord: PlainRecord {
    /// Reads a row of ``ServerTable/selectList``.
    init(row: some ServerRow, of table: borrowing ServerTable)
    /// Appends the value of an attribute.
    func append(_ attribute: Int, of table: borrowing ServerTable, to sink: inout some ServerValueSink)
}

extension ServerRecord {
    /// Appends the key, the version, the number of the entity, every attribute, and the places in orders: a new record
    /// comes last, as its key does.
    func appendAll(of table: borrowing ServerTable, to sink: inout some ServerValueSink) {
        sink.append(key)
        sink.append(version)
        if !table.isShared { sink.append(Int64(table.records.number)) }
        for attribute in 0..<table.columns.count { append(attribute, of: table, to: &sink) }
        for _ in 0..<table.orderColumns.count { sink.append(key) }
    }
}

extension FieldRecord: ServerRecord {
    init(row: some ServerRow, of table: borrowing ServerTable) { self.init(row: row, of: table.records) }

    init(row: some ServerRow, of table: borrowing RecordTable) {
        key = row.int64(0)
        version = row.int64(1)
        values = table.entity.attributes.enumerated().map { row.value(of: $1.type, $0 + 2) }
    }

    func append(_ attribute: Int, of table: borrowing ServerTable, to sink: inout some ServerValueSink) {
        sink.append(values[attribute], as: table.entity.attributes[attribute].type)
    }
}

extension ItemRecord: ServerRecord {
    @inline(__always)
    init(row: some ServerRow, of table: borrowing ServerTable) {
        key = row.int64(0)
        version = row.int64(1)
        name = row.string(2)
        createdAt = row.double(3)
        done = row.bool(4)
    }

    @inline(__always)
    func append(_ attribute: Int, of table: borrowing ServerTable, to sink: inout some ServerValueSink) {
        switch attribute {
        case 0: sink.append(name)
        case 1: sink.append(createdAt)
        default: sink.append(done)
        }
    }
}

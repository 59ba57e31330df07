import BenchHarness

/// Appends the values of new records; it checks once per attribute what is common to all records.
struct RecordBinder {
    private let records: RecordGenerator
    private let types: [FieldType]
    /// The type of each attribute; nil if every value is null.
    private let present: [FieldType?]
    /// Whether any attribute is null in some records.
    private let isSparse: Bool

    init(_ records: RecordGenerator) {
        self.records = records
        types = records.entity.attributes.map(\.type)
        present = types.enumerated().map { records.isNull($0) ? nil : $1 }
        isSparse = types.indices.contains(where: records.isSometimesNull)
    }

    /// Appends the attributes of the record with `ordinal`.
    @inline(__always)
    func appendAttributes(of ordinal: Int, to sink: inout some SQLValueSink) throws {
        for attribute in types.indices {
            if isSparse, records.isNull(attribute, ordinal) {
                try sink.appendNull(types[attribute])
            } else {
                try append(attribute, of: ordinal, to: &sink)
            }
        }
    }

    private func append(_ attribute: Int, of ordinal: Int, to sink: inout some SQLValueSink) throws {
        switch present[attribute] {
        case nil: try sink.appendNull(types[attribute])
        case .string: try sink.append(records.string(attribute, ordinal))
        case .bool: try sink.append(records.bool(attribute, ordinal))
        case .date, .double: try sink.append(records.double(attribute, ordinal))
        case .int64: try sink.append(records.int64(attribute, ordinal))
        case .data: try sink.append(records.data(attribute, ordinal))
        }
    }
}

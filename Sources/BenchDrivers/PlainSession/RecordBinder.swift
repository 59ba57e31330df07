import BenchHarness

/// Binds the values of new records; it checks once per attribute what is common to all records.
struct RecordBinder {
    private let records: RecordGenerator
    /// The type of each attribute; nil if every value is null.
    private let types: [FieldType?]
    /// Whether any attribute is null in some records.
    private let isSparse: Bool

    init(_ records: RecordGenerator) {
        self.records = records
        types = records.entity.attributes.indices.map {
            records.isNull($0) ? nil : records.entity.attributes[$0].type
        }
        isSparse = types.indices.contains(where: records.isSometimesNull)
    }

    /// The number of parameters of a record: its key and its attributes.
    var parameters: Int { types.count + 1 }

    /// Binds the key and the attributes of the record with `ordinal` to the parameters from `first` on.
    @inline(__always)
    func bind(_ ordinal: Int, to statement: PlainStatement, from first: Int32) throws {
        try statement.bind(RecordTable.key(ordinal), at: first)
        try bindAttributes(ordinal, to: statement, from: first + 1)
    }

    /// Binds the attributes of the record with `ordinal` to the parameters from `first` on.
    @inline(__always)
    func bindAttributes(_ ordinal: Int, to statement: PlainStatement, from first: Int32) throws {
        for attribute in types.indices {
            let index = first + Int32(attribute)
            if isSparse, records.isNull(attribute, ordinal) {
                try statement.bindNull(at: index)
            } else {
                try bind(attribute, of: ordinal, to: statement, at: index)
            }
        }
    }

    private func bind(_ attribute: Int, of ordinal: Int, to statement: PlainStatement, at index: Int32) throws {
        switch types[attribute] {
        case nil: try statement.bindNull(at: index)
        case .string: try statement.bind(records.string(attribute, ordinal), at: index)
        case .bool: try statement.bind(records.bool(attribute, ordinal), at: index)
        case .date, .double: try statement.bind(records.double(attribute, ordinal), at: index)
        case .int64: try statement.bind(records.int64(attribute, ordinal), at: index)
        case .data: try statement.bind(records.data(attribute, ordinal), at: index)
        }
    }
}

import BenchHarness

/// Fetched rows in pages of columns, and their order.
struct ColumnRows: PlainRows {
    private let types: [FieldType]
    private var pages: [ColumnPage] = []
    /// The rows in their order; nil for the order in which they were read.
    private var order: [UInt32]?
    private(set) var count = 0

    init() { types = [] }

    init(types: [FieldType]) { self.types = types }

    @inline(__always)
    mutating func append(row: borrowing some SQLRow) {
        if pages.last?.isFull ?? true { pages.append(ColumnPage(types: types)) }
        pages[pages.count - 1].append(row: row)
        count += 1
    }

    /// One key of an order.
    struct SortKey {
        let attribute: Int
        let ascending: Bool
        /// What the number of a related record stands for, if that is the attribute.
        var places: RelatedPlaces?
    }

    /// Sorts by attributes, the most significant first; rows that are equal in all keep their order. `pause` is called
    /// at intervals and may throw to abort.
    ///
    /// - Parameter initial: The order that equal rows keep; nil for the order in which they were read.
    mutating func sort(
        _ keys: [SortKey], from initial: [UInt32]? = nil, pause: () throws -> Void
    ) throws {
        var order = initial.map(RowOrder.init) ?? RowOrder(count: count)
        // Stable sorts from the least significant key to the most significant one equal a sort by all keys at once.
        for key in keys.reversed() {
            let column = SortColumn(
                rows: self, attribute: key.attribute, type: types[key.attribute], places: key.places)
            try order.sort(by: column, key.ascending, pause)
        }
        self.order = order.isIdentity ? nil : order.rows
    }

    func digest(_ positions: Range<Int>, into digester: inout RecordDigester) {
        for position in positions {
            digest(at: position, into: &digester)
            digester.endRecord()
        }
    }

    /// Feeds every attribute of one row.
    func digest(at position: Int, into digester: inout RecordDigester) {
        let (page, row) = locate(position)
        for attribute in types.indices { add(attribute, page, row, to: &digester) }
    }

    /// Returns the values of an integer attribute, in order.
    func integers(_ attribute: Int) -> [Int64] {
        (0..<count).map { position in
            let (page, row) = locate(position)
            return Int64(bitPattern: page.slot(attribute, row))
        }
    }

    @inline(__always)
    private func add(_ attribute: Int, _ page: ColumnPage, _ row: Int, to digester: inout RecordDigester) {
        if page.isNull(attribute, row) { return digester.addNull() }
        let slot = page.slot(attribute, row)
        switch types[attribute] {
        case .bool: digester.add(slot != 0)
        case .int64: digester.add(Int64(bitPattern: slot))
        case .date, .double: digester.add(Double(bitPattern: slot))
        case .string: digester.add(utf8: page.bytes(attribute, row))
        case .data: digester.add(data: page.bytes(attribute, row))
        }
    }

    /// Returns the page, and the row in it, at a position of the order.
    @inline(__always)
    private func locate(_ position: Int) -> (ColumnPage, Int) {
        locate(row: order.map { Int($0[position]) } ?? position)
    }

    @inline(__always)
    fileprivate func locate(row: Int) -> (ColumnPage, Int) {
        (pages[row / ColumnPage.capacity], row % ColumnPage.capacity)
    }
}

/// A sort key: one attribute of all rows.
struct SortColumn {
    fileprivate let rows: ColumnRows
    fileprivate let attribute: Int
    let type: FieldType
    fileprivate let places: RelatedPlaces?

    func isNull(_ row: UInt32) -> Bool {
        let (page, row) = rows.locate(row: Int(row))
        return page.isNull(attribute, row)
    }

    /// Returns an unsigned integer with the same order as the value, which must not be a text or blob.
    func sortKey(_ row: UInt32) -> UInt64 {
        let (page, row) = rows.locate(row: Int(row))
        let slot = page.slot(attribute, row)
        if let places { return places[Int64(bitPattern: slot)] }
        switch type {
        case .bool, .int64: return slot ^ 1 << 63
        default: return Self.sortKey(Double(bitPattern: slot))
        }
    }

    /// Returns the bytes of a text or blob.
    func bytes(_ row: UInt32) -> UnsafeRawBufferPointer {
        let (page, row) = rows.locate(row: Int(row))
        return page.bytes(attribute, row)
    }

    /// Returns an unsigned integer with the same order: bits of IEEE 754 numbers have it after an adjustment of the
    /// sign; the two zeros are one value.
    static func sortKey(_ value: Double) -> UInt64 {
        let bits = (value == 0 ? 0 : value).bitPattern
        return bits >> 63 == 0 ? bits ^ 1 << 63 : ~bits
    }
}

/// The place of each record in an order of all records, by its key; equal ones share a place. Keys are dense.
struct RelatedPlaces {
    private var places: [UInt64] = []

    mutating func set(_ place: Int64, of key: Int64) {
        guard key >= 0 else { return }
        if key >= places.count { places += Array(repeating: 0, count: Int(key) + 1 - places.count) }
        places[Int(key)] = UInt64(bitPattern: place)
    }

    subscript(key: Int64) -> UInt64 { places.indices.contains(Int(key)) ? places[Int(key)] : 0 }
}

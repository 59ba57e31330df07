import Foundation

/// Up to some thousand rows of one entity in one allocation, with the bytes of their strings and data in an arena.
///
/// A fetch decodes rows into pages without an allocation per row or value. Objects point at their rows and keep the
/// page alive. An object is a single pointer: each row knows its distance from the first row, and the word before that
/// one leads to the page.
///
/// One thread fills a page and then passes it on. Afterwards it is either read-only, or *writable* and changed only on
/// its context's queue. Before each writable row is the address of the row that it replaces, its *origin*, except on
/// pages for the rows of new objects. The row points at the long values that it has in common with its origin.
public final class RowPage: @unchecked Sendable {
    let source: ObjectIDSource
    /// The source's entity index, copied for fast access.
    let entityIndex: Int
    let rootIndex: Int
    @usableFromInline let layout: RowLayout
    /// The registry of the context that registered the page; set once, before objects point at the page.
    var registry: ObjectRegistry? {
        didSet {
            unmanagedRegistry = registry.map { .passUnretained($0) }
            isWatched = registry?.isWatched ?? false
        }
    }
    /// The registry, without reference counting.
    @exclusivity(unchecked) private(set) var unmanagedRegistry: Unmanaged<ObjectRegistry>?
    /// Whether every use of the objects that point here checks that it happens on the right queue.
    private(set) var isWatched = false
    @exclusivity(unchecked) private(set) var count = 0

    @exclusivity(unchecked) private var base: UnsafeMutableRawPointer
    /// The number of rows that fit before the page grows or, if it is writable, is full.
    private(set) var capacity: Int
    let stride: Int
    let isWritable: Bool
    /// The bytes before each row for its origin.
    private let originSize: Int
    /// The number of rows in a full page.
    let rowsMax: Int
    /// Whether the unread objects that point here are read together.
    var isBatch = false
    /// The relationships that are read together with them.
    var prefetches: [PrefetchBranch] = []
    /// The cache that holds the page; set once, before other threads can see the page there.
    var cache: RowCache?
    /// Whether each row's key is greater than the previous one.
    @exclusivity(unchecked) private(set) var isAscending = true
    @exclusivity(unchecked) private var lastKey = Int64.min

    /// The bytes of strings and data that do not lie in the rows themselves.
    @exclusivity(unchecked) @usableFromInline var arena = RowArena()

    /// Whether a row of this page ever inherited a value.
    @exclusivity(unchecked) var hasHeirs = false
    /// The pages that hold the inherited values of a read-only page. None of them inherits values itself.
    @exclusivity(unchecked) var homes: [RowPage] = []

    /// The maximum number of rows of any page, as a power of two, so that shifting finds a row of a result.
    static let rowsShift = 12
    static let rows = 1 << rowsShift
    /// The bytes before the first row that hold the page's own address.
    @usableFromInline static let prefixSize = 16

    /// A template for a new object's row, without the key. Nil until the first new row, and if a default value needs
    /// the arena.
    private var newRow: UnsafeMutableRawPointer?

    /// Makes an empty page that grows as it is filled.
    init(_ source: ObjectIDSource, capacity: Int = 16) {
        self.source = source
        (entityIndex, rootIndex) = (source.entityIndex, source.rootIndex)
        layout = source.entity.layout
        stride = source.entity.layout.stride
        (isWritable, originSize) = (false, 0)
        rowsMax = Self.rowsMax(stride)
        self.capacity = min(capacity, rowsMax)
        base = Self.allocate(self.capacity * stride)
        pointBack()
    }

    /// Makes an empty page for `capacity` writable rows, which never move. Those of new objects replace no row.
    init(writable source: ObjectIDSource, capacity: Int, isForNewObjects: Bool = false) {
        self.source = source
        (entityIndex, rootIndex) = (source.entityIndex, source.rootIndex)
        layout = source.entity.layout
        (isWritable, originSize) = (true, isForNewObjects ? 0 : MemoryLayout<UnsafeRawPointer>.size)
        stride = source.entity.layout.stride + originSize
        rowsMax = Self.rowsMax(stride)
        self.capacity = min(capacity, rowsMax)
        base = Self.allocate(self.capacity * stride)
        pointBack()
    }

    /// The number of rows in a full page that is not writable.
    static func rowsMax(of source: ObjectIDSource) -> Int { rowsMax(source.entity.layout.stride) }

    /// Returns the number of rows whose distance to the first row is representable and whose memory is filled.
    private static func rowsMax(_ stride: Int) -> Int {
        let most = min(rows, Int(RowLayout.placeMask) * 8 / stride)
        return (PageMemory.fitting(prefixSize + most * stride) - prefixSize) / stride
    }

    private static func allocate(_ byteCount: Int) -> UnsafeMutableRawPointer {
        let memory = PageMemory.allocate(prefixSize + byteCount)
        precondition(
            UInt(bitPattern: memory) >> 48 == 0, "addresses of more than 48 bits leave no room for an object's state")
        return memory + prefixSize
    }

    private func deallocateRows() {
        PageMemory.deallocate(base - Self.prefixSize, Self.prefixSize + capacity * stride)
    }

    private func pointBack() {
        (base - Self.prefixSize).storeBytes(
            of: Unmanaged.passUnretained(self).toOpaque(), as: UnsafeMutableRawPointer.self)
    }

    /// Returns the page that holds a row.
    @inlinable @inline(__always) static func page(of row: RowPointer) -> Unmanaged<RowPage> {
        let prefix = row.address - (row.place * 8 + prefixSize)
        let page = Unmanaged<RowPage>.fromOpaque(prefix.load(as: UnsafeRawPointer.self))
        assert(page._withUnsafeGuaranteedRef { $0.contains(row) }, "the row's place does not lead to its page")
        return page
    }

    /// Whether the row lies in the page's memory.
    @usableFromInline func contains(_ row: RowPointer) -> Bool {
        row.address >= base && row.address < base + capacity * stride
    }

    deinit {
        cache?.remove(self)
        if hasOrigins { for index in 0..<count { setOrigin(nil, of: row(index)) } }
        deallocateRows()
        newRow?.deallocate()
        arena.deallocate()
    }

    var entity: EntityDescription { source.entity }

    /// Whether a row of this page can replace another one.
    @inline(__always) var hasOrigins: Bool { originSize > 0 }

    /// Whether the next row belongs on another page.
    var isFull: Bool {
        count == (isWritable ? capacity : rowsMax) || isArenaFull
    }

    /// Whether strings and data have filled the page, so that a growing row should move to another page.
    @usableFromInline var isArenaFull: Bool { arena.isFull }

    /// Returns the row at `index`.
    @inline(__always) func row(_ index: Int) -> RowPointer {
        assert(index >= 0 && index < capacity, "the page has no such row")
        return RowPointer(base + (index * stride + originSize))
    }

    /// Whether the keys ascend, and at least every eighth of their range has a row.
    var hasNeighbours: Bool { isAscending && count > 0 && row(count - 1).key - row(0).key < 8 * count }

    /// Appends a row with `key`, version 0 and no values.
    func appendRow(key: Int64) -> RowPointer {
        layout.emptyRow.withUnsafeBytes { appendRow(key: key, as: $0.baseAddress!) }
    }

    /// Appends the row of a new object: version 0, and the attributes' default values.
    func appendNewRow(key: Int64) -> RowPointer {
        if let newRow { return appendRow(key: key, as: newRow) }
        let row = appendRow(key: key)
        for (field, value) in entity.defaults { setValue(value, of: field, of: row) }
        if !entity.defaults.contains(where: \.0.isArena) {
            let copy = UnsafeMutableRawPointer.allocate(byteCount: layout.stride, alignment: 8)
            copy.copyMemory(from: row.address, byteCount: layout.stride)
            newRow = copy
        }
        return row
    }

    @inline(__always) private func appendRow(key: Int64, as bytes: UnsafeRawPointer) -> RowPointer {
        let row = nextRow()
        row.copyMemory(from: bytes, byteCount: layout.stride)
        row.place = place(of: row)
        setKey(key, of: row)
        return row
    }

    /// Returns space for one more row; a writable one gets no origin.
    @inline(__always) private func nextRow() -> RowPointer {
        if count == capacity { grow() }
        let row = row(count)
        count += 1
        if hasOrigins { originSlot(of: row).storeBytes(of: 0, as: UInt.self) }
        return row
    }

    @inline(__always) private func setKey(_ key: Int64, of row: RowPointer) {
        row.key = key
        if key <= lastKey { isAscending = false }
        lastKey = key
    }

    /// Appends a row with `key`, zeros in the rest of the header, and undefined values.
    @inline(__always) func appendUninitializedRow(key: Int64) -> RowPointer {
        let row = nextRow()
        setKey(key, of: row)
        for offset in Swift.stride(from: 8, to: layout.headerSize, by: 8) {
            row.storeBytes(of: 0, toByteOffset: offset, as: UInt64.self)
        }
        for offset in layout.laterNullWords { row.storeBytes(of: 0, toByteOffset: offset, as: UInt32.self) }
        row.storeBytes(of: UInt32(place(of: row)), toByteOffset: RowLayout.firstWord, as: UInt32.self)
        return row
    }

    /// Sets every byte of a row's values to zero, for code that does not write all of them.
    func clearValues(of row: RowPointer) {
        row.clear(at: layout.headerSize, count: layout.stride - layout.headerSize)
    }

    /// Appends a copy of another row of the same entity.
    @discardableResult
    @inline(__always) func appendCopy(of other: RowReference) -> RowPointer {
        let row = nextRow()
        setKey(other.row.key, of: row)
        copyRow(other, to: row)
        row.place = place(of: row)
        return row
    }

    /// Appends a row for changes to another row of the same entity. The caller makes `other`, or the origin of `other`,
    /// its origin.
    @inline(__always) func appendHeir(of other: RowReference) -> RowPointer {
        let row = nextRow()
        setKey(other.row.key, of: row)
        inheritRow(other, to: row)
        row.place = place(of: row)
        return row
    }

    @inline(__always) private func place(of row: RowPointer) -> Int { (row.address - base) / 8 }

    private func grow() {
        precondition(!isWritable && count < rowsMax, "the page is full")
        let larger = min(capacity * 4, rowsMax)
        reallocate(to: larger)
    }

    private func reallocate(to rows: Int) {
        let rows = max(rows, 1)
        let moved = Self.allocate(rows * stride)
        moved.copyMemory(from: base, byteCount: count * stride)
        deallocateRows()
        base = moved
        capacity = rows
        pointBack()
    }

    /// Frees the unused memory of a filled page.
    func trim() {
        if !isWritable, count < capacity { reallocate(to: count) }
        arena.trim()
    }
}

import CSystem
import Foundation

/// Finds the live object with a given key without keeping it alive: a table of unretained references.
///
/// Swift's weak references cost an allocation and about 190 ns per object. Here an object removes itself from the table
/// when it dies, and a reader retains an object unless its deinitialization has begun. The owner holds the lock during
/// every call.
///
/// Keys are dense in practice. The table therefore groups neighbouring keys into chunks: arrays indexed by the key's
/// low bits, which open addressing finds by the high bits. A million objects fetched in key order fill one chunk after
/// another. A lookup never reads an object to learn its key, and a removal leaves no tombstone.
///
/// A single open-addressing table of objects is slower. With a hash that keeps neighbours together, a million removals
/// leave a single run of a million tombstones; with a hash that scatters them, every access misses the cache.
struct ObjectTable {
    private typealias Chunk = UnsafeMutablePointer<UInt>

    private struct Entry {
        /// The chunk's number; the low bits, as many as a key has within its chunk, hold one less than the chunk's
        /// object count. An update thus touches only the reference in a chunk, not a distant count as well.
        var numberAndCount: Int64
        /// The references, 0 for none; nil in a free entry.
        var chunk: Chunk?

        var number: Int64 { numberAndCount >> ObjectTable.chunkShift }
        var count: Int { Int(numberAndCount & Int64(ObjectTable.chunkSize - 1)) + 1 }
    }

    private static let chunkShift = Int64(5)
    private static let chunkSize = 1 << Int(chunkShift)

    private var entries: UnsafeMutablePointer<Entry>
    private var capacity: Int
    private var chunkCount = 0
    /// The index of an entry that was found lately.
    private var recent = 0
    /// The number of objects.
    private(set) var count = 0

    init() {
        capacity = 8
        entries = Self.allocate(8)
    }

    func deallocate() {
        for index in 0..<capacity { entries[index].chunk?.deallocate() }
        entries.deallocate()
    }

    /// Returns the object with `key`, retained; nil if there is none or its deinitialization has begun.
    func object(_ key: Int64) -> ManagedObject? {
        guard let chunk = entries[index(of: key >> Self.chunkShift)].chunk else { return nil }
        return Self.retained(chunk[Self.slot(key)])
    }

    /// Prefetches into the processor's cache what ``object(_:)`` will read soon, for a walk over keys in any order that
    /// has come to `place`.
    @inline(__always) func prefetch(from place: Int, to end: Int, _ key: (Int) -> Int64) {
        if place + 16 < end { prefetchEntry(key(place + 16)) }
        if place + 8 < end { prefetchReference(key(place + 8)) }
    }

    /// Prefetches where ``object(_:)`` begins to look.
    @inline(__always) private func prefetchEntry(_ key: Int64) {
        csystem_prefetch(entries + home(of: key >> Self.chunkShift))
    }

    /// Prefetches the reference that ``object(_:)`` finds. Waits for the entry, which is to be prefetched before.
    private func prefetchReference(_ key: Int64) {
        guard let chunk = entries[index(of: key >> Self.chunkShift)].chunk else { return }
        csystem_prefetch(chunk + Self.slot(key))
    }

    /// Returns the object with `key`, retained; adds and returns the result of `make` if there is none.
    @inline(__always) mutating func object(
        _ key: Int64, orInsert make: () -> ManagedObject
    ) -> (object: ManagedObject, isNew: Bool) {
        let number = key >> Self.chunkShift
        // Rows mostly come in the order of their keys, so that the next one belongs to the same chunk.
        if entries[recent].number != number || entries[recent].chunk == nil { recent = index(of: number) }
        let index = recent
        if let chunk = entries[index].chunk, let known = Self.retained(chunk[Self.slot(key)]) { return (known, false) }
        let object = make()
        insert(object, key, at: index)
        return (object, true)
    }

    /// Adds `object` under its row's key; replaces a dying object with the same key.
    mutating func insert(_ object: ManagedObject) {
        let key = object.row.key
        insert(object, key, at: index(of: key >> Self.chunkShift))
    }

    /// Adds `object`, given its chunk's entry or the free entry for that chunk.
    @inline(__always) private mutating func insert(_ object: ManagedObject, _ key: Int64, at index: Int) {
        guard let chunk = entries[index].chunk else { return insertFirst(object, key, at: index) }
        if chunk[Self.slot(key)] == 0 {
            entries[index].numberAndCount += 1
            count += 1
        }
        chunk[Self.slot(key)] = Self.bits(object)
    }

    /// Removes `object` if the table has it.
    mutating func remove(_ object: ManagedObject) {
        let key = object.row.key
        let index = index(of: key >> Self.chunkShift)
        guard let chunk = entries[index].chunk, chunk[Self.slot(key)] == Self.bits(object) else { return }
        chunk[Self.slot(key)] = 0
        count -= 1
        if entries[index].count == 1 { return removeChunk(at: index) }
        entries[index].numberAndCount -= 1
    }

    /// Returns all objects whose deinitialization has not begun, retained.
    func objects() -> [ManagedObject] {
        var objects: [ManagedObject] = []
        objects.reserveCapacity(count)
        for index in 0..<capacity {
            guard let chunk = entries[index].chunk else { continue }
            for slot in 0..<Self.chunkSize {
                if let object = Self.retained(chunk[slot]) { objects.append(object) }
            }
        }
        return objects
    }

    // MARK: Chunks

    /// Returns the entry of a chunk, or the free entry where the chunk belongs.
    @inline(__always) private func index(of number: Int64) -> Int {
        var index = home(of: number)
        while entries[index].chunk != nil, entries[index].number != number { index = (index + 1) & (capacity - 1) }
        return index
    }

    @inline(__always) private func home(of number: Int64) -> Int {
        // Fibonacci hashing: the high bits of the product are well mixed.
        let product = UInt64(bitPattern: number) &* 0x9E37_79B9_7F4A_7C15
        return Int(truncatingIfNeeded: product >> 32) & (capacity - 1)
    }

    /// Adds an object in a new chunk, whose entry belongs at `index` unless the table grows.
    private mutating func insertFirst(_ object: ManagedObject, _ key: Int64, at index: Int) {
        let number = key >> Self.chunkShift
        var index = index
        if (chunkCount + 1) * 2 > capacity {
            grow()
            index = self.index(of: number)
        }
        let chunk = Chunk.allocate(capacity: Self.chunkSize)
        chunk.initialize(repeating: 0, count: Self.chunkSize)
        chunk[Self.slot(key)] = Self.bits(object)
        entries[index] = Entry(numberAndCount: number << Self.chunkShift, chunk: chunk)
        chunkCount += 1
        count += 1
    }

    private mutating func grow() {
        let (old, oldCapacity) = (entries, capacity)
        capacity *= 2
        entries = Self.allocate(capacity)
        for position in 0..<oldCapacity where old[position].chunk != nil {
            entries[index(of: old[position].number)] = old[position]
        }
        old.deallocate()
    }

    /// Frees a chunk and moves later entries of its run up, so that no probe ends too early (Knuth, 6.4, algorithm R).
    private mutating func removeChunk(at index: Int) {
        entries[index].chunk?.deallocate()
        entries[index].chunk = nil
        chunkCount -= 1
        var (hole, next) = (index, (index + 1) & (capacity - 1))
        while entries[next].chunk != nil {
            let distance = (next - home(of: entries[next].number)) & (capacity - 1)
            if distance >= (next - hole) & (capacity - 1) {
                entries[hole] = entries[next]
                entries[next].chunk = nil
                hole = next
            }
            next = (next + 1) & (capacity - 1)
        }
    }

    private static func allocate(_ capacity: Int) -> UnsafeMutablePointer<Entry> {
        let entries = UnsafeMutablePointer<Entry>.allocate(capacity: capacity)
        entries.initialize(repeating: Entry(numberAndCount: 0, chunk: nil), count: capacity)
        return entries
    }

    // MARK: References

    @inline(__always) private static func slot(_ key: Int64) -> Int {
        Int(truncatingIfNeeded: key) & (chunkSize - 1)
    }

    @inline(__always) private static func bits(_ object: ManagedObject) -> UInt {
        UInt(bitPattern: Unmanaged.passUnretained(object).toOpaque())
    }

    private static func retained(_ bits: UInt) -> ManagedObject? {
        guard let pointer = UnsafeMutableRawPointer(bitPattern: bits) else { return nil }
        return Unmanaged<ManagedObject>.fromOpaque(pointer).retainedIfAlive()
    }

    /// Checks the invariants that hold between calls.
    func _checkInvariants() {
        precondition(capacity & (capacity - 1) == 0 && chunkCount * 2 <= capacity, "the table is too full")
        var (objects, chunks) = (0, 0)
        for position in 0..<capacity {
            guard let chunk = entries[position].chunk else { continue }
            let references = (0..<Self.chunkSize).count { chunk[$0] != 0 }
            precondition(references == entries[position].count, "a chunk's count is wrong")
            precondition(references > 0, "an empty chunk was not freed")
            precondition(index(of: entries[position].number) == position, "a chunk cannot be found from its home")
            checkKeys(chunk, entries[position].number)
            objects += references
            chunks += 1
        }
        precondition(objects == count && chunks == chunkCount, "the counts are wrong")
    }

    private func checkKeys(_ chunk: Chunk, _ number: Int64) {
        for slot in 0..<Self.chunkSize {
            // Not retained: a dying object is readable as long as the lock keeps it in the table.
            guard let pointer = UnsafeMutableRawPointer(bitPattern: chunk[slot]) else { continue }
            let key = Unmanaged<ManagedObject>.fromOpaque(pointer)._withUnsafeGuaranteedRef { $0.row.key }
            precondition(key == number << Self.chunkShift | Int64(slot), "an object stands under another key")
        }
    }
}

import Foundation

/// Memory for the strings and data of a page that are too long for their rows. Values lie one after another; rows hold
/// their offsets and lengths, 32 bits each.
///
/// Its page owns it and deallocates it.
@usableFromInline struct RowArena {
    @usableFromInline private(set) var start: UnsafeMutableRawPointer?
    private(set) var count = 0
    private(set) var capacity = 0
    /// Bytes that no row points at any more.
    var garbage = 0

    /// Offsets end here.
    static let countMax = Int(UInt32.max)
    /// A page is closed at so many bytes, long before offsets end.
    private static let countWhenFull = 1 << 28

    /// Whether the next value belongs in another arena.
    var isFull: Bool { count > Self.countWhenFull }

    /// Whether another value of `more` bytes leaves the arena at a size at which it still takes values.
    func hasRoom(for more: Int) -> Bool { count + more <= Self.countWhenFull }

    /// Whether there is so much garbage that a copy of the rest saves memory.
    var isWorthCompacting: Bool { garbage > 1 << 16 && garbage > count / 2 }

    /// The bytes at an offset.
    @inlinable @inline(__always) func bytes(at offset: UInt32, count: UInt32) -> UnsafeRawBufferPointer {
        UnsafeRawBufferPointer(start: start! + Int(offset), count: Int(count))
    }

    /// Whether bytes lie in the memory of this arena.
    func contains(_ bytes: UnsafeRawBufferPointer) -> Bool {
        guard let start, let first = bytes.baseAddress, first >= UnsafeRawPointer(start) else { return false }
        return first + bytes.count <= UnsafeRawPointer(start) + count
    }

    /// Appends bytes, for which there must be room.
    @inline(__always) mutating func append(_ bytes: UnsafeRawBufferPointer) {
        if let first = bytes.baseAddress { memcpy(start! + count, first, bytes.count) }
        count += bytes.count
    }

    /// Makes room for `more` bytes, in one of the spare blocks if there are any. The bytes that are there may move.
    mutating func grow(by more: Int, reusing spare: SpareArenas?) {
        let wanted = max(count + more, capacity * 2, 256)
        if let block = spare?.take(wanted) { return move(to: block) }
        capacity = wanted
        start = realloc(start, capacity)
    }

    private mutating func move(to block: SpareArenas.Block) {
        if let start {
            memcpy(block.start, start, count)
            deallocate()
        }
        (start, capacity) = (block.start, block.byteCount)
    }

    /// Gives back the room that is left over.
    mutating func trim() {
        guard count < capacity, let start else { return }
        self.start = realloc(start, max(count, 1))
        capacity = count
    }

    func deallocate() {
        if let start { SpareArenas.shared.add(SpareArenas.Block(start: start, byteCount: capacity)) }
    }
}

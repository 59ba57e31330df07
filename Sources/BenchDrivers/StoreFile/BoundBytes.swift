/// The texts and blobs that are bound to the parameters of a statement, until its next run.
///
/// SQLite reads them here. If it copied them, it would allocate and free memory for each value.
struct BoundBytes: ~Copyable {
    private var start: UnsafeMutableRawPointer?
    private var capacity = 0
    private var count = 0
    /// The number of bytes for which there should have been room.
    private var needed = 0

    deinit { start?.deallocate() }

    /// Keeps some bytes, and returns their place; nil if there is no room for them, as in the first run.
    @inline(__always)
    mutating func keep(_ bytes: UnsafeRawBufferPointer) -> UnsafeMutableRawPointer? {
        needed += bytes.count
        guard let start, let source = bytes.baseAddress, count + bytes.count <= capacity else { return nil }
        let place = start + count
        place.copyMemory(from: source, byteCount: bytes.count)
        count += bytes.count
        return place
    }

    /// Forgets the bytes, which all parameters must then be bound anew for. If they had too little room, the next ones
    /// get more.
    @inline(__always)
    mutating func forget() {
        if needed > capacity { grow() }
        (count, needed) = (0, 0)
    }

    private mutating func grow() {
        start?.deallocate()
        capacity = needed * 2
        start = .allocate(byteCount: capacity, alignment: 1)
    }
}

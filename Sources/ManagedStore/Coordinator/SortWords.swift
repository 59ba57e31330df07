/// Rows to sort by one number each: 32 bits of the number above 32 bits of the row's position.
///
/// The numbers may differ in up to 64 bits. The words hold 32 of them, starting at the highest bit in which the
/// greatest number differs from the least.
struct SortWords: ~Copyable {
    private typealias Buffer = UnsafeMutableBufferPointer<UInt64>

    private var words: Buffer
    /// The numbers at first; later the words before or after a pass.
    private var other: Buffer
    /// The number of bits of the numbers in the words, and the number of lower bits missing from them.
    private let (bitCount, missingBits): (Int, Int)

    /// Whether equal words imply equal numbers.
    var areExact: Bool { missingBits == 0 }

    init(_ places: [UInt32], ascending: Bool, number: (UInt32) -> UInt64) {
        (words, other) = (Self.allocate(places.count), Self.allocate(places.count))
        // 0 mostly stands for missing values, and is not to widen the range of the other numbers.
        var (least, greatest) = (UInt64.max, UInt64(0))
        for (index, place) in places.enumerated() {
            let number = number(place)
            other[index] = number
            if number != 0 { least = min(least, number) }
            greatest = max(greatest, number)
        }
        let range = greatest == 0 ? 0 : greatest - least + 1
        let rangeBits = 64 - range.leadingZeroBitCount
        (bitCount, missingBits) = (min(rangeBits, 32), max(rangeBits - 32, 0))
        let (missing, last) = (UInt64(missingBits), range >> UInt64(missingBits))
        for (index, place) in places.enumerated() {
            let bits = other[index] == 0 ? 0 : (other[index] - least + 1) >> missing
            words[index] = (ascending ? bits : last - bits) << 32 | UInt64(place)
        }
    }

    deinit {
        Self.deallocate(words)
        Self.deallocate(other)
    }

    // Mapped directly, since the allocator would keep memory of this size after its release.
    private static func allocate(_ count: Int) -> Buffer {
        let memory = PageMemory.allocate(max(count, 1) * MemoryLayout<UInt64>.stride)
        return Buffer(start: memory.bindMemory(to: UInt64.self, capacity: count), count: count)
    }

    private static func deallocate(_ buffer: Buffer) {
        guard let start = buffer.baseAddress else { return }
        PageMemory.deallocate(start, max(buffer.count, 1) * MemoryLayout<UInt64>.stride)
    }

    /// The rows' positions in the current order.
    var places: [UInt32] { places(0..<words.count) }

    /// Returns the positions of some rows.
    func places(_ range: Range<Int>) -> [UInt32] { words[range].map { UInt32(truncatingIfNeeded: $0) } }

    /// Returns the next run of at least two rows whose words hold the same bits.
    func nextTie(from start: Int) -> Range<Int>? {
        var next = start + 1
        while next < words.count, words[next] >> 32 != words[next - 1] >> 32 { next += 1 }
        guard next < words.count else { return nil }
        let first = next - 1
        while next < words.count, words[next] >> 32 == words[first] >> 32 { next += 1 }
        return first..<next
    }

    /// Reorders the rows of a run.
    mutating func replace(_ run: Range<Int>, by places: [UInt32]) {
        let bits = words[run.lowerBound] & ~UInt64(UInt32.max)
        for (index, place) in zip(run, places) { words[index] = bits | UInt64(place) }
    }

    /// Sorts the rows of a run.
    mutating func sort(_ run: Range<Int>, by isBefore: (UInt32, UInt32) -> Bool) {
        words[run].sort { isBefore(UInt32(truncatingIfNeeded: $0), UInt32(truncatingIfNeeded: $1)) }
    }
}

// MARK: - Radix sort

extension SortWords {
    /// 11 bits need at most three passes, each of which counts first; bytes would need four.
    private static let digitBits = 11
    private static let digitSize = 1 << digitBits

    /// Sorts by the least significant digit first and skips digits that are the same in every word. Rows with equal
    /// bits keep their order.
    ///
    /// - Throws: `StoreError` with `cancelled`.
    mutating func sort(_ control: FetchControl) throws(StoreError) {
        if isSorted { return }
        for shift in stride(from: 32, to: 32 + bitCount, by: Self.digitBits) {
            var starts = digitCounts(shift)
            if starts.contains(words.count) { continue }
            var next = 0
            for digit in starts.indices { (starts[digit], next) = (next, next + starts[digit]) }
            distribute(from: &starts, shift)
            swap(&words, &other)
            try control.checkCancellation()
        }
    }

    private var isSorted: Bool {
        for index in words.indices.dropFirst() where words[index - 1] >> 32 > words[index] >> 32 { return false }
        return true
    }

    @inline(__always) private static func digit(_ word: UInt64, _ shift: Int) -> Int {
        Int(truncatingIfNeeded: word &>> UInt64(shift)) & (digitSize - 1)
    }

    /// Returns how often each value of a digit occurs.
    private func digitCounts(_ shift: Int) -> [Int] {
        var counts = [Int](repeating: 0, count: Self.digitSize)
        counts.withUnsafeMutableBufferPointer { counts in
            for word in words { counts[Self.digit(word, shift)] &+= 1 }
        }
        return counts
    }

    /// Writes the words to the other buffer, each to the next place for its digit.
    private mutating func distribute(from starts: inout [Int], _ shift: Int) {
        starts.withUnsafeMutableBufferPointer { starts in
            for word in words {
                let digit = Self.digit(word, shift)
                other[starts[digit]] = word
                starts[digit] &+= 1
            }
        }
    }
}

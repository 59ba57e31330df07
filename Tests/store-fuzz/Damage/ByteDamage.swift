import Foundation
import TestSupport

/// Changes bytes of a store's file, of its log and of its journal: anywhere, or where they say what is where.
enum ByteDamage: CaseIterable {
    /// A few bytes have other values.
    case bytes
    /// A byte of the file's, the log's or the journal's header has another value.
    case header
    /// A byte has another value where a page says what is in it: its kind, its cells and where they lie.
    case pageHeader
    /// A number of the file's header that leads to free pages, or counts pages.
    case freelist
    /// A stretch is blanked.
    case stretch
    /// A page is in the place of another.
    case page
    /// The end is missing.
    case end

    private static let pageSize = 1_024

    static func perform(on files: inout [String: Data], _ random: inout SeededGenerator) {
        for _ in 0..<Int.random(in: 1...3, using: &random) {
            let name = random.oneIn(3) ? random.pick(files.keys.sorted()) : ValidFile.name
            guard var bytes = files[name], bytes.count > 2 * pageSize else { continue }
            random.pick(allCases).perform(on: &bytes, name, &random)
            // Of a frame whose checksum is wrong, nothing is read.
            if name.hasSuffix("-wal"), !random.oneIn(4) { LogChecksum.renew(&bytes) }
            files[name] = bytes
        }
    }

    private func perform(on bytes: inout Data, _ name: String, _ random: inout SeededGenerator) {
        let size = Self.pageSize
        // A log has a header of its own, and one before each page.
        let (start, stride) = name.hasSuffix("-wal") ? (32 + 24, size + 24) : (0, size)
        let pages = (bytes.count - start) / stride
        func number(_ range: Range<Int>) -> Int { Int.random(in: range, using: &random) }
        func byte() -> UInt8 {
            random.pick([0, 1, 2, 5, 10, 13, 127, 128, 255, UInt8.random(in: 0...255, using: &random)])
        }
        func page() -> Int { start + number(0..<pages) * stride }
        switch self {
        case .bytes: for _ in 0..<number(1..<9) { bytes[number(0..<bytes.count)] = byte() }
        case .header: bytes[number(0..<100)] = byte()
        case .pageHeader:
            let page = page()
            bytes[page + (page == 0 ? 100 : 0) + number(0..<30)] = byte()
        case .freelist: bytes[random.pick([28, 32, 36, 52, 64]) + number(0..<4)] = byte()
        case .stretch:
            let (first, length) = (number(100..<bytes.count - 200), number(1..<200))
            bytes.replaceSubrange(first..<first + length, with: Data(repeating: byte(), count: length))
        case .page:
            let (from, to) = (page(), page())
            let content = Data(bytes[from..<min(from + size, bytes.count)])
            bytes.replaceSubrange(to..<min(to + content.count, bytes.count), with: content)
        case .end: bytes.removeLast(number(1..<bytes.count - size))
        }
    }
}

/// The checksums of a write-ahead log (sqlite.org/fileformat2.html, "Checksum Algorithm").
enum LogChecksum {
    /// Makes the header and the frames valid again, all that are whole.
    static func renew(_ log: inout Data) {
        guard log.count >= 32 else { return }
        let isBigEndian = log[3] & 1 == 1
        var sum = add(log[0..<24], isBigEndian, (0, 0))
        write(sum, to: &log, at: 24)
        let size = Int(word(log, at: 8, isBigEndian: true))
        guard (512...65_536).contains(size), size & (size - 1) == 0 else { return }
        for frame in stride(from: 32, through: log.count - size - 24, by: size + 24) {
            // The salts are those of the header.
            log.replaceSubrange(frame + 8..<frame + 16, with: Data(log[16..<24]))
            sum = add(log[frame..<frame + 8], isBigEndian, sum)
            sum = add(log[frame + 24..<frame + 24 + size], isBigEndian, sum)
            write(sum, to: &log, at: frame + 16)
        }
    }

    private static func add(_ bytes: Data, _ isBigEndian: Bool, _ sum: (UInt32, UInt32)) -> (UInt32, UInt32) {
        var (first, second) = sum
        for position in stride(from: bytes.startIndex, to: bytes.endIndex, by: 8) {
            first &+= word(bytes, at: position, isBigEndian: isBigEndian) &+ second
            second &+= word(bytes, at: position + 4, isBigEndian: isBigEndian) &+ first
        }
        return (first, second)
    }

    private static func word(_ bytes: Data, at position: Int, isBigEndian: Bool) -> UInt32 {
        let word = bytes[position..<position + 4].reduce(UInt32(0)) { $0 << 8 | UInt32($1) }
        return isBigEndian ? word : word.byteSwapped
    }

    private static func write(_ sum: (UInt32, UInt32), to bytes: inout Data, at position: Int) {
        for (index, word) in [sum.0, sum.1].enumerated() {
            for byte in 0..<4 { bytes[position + index * 4 + byte] = UInt8(word >> (24 - 8 * byte) & 0xFF) }
        }
    }
}

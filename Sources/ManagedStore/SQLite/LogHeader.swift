import Foundation

/// The first bytes of a write-ahead log, which show SQLite whether it holds anything. After a power cut they may have
/// any value. See "WAL File Format" in SQLite's description of its file format.
enum LogHeader {
    private static let length = 32
    /// The value for big-endian checksums; the value for little-endian ones is one less.
    private static let magic: UInt32 = 0x377f_0683

    /// Whether the log at `path` has a header that SQLite accepts, followed by data. SQLite treats any other log as
    /// empty.
    static func isFollowed(at path: String) -> Bool {
        guard let file = FileHandle(forReadingAtPath: path) else { return false }
        defer { try? file.close() }
        guard let beginning = try? file.read(upToCount: length + 1), beginning.count > length else { return false }
        return isValid([UInt8](beginning.prefix(length)))
    }

    private static func isValid(_ header: [UInt8]) -> Bool {
        let words = stride(from: 0, to: length, by: 4).map { start in
            header[start..<start + 4].reduce(0) { $0 << 8 | UInt32($1) }
        }
        guard words[0] | 1 == magic else { return false }
        var sums: (UInt32, UInt32) = (0, 0)
        for index in stride(from: 0, to: 6, by: 2) {
            let isBig = words[0] == magic
            sums.0 &+= (isBig ? words[index] : words[index].byteSwapped) &+ sums.1
            sums.1 &+= (isBig ? words[index + 1] : words[index + 1].byteSwapped) &+ sums.0
        }
        return sums == (words[6], words[7])
    }
}

import Foundation

/// The commits in the write-ahead log of a SQLite file.
///
/// SQLite holds its locks on other files, so closing a log that this process has open besides releases none. The format
/// is that of <https://www.sqlite.org/fileformat2.html#walformat>.
struct WriteAheadLog {
    /// The end of the last commit of a log.
    struct Position: Sendable {
        /// The salts of the log.
        let salts: [UInt8]
        /// The number of frames up to the last that ends a commit.
        let frames: Int
    }

    private static let headerBytes = 32
    private static let frameHeaderBytes = 24

    private let file: FileHandle
    /// Random numbers that SQLite chooses anew when the log starts again from its beginning.
    let salts: [UInt8]
    private let frameBytes: Int
    private let frames: Int

    /// Reads the header; nil if the file is not a log, or is empty.
    init?(_ url: URL) {
        guard let file = try? FileHandle(forReadingFrom: url),
            let header = Self.read(file, at: 0, count: Self.headerBytes),
            header[0..<3] == [0x37, 0x7f, 0x06], let bytes = try? file.seekToEnd()
        else { return nil }
        self.file = file
        salts = Array(header[16..<24])
        frameBytes = Self.frameHeaderBytes + header[8..<12].reduce(0) { $0 << 8 | Int($1) }
        frames = (Int(bytes) - Self.headerBytes) / frameBytes
    }

    /// The end of the last commit; nil if the log has none.
    ///
    /// Frames with other salts are of the time before the log started again, and lie behind all others. Frames of a
    /// transaction that has not ended have the salts, but end no commit.
    /// - Complexity: Logarithmic in the number of frames, except for those after the last commit.
    var position: Position? {
        var (low, high) = (0, frames)
        while low < high {
            let middle = (low + high) / 2
            if endsCommit(middle) == nil { high = middle } else { low = middle + 1 }
        }
        while low > 0, endsCommit(low - 1) == false { low -= 1 }
        return low > 0 ? Position(salts: salts, frames: low) : nil
    }

    /// Returns the number of commits that end in a range of frames, or `limit` if there are more.
    func commits(in range: Range<Int>, limit: Int) -> Int {
        var count = 0
        for frame in range where count < limit {
            if endsCommit(frame) == true { count += 1 }
        }
        return count
    }

    /// Returns whether a frame ends a commit; nil if it is not of this log.
    private func endsCommit(_ frame: Int) -> Bool? {
        let start = Self.headerBytes + frame * frameBytes
        guard let header = Self.read(file, at: start, count: 16), Array(header[8..<16]) == salts else { return nil }
        // The size of the database after the commit, which is 0 in all other frames.
        return header[4..<8].contains { $0 != 0 }
    }

    private static func read(_ file: FileHandle, at offset: Int, count: Int) -> [UInt8]? {
        var bytes = [UInt8](repeating: 0, count: count)
        return pread(file.fileDescriptor, &bytes, count, off_t(offset)) == count ? bytes : nil
    }
}

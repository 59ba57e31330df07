import BenchHarness
import Foundation

/// A copy of a program whose debug information valgrind does not see: it takes long to read, and valgrind crashes on
/// versions that are newer than itself. The names of functions are apart from it, and stay.
enum ProgramCopy {
    /// Copies `program` to `target`.
    static func make(of program: URL, at target: URL) throws {
        var contents = try Data(contentsOf: program)
        for offset in debugNames(in: contents) { contents[offset + 1] = UInt8(ascii: "x") }
        try contents.write(to: target)
        try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: target.path)
    }

    /// Returns where the names of sections with debug information begin, in a 64-bit ELF file with the low byte first;
    /// nothing in another file. Readers find such sections by their names.
    static func debugNames(in contents: Data) -> [Int] {
        guard contents.starts(with: [0x7f, 0x45, 0x4c, 0x46, 2, 1]) else { return [] }
        let file = ELFFile(contents: contents)
        guard let table = file.number(at: 40, bytes: 8), let size = file.number(at: 58, bytes: 2),
            let count = file.number(at: 60, bytes: 2), let own = file.number(at: 62, bytes: 2),
            let names = file.number(at: table + own * size + 24, bytes: 8)
        else { return [] }
        let offsets = (0..<count).compactMap { file.number(at: table + $0 * size, bytes: 4).map { names + $0 } }
        return offsets.withoutRepeats.filter { file.has(".debug_", at: $0) || file.has(".zdebug_", at: $0) }
    }
}

/// The bytes of a file that may end anywhere.
private struct ELFFile {
    let contents: Data

    /// Returns an unsigned number; nil beyond the end of the file, or if it is no offset.
    func number(at offset: Int, bytes: Int) -> Int? {
        guard offset >= 0, offset <= contents.count - bytes else { return nil }
        let value = (0..<bytes).reduce(UInt64(0)) { $0 | UInt64(contents[offset + $1]) << (8 * UInt64($1)) }
        return value <= 1 << 40 ? Int(value) : nil
    }

    func has(_ text: String, at offset: Int) -> Bool {
        guard offset <= contents.count - text.utf8.count else { return false }
        return contents[offset...].starts(with: text.utf8)
    }
}

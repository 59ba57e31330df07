import Foundation

/// Tells builds of a program apart by the content of its file.
enum ProgramHash {
    /// Returns the hash of a file by Fowler, Noll and Vo (FNV-1a, 64 bits), of words in place of bytes, which is
    /// quicker.
    static func text(of program: URL) throws(RunError) -> String {
        guard let data = try? Data(contentsOf: program, options: .mappedIfSafe) else {
            throw RunError(.process, "\(program.path): cannot be read")
        }
        let hash = data.withUnsafeBytes { bytes in
            let words = bytes.count / 8
            var hash = 0xCBF2_9CE4_8422_2325 ^ UInt64(bytes.count)
            for word in 0..<words {
                hash = (hash ^ bytes.loadUnaligned(fromByteOffset: word * 8, as: UInt64.self)) &* 0x100_0000_01B3
            }
            for byte in bytes[(words * 8)...] { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01B3 }
            return hash
        }
        return String(format: "%016llx", hash)
    }
}

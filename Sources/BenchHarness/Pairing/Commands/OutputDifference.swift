import Foundation

/// Where two files begin to differ.
struct OutputDifference: Sendable, Equatable {
    /// The number of the line, from 1.
    let line: Int
    /// The file that ends there; nil if both go on.
    var shorter: Side?

    private static let chunk = 1 << 16

    /// Returns nil for equal files.
    static func find(base: URL, new: URL) throws -> OutputDifference? {
        let files = try [FileHandle(forReadingFrom: base), FileHandle(forReadingFrom: new)]
        defer { for file in files { try? file.close() } }
        var line = 1
        while true {
            let parts = try files.map { try $0.read(upToCount: chunk) ?? Data() }
            if parts[0] == parts[1], parts[0].isEmpty { return nil }
            let areEqual = parts[0] == parts[1]
            let common = areEqual ? parts[0].count : zip(parts[0], parts[1]).prefix { $0 == $1 }.count
            line += parts[0].prefix(common).count { $0 == UInt8(ascii: "\n") }
            if areEqual { continue }
            let shorter: Side? = common == parts[0].count ? .base : common == parts[1].count ? .new : nil
            return OutputDifference(line: line, shorter: shorter)
        }
    }

    /// What is wrong with the new side.
    var text: String {
        switch shorter {
        case nil: "its output differs from that of the base in line \(line)"
        case .new: "its output ends in line \(line), and that of the base goes on"
        case .base: "its output goes on in line \(line), where that of the base ends"
        }
    }
}

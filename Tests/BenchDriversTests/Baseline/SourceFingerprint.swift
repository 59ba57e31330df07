import Foundation
import TestSupport

/// A fingerprint of source files that their comments and their layout do not change.
struct SourceFingerprint {
    /// FNV-1a, of 64 bits.
    private var hash: UInt64 = 0xcbf2_9ce4_8422_2325

    var text: String { String(hash, radix: 16) }

    /// Adds a file.
    mutating func add(_ name: String, _ source: String) {
        add(name)
        for line in source.split(whereSeparator: \.isNewline) { add(Self.code(of: line)) }
    }

    private mutating func add(_ text: String) {
        for byte in text.utf8 where byte != UInt8(ascii: " ") {
            hash = (hash ^ UInt64(byte)) &* 0x100_0000_01b3
        }
    }

    /// Returns a line without its comment, which begins with two slashes outside of a string.
    private static func code(of line: Substring) -> String {
        var (code, isText, isEscaped) = ("", false, false)
        for character in line {
            if !isText, character == "/", code.last == "/" { return String(code.dropLast()) }
            code.append(character)
            if character == "\"", !isEscaped { isText.toggle() }
            isEscaped = character == "\\" && !isEscaped
        }
        return code
    }
}

extension SourceFingerprint {
    /// The fingerprint of the Swift files at some paths of the package, which are files or folders. A folder's
    /// `...Driver.swift` is left out: it names and opens a driver, and has its revision.
    init(_ paths: [String]) throws {
        for path in paths {
            for file in try Self.files(at: Repository.url(path)) {
                add(file.lastPathComponent, try String(contentsOf: file, encoding: .utf8))
            }
        }
    }

    private static func files(at place: URL) throws -> [URL] {
        if place.pathExtension == "swift" { return [place] }
        return try FileManager.default.contentsOfDirectory(at: place, includingPropertiesForKeys: nil)
            .filter { $0.pathExtension == "swift" && !$0.lastPathComponent.hasSuffix("Driver.swift") }
            .sorted { $0.path < $1.path }
    }
}

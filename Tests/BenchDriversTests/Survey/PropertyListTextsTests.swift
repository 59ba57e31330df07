import Foundation
import Testing

@testable import BenchDrivers

@Suite struct PropertyListTextsTests {
    private func list(_ object: Any) throws -> [UInt8] {
        Array(try PropertyListSerialization.data(fromPropertyList: object, format: .binary, options: 0))
    }

    @Test func allTextsAreFoundWhereverTheyAre() throws {
        let long = String(repeating: "long", count: 20)
        let object: [String: Any] = ["$objects": ["sentAt", ["größe": [1, true, Data([1, 2])]], long]]
        let names = try #require(PropertyListTexts(list(object))).names
        #expect(Set(names) == ["$objects", "sentAt", "größe", long])
    }

    /// Longer ones are no names, and many objects may be one long text.
    @Test func longTextsAreLeftOut() throws {
        let list = try list([String(repeating: "a", count: 255), String(repeating: "b", count: 256)])
        #expect(try #require(PropertyListTexts(list)).names.map(\.count) == [255])
    }

    /// Sixty arrays, each of which names the next one twice.
    @Test func aListThatUnfoldsWithoutEndIsReadOnce() throws {
        var bytes = Array("bplist00".utf8)
        var offsets: [UInt8] = []
        for level in 0..<60 {
            offsets.append(UInt8(bytes.count))
            bytes += [0xA2, UInt8(level + 1), UInt8(level + 1)]
        }
        offsets.append(UInt8(bytes.count))
        bytes += [0x51, UInt8(ascii: "x")]
        let table = bytes.count
        bytes += offsets + [0, 0, 0, 0, 0, 0, 1, 1]
        for number in [61, 0, table] { bytes += (0..<8).map { UInt8(number >> (56 - 8 * $0) & 0xFF) } }
        #expect(try #require(PropertyListTexts(bytes)).names == ["x"])
    }

    @Test func damageNeverCrashes() throws {
        let bytes = try list(["$objects": ["sentAt", "größe", String(repeating: "long", count: 20)]])
        for length in bytes.indices { _ = PropertyListTexts(Array(bytes[..<length]))?.names }
        for place in bytes.indices {
            for value in [UInt8(0), 0x1F, 0x5F, 0x6F, 0x7F, 0x80, 0xFF] {
                var damaged = bytes
                damaged[place] = value
                _ = PropertyListTexts(damaged)?.names
            }
        }
    }
}

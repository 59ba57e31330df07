import Foundation
import TestSupport

/// Property lists that are none, or none that a store's metadata can be, as SQL.
enum HostilePropertyList {
    static func draw(_ random: inout SeededGenerator) -> String {
        var bytes = Data(random.pick(all))
        if random.oneIn(3), !bytes.isEmpty {
            for _ in 0..<3 {
                bytes[Int.random(in: bytes.indices, using: &random)] = UInt8.random(in: 0...255, using: &random)
            }
        }
        return "x'" + bytes.map { String(format: "%02X", $0) }.joined() + "'"
    }

    private static let all: [Data] = [
        Data(), Data("bplist00".utf8), Data("<plist>".utf8), Data("{ a = 1; }".utf8),
        binary([[0xA1, 0]]), binary([[0xD1, 1, 0], [0x51, 0x61]]), binary([[0xA2, 0, 0]]), binary([[0xD1, 0, 0]]),
        binary([[0xAF, 0x12, 0x7F, 0xFF, 0xFF, 0xFF, 0]]), binary([[0x5F, 0x13] + [UInt8](repeating: 0xFF, count: 8)]),
        binary([[0x4F, 0x13, 0x7F] + [UInt8](repeating: 0xFF, count: 7)]),
        binary([[0x33] + [UInt8](repeating: 0xFF, count: 8)]),
        binary([[0xD1, 1, 2], [0x51, 0x61], [0x80, 7]]), binary([[0xD2, 1, 1, 2, 2], [0x51, 0x61], [0x08]]),
        nested("array", 20_000), nested("dict><key>a</key", 20_000),
        list(["a": ["b": ["c": [Data(count: 3), 1.5, Date(timeIntervalSinceReferenceDate: .infinity)]]]]),
        list([1, 2]), list("text"),
        list(["NSStoreType": 5, "NSStoreModelVersionHashes": ["Holder": 1, "Book": "x"], "": ""]),
        list(["NSPersistenceFrameworkVersion": -1, "NSStoreModelVersionHashes": [String: Data](), "n": UInt64.max]),
    ]

    private static func list(_ value: Any) -> Data {
        (try? PropertyListSerialization.data(fromPropertyList: value, format: .binary, options: 0)) ?? Data()
    }

    private static func nested(_ element: String, _ depth: Int) -> Data {
        Data(("<plist version=\"1.0\">" + String(repeating: "<\(element)>", count: depth)).utf8)
    }

    /// A binary list of these objects, whose references are a byte each; the first is the list's root.
    private static func binary(_ objects: [[UInt8]]) -> Data {
        var bytes = Array("bplist00".utf8)
        var offsets: [UInt8] = []
        for object in objects {
            offsets.append(UInt8(bytes.count))
            bytes += object
        }
        let table = UInt8(bytes.count)
        func long(_ value: UInt8) -> [UInt8] { [0, 0, 0, 0, 0, 0, 0, value] }
        return Data(
            bytes + offsets + [0, 0, 0, 0, 0, 0, 1, 1] + long(UInt8(objects.count)) + long(0) + long(table))
    }
}

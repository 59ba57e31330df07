import Foundation
import TestSupport
import Testing

@testable import ManagedStore

/// What we fold scalar by scalar is what Foundation makes of the whole string.
@Suite struct StringFoldingTests {
    private static let all: [(FetchPredicate.StringOptions, String.CompareOptions)] = [
        (.caseInsensitive, .caseInsensitive), (.diacriticInsensitive, .diacriticInsensitive),
        ([.caseInsensitive, .diacriticInsensitive], [.caseInsensitive, .diacriticInsensitive]),
    ]

    private func expectFoldedAsByFoundation(_ text: String) {
        for (options, foundation) in Self.all {
            let folded = StringFolding.fold(text, options)
            let expected = text.folding(options: foundation, locale: nil)
            #expect(
                folded.utf8.elementsEqual(expected.utf8),
                "\(options) of \(text.unicodeScalars.map { String($0.value, radix: 16) })")
        }
    }

    @Test func everyScalarOfTheFirstPlane() {
        for value in 0..<0x3000 as Range<UInt32> {
            if let scalar = Unicode.Scalar(value) { expectFoldedAsByFoundation("\(scalar)") }
        }
        for value in stride(from: 0x3000 as UInt32, to: 0x10000, by: 17) {
            if let scalar = Unicode.Scalar(value) { expectFoldedAsByFoundation("\(scalar)") }
        }
    }

    @Test func scalarsAmongAnyNeighbours() {
        var random = SeededGenerator(seed: 7)
        let ranges: [Range<UInt32>] = [
            0x20..<0x80, 0x80..<0x250, 0x300..<0x370, 0x370..<0x530, 0x1E00..<0x1F00, 0x2010..<0x2028, 0x3041..<0x3100,
            0x4E00..<0x5000, 0xAC00..<0xAD00, 0x1F600..<0x1F610, 0x900..<0x980,
        ]
        for _ in 0..<20_000 {
            var text = ""
            for _ in 0..<Int.random(in: 2..<6, using: &random) {
                let value = UInt32.random(in: random.pick(ranges), using: &random)
                if let scalar = Unicode.Scalar(value) { text.unicodeScalars.append(scalar) }
            }
            expectFoldedAsByFoundation(text)
        }
    }

    @Test func bytesThatAreNoUTF8AreRepaired() {
        let broken: [[UInt8]] = [
            [0xC3], [0xC3, 0x41], [0xE4, 0xB8], [0xC0, 0x80], [0xED, 0xA0, 0x80], [0x80, 0x41],
        ]
        for bytes in broken {
            let folded = bytes.withUnsafeBytes { StringFolding.withFolded($0, .caseInsensitive) { Array($0) } }
            #expect(folded == Array(String(decoding: bytes, as: UTF8.self).lowercased().utf8))
        }
    }

    @Test func withoutOptionsNothingIsTouched() {
        let bytes: [UInt8] = [0x41, 0xC3, 0x80, 0xFF]
        #expect(bytes.withUnsafeBytes { StringFolding.withFolded($0, []) { Array($0) } } == bytes)
    }
}

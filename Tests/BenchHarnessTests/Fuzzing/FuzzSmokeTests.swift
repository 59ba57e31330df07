#if !FUZZING
    import Foundation
    import TestSupport
    import Testing

    /// A few seeded mutations of valid files, for a second or two; `make fuzz` does it for minutes, led by coverage.
    @Suite struct FuzzSmokeTests {
        private static func seed(_ target: FuzzTarget) throws -> [UInt8] {
            switch target {
            case .results:
                let csv = try Data(contentsOf: Repository.million)
                return Array(csv.split(separator: UInt8(ascii: "\n")).prefix(4).joined(separator: [UInt8(ascii: "\n")]))
                    + [UInt8(ascii: "\n")]
            case .scenario:
                return Array(try Data(contentsOf: Repository.url("Scenarios/smoke.json")))
            }
        }

        @Test(arguments: FuzzTarget.allCases) func mutationsOfAValidFileAreReadOrRefusedWithTheirPlace(
            target: FuzzTarget
        ) throws {
            let seed = try Self.seed(target)
            #expect(target.problem(seed) == nil)
            var mutator = FuzzMutator(seed: 20_240_601)
            for round in 0..<400 {
                let mutant = mutator.mutant(of: seed)
                let problem = target.problem(mutant)
                #expect(problem == nil, "round \(round): \(String(decoding: mutant, as: UTF8.self))")
            }
        }
    }

    /// Makes small mistakes where they hurt: at separators, in numbers, in the middle of a character.
    private struct FuzzMutator {
        private static let pieces: [[UInt8]] =
            [
                "", ",", "\n", "\r", "\r\n", "\"", "\"\"", "\0", "-", "-1", "0", "1e999", "nan", "true", "null", "{",
                "}",
                "[", "]", ":", "\\u", "\\ud800", "ä", "\u{FEFF}", "99999999999999999999", "ok", "failed", "status",
            ].map { Array($0.utf8) } + [[0xC3], [0x80], [0xFF, 0xFE], [0xED, 0xA0, 0x80]]
        private static let separators = Set(",\n\r\"{}[]: ".utf8)

        private var random: SeededGenerator

        init(seed: UInt64) {
            random = SeededGenerator(seed: seed)
        }

        mutating func mutant(of bytes: [UInt8]) -> [UInt8] {
            var bytes = bytes
            for _ in 0..<Int.random(in: 1...3, using: &random) where !bytes.isEmpty { mutate(&bytes) }
            return bytes
        }

        private mutating func mutate(_ bytes: inout [UInt8]) {
            let start = place(in: bytes)
            let end = min(bytes.count, start + (random.oneIn(4) ? Int.random(in: 0...200, using: &random) : 1))
            switch Int.random(in: 0..<5, using: &random) {
            case 0: bytes.removeSubrange(start..<end)
            case 1: bytes.insert(contentsOf: bytes[start..<end], at: place(in: bytes))
            case 2: bytes[start] ^= 1 << UInt8.random(in: 0..<8, using: &random)
            case 3: bytes.removeSubrange(start...)
            default: bytes.replaceSubrange(start..<end, with: random.pick(Self.pieces))
            }
        }

        /// Somewhere, more often than not next to a separator.
        private mutating func place(in bytes: [UInt8]) -> Int {
            let start = Int.random(in: 0..<bytes.count, using: &random)
            guard !random.oneIn(3), let separator = bytes[start...].firstIndex(where: Self.separators.contains) else {
                return start
            }
            return min(separator + Int.random(in: 0...1, using: &random), bytes.count - 1)
        }
    }
#endif

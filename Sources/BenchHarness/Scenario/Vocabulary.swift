/// Words that a seed makes, of two to four syllables, and how frequent each is.
struct Vocabulary: Sendable {
    /// The number of words, if a scenario does not say: about as many as everyday texts have.
    static let standardCount = 5_000

    /// Rank `i` has a probability proportional to `1 / (i + 1)`, as words in texts (Zipf, 1935).
    let ranks: WeightedRanks
    /// The words after one another.
    private let letters: [UInt8]
    /// Where each word begins, and where the last one ends.
    private let starts: [Int]

    init(count: Int, seed: UInt64) {
        ranks = WeightedRanks((1...count).map { 1 / Double($0) })
        var bits = SplitMix64(state: seed ^ 0x6A09_E667_F3BC_C908)
        var (letters, starts) = ([UInt8](), [0])
        for _ in 0..<count {
            for _ in 0..<(2 + bits.below(3)) { letters += Self.syllables[bits.below(Self.syllables.count)] }
            starts.append(letters.count)
        }
        (self.letters, self.starts) = (letters, starts)
    }

    private static let syllables: [[UInt8]] = "bcdfghklmnprstvz".utf8.flatMap { first in
        "aeiou".utf8.flatMap { vowel in [[first, vowel]] + "lnrs".utf8.map { [first, vowel, $0] } }
    }

    /// Returns `count` words with spaces between them; `state` decides which.
    func text(_ count: Int, _ state: UInt64) -> String {
        var bits = SplitMix64(state: state)
        return withUnsafeTemporaryAllocation(of: Int.self, capacity: count) { words in
            var length = count - 1
            for place in 0..<count {
                let word = ranks.next(&bits)
                words[place] = word
                length += starts[word + 1] - starts[word]
            }
            return String(unsafeUninitializedCapacity: length) { text in
                var end = 0
                for place in 0..<count {
                    if place > 0 {
                        text[end] = UInt8(ascii: " ")
                        end += 1
                    }
                    for index in starts[words[place]]..<starts[words[place] + 1] {
                        text[end] = letters[index]
                        end += 1
                    }
                }
                return length
            }
        }
    }
}

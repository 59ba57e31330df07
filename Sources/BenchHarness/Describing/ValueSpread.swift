import Foundation

/// What the values of an attribute are like: how many there are, of which size, and between which bounds.
///
/// It keeps numbers of values rather than values, except for the texts and numbers of an attribute that has few
/// different ones.
public struct ValueSpread: Sendable {
    /// The most different values that are told apart.
    static let mostChoices = 20
    /// The most different words that are told apart, as many as a vocabulary may have.
    private static let mostWords = ScenarioLimits.vocabulary.upperBound

    /// The type of the values.
    public private(set) var type: FieldType
    /// The number of values that were added, the nulls among them.
    private(set) var count = 0
    private(set) var nulls = 0
    /// The number of values of another type.
    private(set) var misfits = 0
    /// How often each value occurs; nil as soon as there are more than ``mostChoices``.
    private(set) var frequencies: [FieldValue: Int]? = [:]
    /// The least and the greatest number, date as seconds, or length in bytes.
    private(set) var bounds: ClosedRange<Double>?
    /// Whether no value is below the one before.
    private(set) var isAscending = true
    /// The distance from each value to the next; nil if it varies.
    private(set) var step: Double?
    /// The number of words in all texts.
    private(set) var words = 0
    private var vocabulary: Set<Int> = []
    private var last: Double?

    /// Creates the spread of no values.
    public init(type: FieldType) {
        self.type = type
    }

    /// Takes in a value, in the order of the records.
    public mutating func add(_ value: FieldValue) {
        count += 1
        guard value != .null else { return nulls += 1 }
        guard let size = size(of: value) else { return misfits += 1 }
        countFrequency(of: value)
        if case .string(let text) = value { countWords(of: text) }
        bounds = bounds.map { min($0.lowerBound, size)...max($0.upperBound, size) } ?? size...size
        if let last {
            let distance = size - last
            if distance < 0 { isAscending = false }
            step = count == nulls + misfits + 2 ? distance : step == distance ? step : nil
        }
        last = size
    }

    /// The number of values that are neither null nor of another type.
    var values: Int { count - nulls - misfits }

    /// Whether every value was null.
    public var isEmpty: Bool { nulls == count }

    /// The number of different words, at most as many as a vocabulary may have.
    var differentWords: Int { vocabulary.count }

    /// Integers that are all 0 or 1 are truth values, which a file does not tell from integers.
    mutating func takeBitsAsBools() {
        guard type == .int64, let frequencies, !frequencies.isEmpty, frequencies.keys.allSatisfy(Self.bits.contains)
        else { return }
        type = .bool
        self.frequencies = Dictionary(
            uniqueKeysWithValues: frequencies.map { (.bool($0.key == .int64(1)), $0.value) })
    }

    private static let bits: Set<FieldValue> = [.int64(0), .int64(1)]

    /// What of a value bounds are kept of; nil for a value of another type.
    private func size(of value: FieldValue) -> Double? {
        switch (type, value) {
        case (.string, .string(let text)): Double(text.utf8.count)
        case (.data, .data(let data)): Double(data.count)
        case (.int64, .int64(let number)): Double(number)
        case (.double, .double(let number)), (.date, .date(let number)): number
        case (.bool, .bool(let bit)): bit ? 1 : 0
        default: nil
        }
    }

    private mutating func countFrequency(of value: FieldValue) {
        guard type != .data, frequencies != nil else { return }
        frequencies![value, default: 0] += 1
        if frequencies!.count > Self.mostChoices { frequencies = nil }
    }

    private mutating func countWords(of text: String) {
        for word in text.utf8.split(whereSeparator: { $0 <= UInt8(ascii: " ") }) {
            words += 1
            if vocabulary.count < Self.mostWords { vocabulary.insert(Array(word).hashValue) }
        }
    }
}

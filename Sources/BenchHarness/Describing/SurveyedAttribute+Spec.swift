import Foundation

/// The generators that make values like those of a file.
extension SurveyedAttribute {
    /// Each of a few values is a choice if it occurs so often, on average.
    private static let repeatsOfChoice = 10

    /// The attribute of a scenario, in an entity of so many records.
    var spec: AttributeSpec {
        let nullShare = values.count > 0 ? Double(values.nulls + values.misfits) / Double(values.count) : 0
        // What a unique index holds comes from a sequence, of which no value is missing.
        let isUnique = self.isUnique && nullShare == 0 && [.string, .int64].contains(values.type)
        return AttributeSpec(
            name: name, type: values.type, generator: isUnique ? sequence : generator, isUnique: isUnique,
            isIndexed: (isIndexed || self.isUnique) && !isUnique && values.type != .data,
            nullShare: nullShare > 0 ? max(rounded(nullShare, to: 4), 0.0001) : nil)
    }

    private var generator: Generator {
        switch values.type {
        case .bool: return .uniform(min: 0, max: rounded(share(of: .bool(true)), to: 4))
        case .data: return lengths
        case .string: return choice ?? text
        case .date: return dates
        case .int64, .double: return isSequence ? sequence : choice ?? numbers
        }
    }

    // MARK: - Few values

    /// A choice among the values, if there are few of them; texts are others of the same length.
    private var choice: Generator? {
        guard let frequencies = values.frequencies, !frequencies.isEmpty,
            values.values >= frequencies.count * Self.repeatsOfChoice
        else { return nil }
        let ordered = frequencies.sorted { ($0.value, size($1.key)) > ($1.value, size($0.key)) }
        let choices = ordered.enumerated().map { standIn($1.key, number: $0 + 1) }
        if choices.count == 1 { return .constant(choices[0]) }
        let weights = ordered.map { max(rounded(Double($0.value) / Double(values.values) * 100, to: 2), 0.01) }
        return .choice(values: choices, weights: weights)
    }

    /// A value to write down: of a text, only the length is known to the scenario.
    private func standIn(_ value: FieldValue, number: Int) -> FieldValue {
        switch value {
        case .string(let text):
            let length = min(text.utf8.count, ScenarioLimits.prefixLength)
            let long = "\(name) \(number)"
            // Few enough values for a digit each; the empty text is one of them at most.
            let stem = long.utf8.count <= length ? long : String(String(number, radix: 36).prefix(length))
            return .string(stem + String(repeating: ".", count: length - stem.utf8.count))
        case .int64(let number): return .int64(Int64(clamped(Double(number), to: ScenarioLimits.integers)))
        case .double(let number): return .double(clamped(number, to: ScenarioLimits.doubles))
        default: return value
        }
    }

    private func size(_ value: FieldValue) -> Double {
        switch value {
        case .int64(let number): Double(number)
        case .double(let number), .date(let number): number
        case .string(let text): Double(text.utf8.count)
        default: 0
        }
    }

    private func share(of value: FieldValue) -> Double {
        values.values > 0 ? Double(values.frequencies?[value] ?? 0) / Double(values.values) : 0
    }

    // MARK: - Texts and data

    private var text: Generator {
        // One word is a name or a number, whose letters are as good as any.
        guard values.words >= 2 * values.values, values.values > 0 else { return lengths }
        let vocabulary = max(values.differentWords, 1)
        let bytesPerWord = InventedText(vocabulary: vocabulary).bytesPerWord
        let range = bounds(ScenarioLimits.randomLengthBytes)
        let counts = [range.lowerBound, range.upperBound].map { length in
            min(max(Int((Double(length + 1) / bytesPerWord).rounded()), 1), ScenarioLimits.words.upperBound)
        }
        return .words(min: counts[0], max: counts[1], vocabulary: vocabulary)
    }

    private var lengths: Generator {
        let range = bounds(ScenarioLimits.randomLengthBytes)
        if range.lowerBound == range.upperBound { return .random(length: range.lowerBound) }
        return .randomLengths(min: range.lowerBound, max: range.upperBound)
    }

    // MARK: - Numbers and dates

    private var isSequence: Bool { values.step ?? 0 != 0 && values.values > 2 && values.nulls + values.misfits == 0 }

    private var sequence: Generator {
        switch values.type {
        case .string: return .sequence(prefix: "\(name) ", start: 0, step: 1)
        case .int64:
            let range = bounds(ScenarioLimits.integers)
            return numberSequence(
                start: Double(range.lowerBound), step: max(abs(values.step ?? 1), 1),
                within: Double(ScenarioLimits.integers.lowerBound)...Double(ScenarioLimits.integers.upperBound))
        default:
            let range = values.bounds ?? 0...1
            let step = (range.upperBound - range.lowerBound) / Double(max(values.values - 1, 1))
            let start = clamped(range.lowerBound, to: limits)
            return numberSequence(start: start, step: step > 0 && step.isFinite ? step : 1, within: limits)
        }
    }

    /// A sequence of which all values can be written; another one from 0 if it has no room.
    private func numberSequence(start: Double, step: Double, within limits: ClosedRange<Double>) -> Generator {
        let end = start + step * Double(ScenarioLimits.records.upperBound) * 2
        return limits.contains(end)
            ? .sequence(prefix: "", start: start, step: step) : .sequence(prefix: "", start: 0, step: 1)
    }

    private var numbers: Generator {
        if values.type == .int64 {
            let range = bounds(ScenarioLimits.integers)
            return range.lowerBound == range.upperBound
                ? .constant(.int64(Int64(range.lowerBound)))
                : .uniform(min: Double(range.lowerBound), max: Double(range.upperBound))
        }
        let range = values.bounds ?? 0...1
        let (least, greatest) = (clamped(range.lowerBound, to: limits), clamped(range.upperBound, to: limits))
        return least == greatest ? .constant(.double(least)) : .uniform(min: least, max: greatest)
    }

    /// Dates in whole seconds, as a scenario shows them best.
    private var dates: Generator {
        let range = values.bounds ?? 0...0
        let (least, greatest) = (
            clamped(range.lowerBound.rounded(.down), to: limits), clamped(range.upperBound.rounded(.up), to: limits)
        )
        if least == greatest { return .constant(.date(least)) }
        if values.isAscending, values.values > 2 {
            return .ascending(start: least, step: rounded((greatest - least) / Double(values.count - 1), to: 3))
        }
        return .uniform(min: least, max: greatest)
    }

    private var limits: ClosedRange<Double> { values.type == .date ? DescribedDate.range : ScenarioLimits.doubles }

    private func bounds(_ limits: ClosedRange<Int>) -> ClosedRange<Int> {
        let range = values.bounds ?? 0...0
        return Int(clamped(range.lowerBound, to: limits))...Int(clamped(range.upperBound, to: limits))
    }

    private func clamped(_ value: Double, to limits: ClosedRange<Int>) -> Double {
        clamped(value, to: Double(limits.lowerBound)...Double(limits.upperBound))
    }

    private func clamped(_ value: Double, to limits: ClosedRange<Double>) -> Double {
        value.isNaN ? limits.lowerBound : min(max(value, limits.lowerBound), limits.upperBound)
    }

    private func rounded(_ value: Double, to places: Int) -> Double {
        let factor = pow(10, Double(places))
        return (value * factor).rounded() / factor
    }
}

/// Text as the generator `words` makes it.
private struct InventedText {
    private static let sample = 200
    /// The frequent words of one vocabulary are longer than those of another: each attribute of each seed has its own.
    private static let vocabularies: UInt64 = 20
    let vocabulary: Int

    /// The mean length of a word with the space after it.
    var bytesPerWord: Double {
        let bytes = (1...Self.vocabularies).reduce(0) { sum, seed in
            sum + Vocabulary(count: vocabulary, seed: seed).text(Self.sample, seed).utf8.count + 1
        }
        return Double(bytes) / Double(Self.sample * Int(Self.vocabularies))
    }
}

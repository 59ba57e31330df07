/// What of an attribute's values a scenario cannot say.
extension SurveyedAttribute {
    /// Returns a line for each difference between the file's values and those that `spec` makes.
    ///
    /// - Parameter place: The entity and the attribute, as `Note.title`.
    func remarks(on spec: AttributeSpec, _ place: String) -> [String] {
        [lengthRemark(spec.generator, place), rangeRemark(place), uniqueRemark(spec, place)].compactMap(\.self)
    }

    private func lengthRemark(_ generator: Generator, _ place: String) -> String? {
        guard [.string, .data].contains(values.type), let longest = values.bounds?.upperBound else { return nil }
        switch generator {
        case .constant, .choice:
            guard longest > Double(ScenarioLimits.prefixLength) else { return nil }
            return "texts of \(place) above \(ScenarioLimits.prefixLength.grouped) bytes have so many"
        case .words(_, let most, let vocabulary):
            if most == ScenarioLimits.words.upperBound || longest > Double(ScenarioLimits.randomLengthBytes.upperBound)
            {
                return "texts of \(place) above \(ScenarioLimits.randomLengthBytes.upperBound.grouped) bytes, or "
                    + "\(ScenarioLimits.words.upperBound.grouped) words, have at most so many"
            }
            guard vocabulary == ScenarioLimits.vocabulary.upperBound else { return nil }
            return "texts of \(place) have \(vocabulary.grouped) different words, the most of a scenario"
        default:
            guard longest > Double(ScenarioLimits.randomLengthBytes.upperBound) else { return nil }
            let limit = ScenarioLimits.randomLengthBytes.upperBound.grouped
            return "values of \(place) above \(limit) bytes have so many"
        }
    }

    private func rangeRemark(_ place: String) -> String? {
        guard let bounds = values.bounds else { return nil }
        let (limits, words): (ClosedRange<Double>, String)
        switch values.type {
        case .int64:
            let integers = ScenarioLimits.integers
            limits = Double(integers.lowerBound)...Double(integers.upperBound)
            words = "integers of \(place) beyond \(integers.upperBound.grouped), which a double does not tell apart,"
        case .double: (limits, words) = (ScenarioLimits.doubles, "numbers of \(place) beyond 1e100")
        case .date: (limits, words) = (DescribedDate.range, "dates of \(place) before 1600 or after 9999")
        default: return nil
        }
        let fits = limits.contains(bounds.lowerBound) && limits.contains(bounds.upperBound)
        return fits ? nil : "\(words) became the nearest ones within"
    }

    private func uniqueRemark(_ spec: AttributeSpec, _ place: String) -> String? {
        if isUnique, !spec.isUnique, spec.isIndexed {
            let reason = spec.hasNulls ? "it has nulls" : "no generator makes different values of its type"
            return "the unique index of \(place) is a plain one: \(reason)"
        }
        guard isUnique || isIndexed, !spec.isUnique, !spec.isIndexed else { return nil }
        return "the index of \(place) is left out: no index of a scenario holds data"
    }
}

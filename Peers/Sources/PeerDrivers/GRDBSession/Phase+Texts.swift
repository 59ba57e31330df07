import BenchHarness

extension Phase {
    /// The texts that it assigns, and those that its filter compares with.
    var texts: [String] {
        let saved = work.as(LoadWork.self)?.saves?.set ?? []
        return (changes + saved).flatMap(\.texts) + (filter?.texts ?? [])
    }
}

extension FilterSpec {
    fileprivate var texts: [String] {
        switch self {
        case .compare(_, _, let value): value.texts
        case .ignoringCase(_, _, let text): [text]
        case .oneOf(_, let values): values.flatMap(\.texts)
        case .between(_, let low, let high): low.texts + high.texts
        case .any(_, let part): part.texts
        case .and(let parts), .or(let parts): parts.flatMap(\.texts)
        case .not(let part): part.texts
        }
    }
}

extension FieldValue {
    fileprivate var texts: [String] {
        if case .string(let text) = self { [text] } else { [] }
    }
}

extension AttributeChange {
    /// The text that it assigns, or those that are in the values it draws.
    fileprivate var texts: [String] {
        switch operation {
        case .assign(.string(let text)): [text]
        case .draw(let draw): draw.generator.texts
        default: []
        }
    }
}

extension Generator {
    /// The texts that are in its values.
    var texts: [String] {
        switch self {
        case .constant(.string(let text)), .sequence(let text, _, _): [text]
        case .choice(let values, _): values.flatMap(\.texts)
        default: []
        }
    }
}

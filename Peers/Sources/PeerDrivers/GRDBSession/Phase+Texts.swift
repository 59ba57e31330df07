import BenchHarness

extension Phase {
    /// The texts that it assigns, and those that its filter compares with.
    var texts: [String] { changes.flatMap(\.texts) + (filter?.texts ?? []) }

    private var changes: [AttributeChange] {
        switch work {
        case .update(let work): work.set
        case .undo(let work): work.set
        case .merge(let work): work.set
        case .load(let work): work.saves?.set ?? []
        case .seed, .fetch, .reopen, .get, .page, .insert, .upsert, .delete, .count, .aggregate, .checkpoint, .custom:
            []
        }
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

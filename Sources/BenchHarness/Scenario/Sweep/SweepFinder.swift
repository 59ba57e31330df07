/// Finds the lists in a scenario that stand where a number belongs, while the scenario is read with the first number of
/// each: only the reader of a key knows that it takes a number.
final class SweepFinder {
    /// The lists found so far, by their offsets.
    private(set) var lists: [Int: JSONCursor] = [:]

    /// Notes a list, and checks what holds for lists of any numbers.
    ///
    /// - Returns: The first element in place of the list; nil after an error.
    func note(_ cursor: JSONCursor, _ elements: [JSONNode]) -> JSONCursor? {
        guard ScenarioLimits.variants.contains(elements.count) else {
            let limits = ScenarioLimits.variants
            cursor.refuse(
                "a list of \(elements.count)",
                expected: "a number, or \(limits.lowerBound) to \(limits.upperBound) numbers in a list")
            return nil
        }
        lists[cursor.node.offset] = cursor
        var seen: Set<Double> = []
        for element in elements {
            guard case .number(let number) = element.value, let value = number.double else { continue }
            if !seen.insert(value).inserted {
                cursor.with(element).refuse("\(number.text.abridged) a second time", expected: "each number once")
            }
        }
        return cursor.with(elements[0])
    }
}

extension JSONCursor {
    /// The value, or the first number of a list of numbers that the scenario runs with.
    ///
    /// An element of a list is no such place: weights, and other lists that a key takes anyway, stay plain.
    var firstOfSweep: JSONCursor? {
        guard let sweeps, !path.hasSuffix("]"), case .array(let elements) = node.value else { return self }
        return sweeps.note(self, elements)
    }

    /// The same value where no list may take the place of a number.
    var unswept: JSONCursor {
        JSONCursor(node: node, path: path, source: source, problems: problems, shape: shape)
    }

    /// An element of this list as if it stood in place of it.
    fileprivate func with(_ element: JSONNode) -> JSONCursor {
        JSONCursor(node: element, path: path, source: source, problems: problems, shape: shape)
    }
}

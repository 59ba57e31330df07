/// Reads each variant of a scenario whose numbers are lists: every combination, as a scenario with plain numbers.
struct SweepReader {
    /// A list in place of a number.
    private struct List {
        let offset: Int
        let elements: [JSONNode]
        let path: [String]
        let phase: Int?
    }

    private let root: JSONNode
    private let source: JSONSource
    private let cursors: [JSONCursor]

    init(_ root: JSONNode, _ source: JSONSource, _ finder: SweepFinder) {
        self.root = root
        self.source = source
        cursors = finder.lists.sorted { $0.key < $1.key }.map(\.value)
    }

    /// Returns every variant, the last list changing fastest; nil without lists.
    ///
    /// - Parameter read: Reads a scenario without lists.
    func variants(
        _ read: (JSONNode) throws(ScenarioErrors) -> Scenario
    ) throws(ScenarioErrors) -> [ScenarioVariant]? {
        guard !cursors.isEmpty else { return nil }
        try checkCount()
        let lists = cursors.compactMap(list)
        var variants: [ScenarioVariant] = []
        var errors: [ScenarioError] = []
        for choice in choices(lists) {
            let numbers = Dictionary(uniqueKeysWithValues: zip(lists.map(\.offset), choice))
            let settings = zip(lists, choice).map { SweptSetting(path: $0.path, phase: $0.phase, value: $1.number) }
            do throws(ScenarioErrors) {
                variants.append(
                    ScenarioVariant(settings: settings, scenario: try read(root.replacing(numbers))))
            } catch {
                errors += error.all.map { naming(settings, in: $0) }
            }
        }
        guard errors.isEmpty else { throw ScenarioErrors(firstOfEach(errors)) }
        return variants
    }

    private func checkCount() throws(ScenarioErrors) {
        let most = ScenarioLimits.variants.upperBound
        let counts = cursors.map(\.node.children.count)
        // So many lists of two numbers are too many already, and their product may be beyond all numbers.
        let areTooMany = counts.count > most.bitWidth - most.leadingZeroBitCount
        guard areTooMany || counts.reduce(1, *) > most, let last = cursors.last else { return }
        let found = areTooMany ? "\(counts.count) lists" : counts.map(String.init).joined(separator: " x ")
        throw ScenarioErrors([
            source.error(
                at: last.node.offset, path: last.path, found: "lists that make too many variants, \(found)",
                expected: "at most \(most) variants in all")
        ])
    }

    private func list(_ cursor: JSONCursor) -> List? {
        guard case .array(let elements) = cursor.node.value, let steps = root.steps(to: cursor.node.offset) else {
            return nil
        }
        let phase = steps[0].name == "phases" ? steps[1].index : nil
        return List(offset: cursor.node.offset, elements: elements, path: steps.map(\.name), phase: phase)
    }

    private func choices(_ lists: [List]) -> [[JSONNode]] {
        lists.reduce([[]]) { choices, list in choices.flatMap { choice in list.elements.map { choice + [$0] } } }
    }

    /// Names the variant in an error at another place than a number of a list: it may hold for that variant alone.
    private func naming(_ settings: [SweptSetting], in error: ScenarioError) -> ScenarioError {
        guard !cursors.contains(where: { $0.path == error.path }) else { return error }
        var error = error
        error.found += ", with \(settings.marks.map(\.description).joined(separator: " and "))"
        return error
    }

    /// Returns the errors without those that other variants have at the same place.
    private func firstOfEach(_ errors: [ScenarioError]) -> [ScenarioError] {
        var seen: Set<[String]> = []
        return errors.filter { error in
            seen.insert([error.file, "\(error.line ?? 0):\(error.column ?? 0)", error.path ?? ""]).inserted
        }
    }
}

extension JSONNode {
    /// The number without needless digits; the text of another value.
    fileprivate var number: String {
        guard case .number(let number) = value else { return inWords }
        return number.integer(Int.self).map(String.init) ?? number.double.map { "\($0)" } ?? number.text
    }
}

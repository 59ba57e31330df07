/// A JSON value with its path and file: every reading function gets one, so that its errors can name the place.
///
/// A reading function returns nil for an invalid value, and reports the error. Reading continues, so that one pass
/// finds every error in a scenario.
struct JSONCursor {
    let node: JSONNode
    /// The path from the root, such as `phases[2].records`; empty at the root.
    let path: String
    let source: JSONSource
    let problems: ScenarioProblems
    /// Takes note of lists where a number belongs; nil where none may be.
    var sweeps: SweepFinder?
    /// What the value may be, by the description of its key; nil where no key tells.
    var shape: ValueShape?

    /// Reports an error about this value.
    func refuse(_ found: String, expected: String? = nil, suggestion: String? = nil) {
        problems.add {
            source.error(at: node.offset, path: path, found: found, expected: expected, suggestion: suggestion)
        }
    }

    /// Reports that the value is of another kind than `expected`.
    ///
    /// - Returns: Nil, for the reading function to return.
    func refuseMismatch<Value>(expected: String) -> Value? {
        refuse(node.inWords, expected: expected)
        return nil
    }

    /// Reports that `name` is not among `candidates`.
    func refuseUnknown(_ what: String, _ name: String, among candidates: [String]) {
        problems.add {
            source.error(
                at: node.offset, path: path, found: "unknown \(what) \(name.quoted)", expected: candidates.asChoice,
                suggestion: NearestName.among(candidates, to: name))
        }
    }
}

/// Collects the errors in a scenario.
final class ScenarioProblems {
    /// The largest number of reported errors, so that a file full of errors is rejected as fast as any other.
    static let most = 100

    private var told: [ScenarioError] = []
    private var count = 0

    /// The errors in the order of the file; nil if there are none.
    var errors: ScenarioErrors? {
        if told.isEmpty { return nil }
        let sorted = told.sorted { ($0.line ?? 0, $0.column ?? 0) < ($1.line ?? 0, $1.column ?? 0) }
        return ScenarioErrors(sorted, omitted: count - told.count)
    }

    /// Adds an error. The closure runs only if the error is reported: finding its line takes time.
    func add(_ makeError: () -> ScenarioError) {
        count += 1
        if count <= Self.most { told.append(makeError()) }
    }

    /// Runs `body`.
    ///
    /// - Returns: Its result, and whether it added no error.
    func watching<Value>(_ body: () -> Value) -> (value: Value, isSound: Bool) {
        let before = count
        let value = body()
        return (value, count == before)
    }
}

// MARK: - Plain values

extension JSONCursor {
    var isNull: Bool {
        if case .null = node.value { true } else { false }
    }

    func bool() -> Bool? {
        guard case .bool(let value) = node.value else { return refuseMismatch(expected: "true or false") }
        return value
    }

    /// Reads text of at most this many bytes, or as many as the description of the key allows.
    func string(lengthMax: Int? = nil) -> String? {
        guard let lengthMax = lengthMax ?? shape?.lengthMax else { preconditionFailure("\(path) is no text") }
        guard case .string(let text) = node.value else { return refuseMismatch(expected: "a string") }
        // C ends a string at the first NUL.
        if text.utf8.contains(0) {
            refuse("a string with a NUL character in it", expected: "a string without \\u0000")
            return nil
        }
        if text.utf8.count > lengthMax {
            refuse("a string of \(text.utf8.count) bytes", expected: "at most \(lengthMax)")
            return nil
        }
        return text
    }

    /// Reads an integer within bounds, or within those that the description of the key has.
    func integer(in range: ClosedRange<Int>? = nil) -> Int? {
        guard let range = range ?? shape?.integers else { preconditionFailure("\(path) is no integer") }
        guard let cursor = firstOfSweep else { return nil }
        guard case .number(let number) = cursor.node.value, let value: Int = number.integer(), range.contains(value)
        else {
            return cursor.refuseMismatch(
                expected: "an integer from \(range.lowerBound.grouped) to \(range.upperBound.grouped)")
        }
        return value
    }

    /// Reads a number within bounds, or within those that the description of the key has.
    func number(in range: ClosedRange<Double>? = nil) -> Double? {
        guard let range = range ?? shape?.numbers else { preconditionFailure("\(path) is no number with bounds") }
        guard let cursor = firstOfSweep else { return nil }
        guard case .number(let number) = cursor.node.value, let value = number.double, range.contains(value) else {
            return cursor.refuseMismatch(expected: "a number from \(range.lowerBound) to \(range.upperBound)")
        }
        return value
    }

    /// Reads a string that is one of an enumeration's raw values.
    func choice<Choice: RawRepresentable<String> & CaseIterable>(
        _ what: String, of type: Choice.Type = Choice.self
    ) -> Choice? {
        choice(what, among: Array(Choice.allCases))
    }

    /// Reads a string that is the raw value of one of these choices.
    func choice<Choice: RawRepresentable<String>>(_ what: String, among choices: [Choice]) -> Choice? {
        let candidates = choices.map(\.rawValue)
        guard case .string(let text) = node.value else { return refuseMismatch(expected: candidates.asChoice) }
        let choice = choices.first { $0.rawValue == text }
        if choice == nil { refuseUnknown(what, text, among: candidates) }
        return choice
    }

    /// Reads a name that needs no escaping in a file name or a CSV field.
    func fileNamePart() -> String? {
        guard let text = string(lengthMax: ScenarioLimits.nameLength) else { return nil }
        guard text.utf8.allSatisfy(\.isInFileNames), text.utf8.first?.isLetterOrDigit == true else {
            return refuseMismatch(expected: "a name of the letters A-Z and a-z, digits, \".\", \"_\" and \"-\"")
        }
        return text
    }

    /// Reads a name that stands in quotes in SQL, and as it is in Swift.
    func identifier() -> String? {
        guard let text = string(lengthMax: ScenarioLimits.nameLength) else { return nil }
        guard text.unicodeScalars.allSatisfy(\.isInNames), text.unicodeScalars.first?.isLetter == true else {
            return refuseMismatch(expected: "a name of letters, digits and \"_\" that begins with a letter")
        }
        return text
    }
}

// MARK: - Containers

extension JSONCursor {
    /// Reads the elements of an array; returns none if it is not an array, or has fewer or more elements than `count`,
    /// or than the description of the key allows.
    func array(count: ClosedRange<Int>? = nil, of what: String) -> [JSONCursor] {
        guard let count = count ?? shape?.elements?.count else { preconditionFailure("\(path) is no array") }
        guard case .array(let nodes) = node.value else { return refuseMismatch(expected: "an array of \(what)") ?? [] }
        guard count.contains(nodes.count) else {
            refuse("an array of \(nodes.count)", expected: "\(count.lowerBound) to \(count.upperBound) \(what)")
            return []
        }
        let shape = shape?.elements?.shape
        return nodes.enumerated().map { element($1, path: "\(path)[\($0)]", shape) }
    }

    /// Reads the members of an object, with any keys; returns nil if it is not an object.
    func members(expected: String, of shape: ObjectShape? = nil) -> [(key: String, value: JSONCursor)]? {
        guard case .object(let members) = node.value else { return refuseMismatch(expected: expected) }
        return members.map { member in
            let path = path.isEmpty ? member.key.printable : "\(path).\(member.key.printable)"
            return (member.key, element(member.value, path: path, shape?.value(of: member.key)))
        }
    }

    /// Reads the members of an object of the given shape; reports unknown and missing keys.
    func object(_ shape: ObjectShape) -> JSONObjectCursor {
        guard let members = members(expected: "an object", of: shape) else {
            return JSONObjectCursor(cursor: self, members: [])
        }
        checkKeys(against: shape.keys)
        let object = JSONObjectCursor(cursor: self, members: members)
        let unknown = members.map(\.key).filter { !shape.keys.contains($0) }
        // An unknown key may be a misspelling of the missing one.
        let meant = Set(unknown.prefix(ScenarioProblems.most).compactMap { NearestName.among(shape.keys, to: $0) })
        for key in shape.required where object[key] == nil {
            if meant.contains(key) { continue }
            if shape.keys.count == 1, !unknown.isEmpty { continue }
            refuse("the key \(key.quoted) is missing", expected: "\(key.quoted) beside \(shape.keysBeside(key))")
        }
        return object
    }

    /// Reports the keys that are not among `known`.
    func checkKeys(against known: [String]) {
        guard case .object(let members) = node.value else { return }
        for member in members where !known.contains(member.key) {
            problems.add {
                source.error(
                    at: member.keyOffset, path: path, found: "unknown key \(member.key.quoted)",
                    expected: known.asChoice, suggestion: NearestName.among(known, to: member.key))
            }
        }
    }

    private func element(_ node: JSONNode, path: String, _ shape: ValueShape?) -> JSONCursor {
        let sweeps = shape?.isSwept == false ? nil : sweeps
        return JSONCursor(node: node, path: path, source: source, problems: problems, sweeps: sweeps, shape: shape)
    }
}

/// An object with checked keys.
struct JSONObjectCursor {
    let cursor: JSONCursor
    fileprivate let members: [(key: String, value: JSONCursor)]

    fileprivate init(cursor: JSONCursor, members: [(key: String, value: JSONCursor)]) {
        self.cursor = cursor
        self.members = members
    }

    /// Returns the value of a key; nil if it is missing.
    subscript(key: String) -> JSONCursor? {
        members.first { $0.key == key }?.value
    }
}

// MARK: - Words for messages

extension JSONSource {
    func error(
        at offset: Int, path: String?, found: String, expected: String?, suggestion: String? = nil
    ) -> ScenarioError {
        let path = path?.isEmpty == true ? nil : path
        if let setting = setting(at: offset) {
            return ScenarioError(
                file: ScenarioSetting.place(setting), path: path, found: found, expected: expected,
                suggestion: suggestion)
        }
        let position = position(of: offset)
        return ScenarioError(
            file: file, line: position.line, column: position.column, path: path, found: found, expected: expected,
            suggestion: suggestion)
    }
}

extension ObjectShape {
    fileprivate func keysBeside(_ key: String) -> String {
        let others = required.filter { $0 != key }
        return others.isEmpty ? "the other keys" : others.joined(separator: ", ")
    }
}

extension [String] {
    /// The candidates in one phrase: `sync or async`, `one of seed, fetch, update`.
    var asChoice: String {
        switch count {
        case 0: "none"
        case 1: self[0]
        case 2: "\(self[0]) or \(self[1])"
        default: "one of \(joined(separator: ", "))"
        }
    }
}

extension Int {
    /// The number with commas between thousands.
    var grouped: String {
        let digits = String(magnitude)
        let head = (digits.count - 1) % 3 + 1
        var text = String(digits.prefix(head))
        for (place, digit) in digits.dropFirst(head).enumerated() {
            if place % 3 == 0 { text += "," }
            text.append(digit)
        }
        return (self < 0 ? "-" : "") + text
    }
}

extension Unicode.Scalar {
    /// Whether it is a letter of any script.
    var isLetter: Bool {
        switch properties.generalCategory {
        case .uppercaseLetter, .lowercaseLetter, .titlecaseLetter, .modifierLetter, .otherLetter: true
        default: false
        }
    }

    /// Whether it may follow the first letter of a name: a letter, a mark on one, a digit or "_".
    var isInNames: Bool {
        switch properties.generalCategory {
        case .nonspacingMark, .spacingMark, .enclosingMark, .decimalNumber: true
        default: isLetter || self == "_"
        }
    }
}

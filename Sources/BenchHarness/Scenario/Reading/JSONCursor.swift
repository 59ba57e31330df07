/// A JSON value together with its path and file: what every reading function gets, so that each can say where it
/// failed.
struct JSONCursor: Sendable {
    let node: JSONNode
    /// The path from the root, such as `phases[2].records`; empty at the root.
    let path: String
    let source: JSONSource

    /// An error about this value.
    func error(_ found: String, expected: String? = nil, suggestion: String? = nil) -> ScenarioError {
        source.error(at: node.offset, path: path, found: found, expected: expected, suggestion: suggestion)
    }

    /// An error that the value is of another kind than `expected`.
    func mismatch(expected: String) -> ScenarioError {
        error(node.inWords, expected: expected)
    }

    /// An error that `name` is none of `candidates`.
    func unknown(_ what: String, _ name: String, among candidates: [String]) -> ScenarioError {
        error(
            "unknown \(what) \(name.quoted)", expected: candidates.asChoice,
            suggestion: NearestName.among(candidates, to: name))
    }
}

// MARK: - Plain values

extension JSONCursor {
    var isNull: Bool {
        if case .null = node.value { true } else { false }
    }

    func bool() throws(ScenarioError) -> Bool {
        guard case .bool(let value) = node.value else { throw mismatch(expected: "true or false") }
        return value
    }

    func string(lengthMax: Int) throws(ScenarioError) -> String {
        guard case .string(let text) = node.value else { throw mismatch(expected: "a string") }
        // Whatever is handed to C as a string ends at the first NUL.
        if text.utf8.contains(0) { throw error("a string with a NUL character in it", expected: "none") }
        if text.utf8.count > lengthMax {
            throw error("a string of \(text.utf8.count) bytes", expected: "at most \(lengthMax)")
        }
        return text
    }

    func integer(in range: ClosedRange<Int>) throws(ScenarioError) -> Int {
        let expected = "an integer from \(range.lowerBound.grouped) to \(range.upperBound.grouped)"
        guard case .number(let number) = node.value, let value: Int = number.integer(), range.contains(value) else {
            throw mismatch(expected: expected)
        }
        return value
    }

    func number(in range: ClosedRange<Double>) throws(ScenarioError) -> Double {
        guard case .number(let number) = node.value, let value = number.double, range.contains(value) else {
            throw mismatch(expected: "a number from \(range.lowerBound) to \(range.upperBound)")
        }
        return value
    }

    /// A string that is one of an enumeration's raw values.
    func choice<Choice: RawRepresentable<String> & CaseIterable>(
        _ what: String, of type: Choice.Type = Choice.self
    ) throws(ScenarioError) -> Choice {
        let candidates = Choice.allCases.map(\.rawValue)
        guard case .string(let text) = node.value else { throw mismatch(expected: candidates.asChoice) }
        guard let choice = Choice(rawValue: text) else { throw unknown(what, text, among: candidates) }
        return choice
    }

    /// A name that may stand in a file name and in a CSV field as it is.
    func fileNamePart() throws(ScenarioError) -> String {
        let text = try string(lengthMax: ScenarioLimits.nameLength)
        let isFit = text.utf8.allSatisfy { $0.isLetterOrDigit || [0x2E, 0x5F, 0x2D].contains($0) }
        guard isFit, text.utf8.first?.isLetterOrDigit == true else {
            throw mismatch(expected: "a name of the letters A-Z and a-z, digits, \".\", \"_\" and \"-\"")
        }
        return text
    }

    /// A name that may stand in SQL and in Swift as it is.
    func identifier() throws(ScenarioError) -> String {
        let text = try string(lengthMax: ScenarioLimits.nameLength)
        guard text.utf8.allSatisfy({ $0.isLetterOrDigit || $0 == 0x5F }), text.utf8.first?.isLetter == true else {
            throw mismatch(expected: "a name of the letters A-Z and a-z, digits and \"_\" that begins with a letter")
        }
        return text
    }
}

// MARK: - Containers

extension JSONCursor {
    func array(count: ClosedRange<Int>, of what: String) throws(ScenarioError) -> [JSONCursor] {
        guard case .array(let nodes) = node.value else { throw mismatch(expected: "an array of \(what)") }
        guard count.contains(nodes.count) else {
            throw error(
                "an array of \(nodes.count)", expected: "\(count.lowerBound) to \(count.upperBound) \(what)")
        }
        return nodes.enumerated().map { JSONCursor(node: $1, path: "\(path)[\($0)]", source: source) }
    }

    /// The members of an object, whatever their keys.
    func members(expected: String) throws(ScenarioError) -> [(key: String, value: JSONCursor)] {
        guard case .object(let members) = node.value else { throw mismatch(expected: expected) }
        return members.map { member in
            let path = path.isEmpty ? member.key.printable : "\(path).\(member.key.printable)"
            return (member.key, JSONCursor(node: member.value, path: path, source: source))
        }
    }

    /// The members of an object of the given shape: no unknown key, none missing.
    func object(_ shape: ObjectShape) throws(ScenarioError) -> JSONObjectCursor {
        try checkKeys(against: shape.keys)
        let object = JSONObjectCursor(cursor: self, members: try members(expected: "an object"))
        for key in shape.required where object[key] == nil {
            throw error("the key \(key.quoted) is missing", expected: "it beside \(shape.keysBeside(key))")
        }
        return object
    }

    /// Refuses keys that are not among `known`.
    func checkKeys(against known: [String]) throws(ScenarioError) {
        guard case .object(let members) = node.value else { throw mismatch(expected: "an object") }
        for member in members where !known.contains(member.key) {
            throw source.error(
                at: member.keyOffset, path: path, found: "unknown key \(member.key.quoted)", expected: known.asChoice,
                suggestion: NearestName.among(known, to: member.key))
        }
    }
}

/// An object whose keys have been checked.
struct JSONObjectCursor: Sendable {
    let cursor: JSONCursor
    fileprivate let members: [(key: String, value: JSONCursor)]

    fileprivate init(cursor: JSONCursor, members: [(key: String, value: JSONCursor)]) {
        self.cursor = cursor
        self.members = members
    }

    /// The value of an optional key.
    subscript(key: String) -> JSONCursor? {
        members.first { $0.key == key }?.value
    }

    /// The value of a key that must be there.
    func required(_ key: String) throws(ScenarioError) -> JSONCursor {
        guard let value = self[key] else { throw cursor.error("the key \(key.quoted) is missing") }
        return value
    }
}

// MARK: - Words for messages

extension JSONSource {
    func error(
        at offset: Int, path: String?, found: String, expected: String?, suggestion: String? = nil
    ) -> ScenarioError {
        let position = position(of: offset)
        return ScenarioError(
            file: file, line: position.line, column: position.column, path: path?.isEmpty == true ? nil : path,
            found: found, expected: expected, suggestion: suggestion)
    }
}

extension ObjectShape {
    fileprivate func keysBeside(_ key: String) -> String {
        let others = required.filter { $0 != key }
        return others.isEmpty ? "the rest" : others.joined(separator: ", ")
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
    /// With a comma at every thousand.
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

extension UInt8 {
    fileprivate var isLetter: Bool { (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(self | 0x20) }
    fileprivate var isLetterOrDigit: Bool { isLetter || (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(self) }
}

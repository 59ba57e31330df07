/// An error in a scenario: its place, what was found there, what was expected, and the likely fix.
///
/// ```
/// Scenarios/million.json:12:17: phases[2].kind: unknown phase kind "fecth"; expected one of seed, fetch, update,
/// merge, checkpoint. Did you mean "fetch"?
/// ```
///
/// (On one line.) The error is a value with its parts, so that a command can print it, a tool list it and a test
/// inspect it.
public struct ScenarioError: Error, Sendable, Equatable, CustomStringConvertible {
    /// The file, as the user named it or as it was resolved.
    public var file: String
    /// The line, from 1; nil for an error about the whole file.
    public var line: Int?
    /// The column, from 1, in Unicode scalars; nil for an error about the whole file.
    public var column: Int?
    /// The JSON path of the value, such as `phases[2].records`; nil for errors of syntax and of the file itself.
    public var path: String?
    /// What was found.
    public var found: String
    /// What was expected.
    public var expected: String?
    /// The nearest valid name, for a likely misspelling.
    public var suggestion: String?

    /// Creates an error.
    public init(
        file: String, line: Int? = nil, column: Int? = nil, path: String? = nil, found: String,
        expected: String? = nil, suggestion: String? = nil
    ) {
        self.file = file
        self.line = line
        self.column = column
        self.path = path
        self.found = found
        self.expected = expected
        self.suggestion = suggestion
    }

    /// The error as one line, in the form that editors and CI systems turn into links.
    public var description: String {
        var place = file
        if let line { place += ":\(line)" }
        if let column { place += ":\(column)" }
        if let path { place += ": \(path)" }
        var text = "\(place): \(found)"
        if let expected { text += "; expected \(expected)" }
        if let suggestion { text += ". Did you mean \(suggestion.quoted)?" }
        return text
    }
}

/// All errors in a scenario, in the order of the file.
public struct ScenarioErrors: Error, Sendable, Equatable, CustomStringConvertible {
    /// The errors, at least one.
    public let all: [ScenarioError]
    /// The number of further errors.
    public let omitted: Int

    /// Creates a collection of at least one error.
    init(_ all: [ScenarioError], omitted: Int = 0) {
        precondition(!all.isEmpty, "a scenario is refused for a reason")
        self.all = all
        self.omitted = omitted
    }

    /// A line for each error, and one with the number of further errors.
    public var lines: [String] { all.map(\.description) + (omitted == 0 ? [] : ["and \(omitted) more errors"]) }

    /// All lines as one string.
    public var description: String { lines.joined(separator: "\n") }
}

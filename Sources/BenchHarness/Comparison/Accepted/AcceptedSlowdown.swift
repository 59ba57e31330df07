/// A slowdown that is known and accepted: by how much a phase may become slower, and why.
struct AcceptedSlowdown: Sendable, Equatable {
    /// The phase, by its name in the scenario or in the results.
    let phase: String
    /// The driver; nil for all.
    let driver: String?
    /// The share by which each figure of the phase may get worse.
    let share: Double
    /// One line without control characters.
    let reason: String
    /// The commit whose message says so; nil if the command line does.
    let commit: String?

    static let form =
        "PHASE [of DRIVER] PERCENT% because REASON, such as \"fetch-sync of managed 5% because every row is checked\""
    /// The longest reason, in characters.
    static let reasonLimit = 200
    /// The longest text that is read, in bytes.
    static let textLimit = 2_000

    /// Parses the text; a line break in it counts as a space.
    ///
    /// - Throws: What is wrong with it, in words that follow the text.
    init(_ text: String, commit: String? = nil) throws(Malformed) {
        guard text.utf8.count <= Self.textLimit else { throw Malformed("the line is too long") }
        var words = text.split(whereSeparator: \.isWhitespace)[...]
        phase = try Self.name(words.popFirst(), "phase")
        var driver: String?
        if words.first == "of" {
            words.removeFirst()
            driver = try Self.name(words.popFirst(), "driver")
        }
        self.driver = driver
        share = try Self.share(words.popFirst())
        guard words.popFirst() == "because", !words.isEmpty else { throw Malformed("there is no \"because REASON\"") }
        reason = words.joined(separator: " ").withoutControls
        guard reason.count <= Self.reasonLimit else {
            throw Malformed("the reason has more than \(Self.reasonLimit) characters")
        }
        self.commit = commit
    }

    /// Names have the characters that scenarios and drivers allow, and those of the names in results.
    private static func name(_ word: Substring?, _ what: String) throws(Malformed) -> String {
        guard let word, word.wholeMatch(of: /[A-Za-z0-9][A-Za-z0-9._@=,-]{0,199}/) != nil else {
            throw Malformed("there is no \(what)")
        }
        return String(word)
    }

    private static func share(_ word: Substring?) throws(Malformed) -> Double {
        guard let word, word.wholeMatch(of: /[0-9]{1,4}(\.[0-9]{1,4})?%/) != nil, let percent = Double(word.dropLast()),
            percent > 0, percent <= 1_000
        else { throw Malformed("there is no bound above 0% and up to 1000%") }
        return percent / 100
    }

    /// What is wrong with a text.
    struct Malformed: Error, Equatable {
        let description: String

        init(_ problem: String) { description = "\(problem); expected \(AcceptedSlowdown.form)" }
    }

    /// Whether both are the same but for the commit.
    func repeats(_ other: AcceptedSlowdown) -> Bool {
        phase == other.phase && driver == other.driver && share == other.share && reason == other.reason
    }

    func covers(_ key: ComparisonKey) -> Bool {
        (phase == key.phase || phase == SizedName(key.phase).phase) && (driver ?? key.driver) == key.driver
    }

    /// Who accepts it.
    var source: String { commit.map { "commit \($0.prefix(10))" } ?? "--accept" }
}

import Foundation

/// The slowdowns that a change is known to bring and that a comparison accepts: each of a phase, with a bound and a
/// reason. A commit message has each in a line of its own, such as
/// `Accept-slowdown: fetch-sync of managed 5% because every row is checked`.
///
/// A line that several commits repeat counts once. The bounds of different lines about one phase add up.
public struct AcceptedSlowdowns: Sendable {
    private var all: [AcceptedSlowdown] = []
    /// What is wrong with lines of commit messages, which therefore accept nothing.
    private var problems: [String] = []

    /// The key of a line in a commit message; upper and lower case are the same.
    static let key = "Accept-slowdown"
    /// The most lines that are told apart.
    static let limit = 1_000
    private static let bytesLimit = 16 << 20

    /// Creates an empty list.
    public init() {}

    var isEmpty: Bool { all.isEmpty }

    /// Accepts a slowdown.
    ///
    /// - Parameter text: `PHASE [of DRIVER] PERCENT% because REASON`.
    /// - Throws: ``RunError`` with the code ``RunError/Code-swift.enum/results`` for any other text.
    public mutating func add(_ text: String) throws(RunError) {
        do {
            add(try AcceptedSlowdown(text))
        } catch {
            throw RunError(.results, "\(text.quoted): \(error.description)")
        }
    }

    /// Accepts what commit messages say. A malformed line accepts nothing, and the comparison notes it: a message that
    /// is merged can no longer be changed.
    ///
    /// - Parameter url: The output of `git log -z --format=%H%n%B BASE..HEAD`.
    /// - Throws: ``RunError`` with the code ``RunError/Code-swift.enum/results`` for a file of anything else.
    public mutating func add(messagesIn url: URL) throws(RunError) {
        let file = try InputFile(url, kind: "a file of commit messages")
        let data = try file.contents(limit: Self.bytesLimit)
        for record in data.split(separator: 0) {
            let lines = String(decoding: record, as: UTF8.self).split(
                omittingEmptySubsequences: false, whereSeparator: \.isNewline)
            // git ends the last message with a line break.
            if lines.allSatisfy(\.isEmpty) { continue }
            guard let commit = lines.first, commit.wholeMatch(of: /[0-9a-f]{7,64}/) != nil else {
                throw RunError(
                    .results, "\(file.name): not commit messages; expected the output of git log -z --format=%H%n%B")
            }
            read(lines.dropFirst(), of: String(commit))
        }
    }

    private mutating func read(_ lines: ArraySlice<Substring>, of commit: String) {
        var rest = lines
        while all.count + problems.count < Self.limit, let line = rest.popFirst() {
            guard let colon = line.prefix(40).firstIndex(of: ":"), Self.isLikeKey(line[..<colon]) else { continue }
            var text = String(line[line.index(after: colon)...])
            // git folds a long trailer: its further lines begin with a space.
            while let next = rest.first, next.first?.isWhitespace == true,
                text.utf8.count <= AcceptedSlowdown.textLimit
            {
                text += " " + rest.removeFirst()
            }
            add(key: line[..<colon], text, commit)
        }
    }

    /// Whether a key is the one, or a slip of the pen that must not go unnoticed.
    private static func isLikeKey(_ key: Substring) -> Bool {
        key.lowercased().wholeMatch(of: /accept(s|ed)?[-_ ]?slow-?downs?\s*/) != nil
    }

    private mutating func add(key: Substring, _ text: String, _ commit: String) {
        let problem: String
        if key.lowercased() != Self.key.lowercased() {
            problem = "the line begins with \(String(key).quoted); did you mean \"\(Self.key)\"?"
        } else {
            do {
                add(try AcceptedSlowdown(text, commit: commit))
                return
            } catch {
                problem = "\(Self.key):\(text.abridged.withoutControls): \(error.description)"
            }
        }
        problems.append("commit \(commit.prefix(10)) accepts no slowdown: \(problem)")
    }

    private mutating func add(_ slowdown: AcceptedSlowdown) {
        guard !all.contains(where: slowdown.repeats) else { return }
        all.append(slowdown)
    }
}

// MARK: - Judging

extension AcceptedSlowdowns {
    /// The share by which a phase may get slower; nil if nothing is accepted of it.
    package func share(_ key: ComparisonKey) -> Double? {
        let shares = covering(key).map(\.share)
        return shares.isEmpty ? nil : shares.reduce(1) { $0 * (1 + $1) } - 1
    }

    /// Who accepts which slowdown of a phase, and why.
    package func text(_ key: ComparisonKey) -> String {
        covering(key).map { "\($0.source) accepts \(Figure.percent($0.share)): \($0.reason)" }.joined(separator: "; ")
    }

    private func covering(_ key: ComparisonKey) -> [AcceptedSlowdown] { all.filter { $0.covers(key) } }

    /// What a reader needs to know: lines that accept nothing, and slowdowns that were not found.
    package func notes(_ verdicts: [(key: ComparisonKey, verdict: Verdict)]) -> [String] {
        let judged = verdicts.filter { $0.verdict != .notJudged }
        let notes = problems + all.compactMap { note($0, judged) }
        let most = 20
        return notes.prefix(most) + (notes.count > most ? ["\(notes.count - most) more lines accept nothing"] : [])
    }

    /// Refuses what the command line accepts of a phase or of a driver that there is not: a slip of the pen, by which
    /// nothing is accepted. A message that is merged can no longer be changed, and is noted.
    package func refuseUnknown(among keys: [ComparisonKey]) throws(RunError) {
        guard let unknown = all.first(where: { $0.commit == nil && !keys.contains(where: $0.covers) }),
            let note = note(unknown, keys.map { ($0, .unchanged) })
        else { return }
        throw RunError(.results, note)
    }

    private func note(
        _ slowdown: AcceptedSlowdown, _ judged: [(key: ComparisonKey, verdict: Verdict)]
    ) -> String? {
        let own = judged.filter { slowdown.covers($0.key) }
        let head = "\(slowdown.source) accepts \(Figure.percent(slowdown.share)) of \(slowdown.phase)"
        if own.isEmpty {
            let isPhase = judged.contains { [$0.key.phase, SizedName($0.key.phase).phase].contains(slowdown.phase) }
            let (what, name, names) =
                isPhase
                ? ("driver", slowdown.driver ?? "", judged.map(\.key.driver))
                : ("phase", slowdown.phase, judged.map { SizedName($0.key.phase).phase })
            let nearest = NearestName.among(names, to: name).map { "did you mean \($0)?" }
            let fix = nearest ?? "expected one of \(names.withoutRepeats.joined(separator: ", "))"
            return "\(head), but no \(what) \(name) was judged; \(fix)"
        }
        let isNeeded = own.contains {
            [.accepted, .regressed, .inconclusive, .insufficientData].contains($0.verdict)
        }
        return isNeeded ? nil : "\(head), but no such slowdown was found"
    }
}

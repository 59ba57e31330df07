/// A comparison as a JUnit report, which CI systems show: a test case per judged figure, a suite per driver.
struct ComparisonJUnit {
    private let comparison: Comparison
    private let judged: [Judgement]
    private let explanations: [ComparisonKey: PhaseExplanation]

    init(_ comparison: Comparison) {
        self.comparison = comparison
        judged = comparison.judgements.filter { $0.verdict != .notJudged }
        explanations = Dictionary(uniqueKeysWithValues: comparison.explanations.map { ($0.key, $0) })
    }

    var xml: String {
        let drivers = judged.map(\.key.driver).withoutRepeats
        let failed = comparison.new.failures
        let isEmpty = judged.isEmpty && failed.isEmpty
        let counts = isEmpty ? Self.countsOfOneError : attributes(judged, failed: failed)
        let suites = drivers.map(suite).joined() + (failed.isEmpty ? "" : failedSuite(failed))
        return """
            <?xml version="1.0" encoding="UTF-8"?>
            <testsuites name="\(command)"\(counts)>
            \(isEmpty ? emptySuite : suites)</testsuites>

            """
    }

    private var command: String { comparison.paired == nil ? "bench compare" : "bench ab" }

    private static let countsOfOneError = " tests=\"1\" failures=\"0\" errors=\"1\" skipped=\"0\"\(time(0))"

    /// A report without a case would look like one that passed.
    private var emptySuite: String {
        "  <testsuite name=\"verdict\"\(Self.countsOfOneError)>\n"
            + "    <testcase classname=\"\(command)\" name=\"verdict\"\(Self.time(0))>"
            + "<error message=\"there was nothing to judge\"/></testcase>\n  </testsuite>\n"
    }

    private func suite(_ driver: String) -> String {
        let cases = judged.filter { $0.key.driver == driver }
        return "  <testsuite name=\"\(Self.escaped(driver))\"\(attributes(cases, failed: []))>\n"
            + cases.map(testCase).joined() + "  </testsuite>\n"
    }

    private func failedSuite(_ rows: [ResultRow]) -> String {
        let cases = rows.map { row in
            let name = Self.escaped("\(row.phase), repetition \(row.repetition)")
            let message = Self.escaped(row.error.isEmpty ? "wrong result" : row.error)
            return "    <testcase classname=\"\(Self.escaped(row.driver))\" name=\"\(name)\"\(Self.time(row.seconds))>"
                + "<error message=\"\(message)\"/></testcase>\n"
        }
        return
            "  <testsuite name=\"failed measurements\"\(attributes([], failed: rows))>\n" + cases.joined()
            + "  </testsuite>\n"
    }

    private func testCase(_ judgement: Judgement) -> String {
        let key = judgement.key
        let name = Self.escaped("\(key.phase) \(judgement.metric.name)")
        let head =
            "    <testcase classname=\"\(Self.escaped("\(key.scenario).\(key.driver)"))\" name=\"\(name)\""
            + Self.time(seconds(judgement))
        let message = Self.escaped(message(judgement))
        switch judgement.verdict {
        case .regressed: return "\(head)>\(failure(message, explanations[key]))</testcase>\n"
        case _ where isError(judgement): return "\(head)><error message=\"\(message)\"/></testcase>\n"
        case .inconclusive: return "\(head)><skipped message=\"\(message)\"/></testcase>\n"
        case .accepted: return "\(head)><system-out>\(message)</system-out></testcase>\n"
        default: return "\(head)/>\n"
        }
    }

    /// A failure, with what moved in its phase.
    private func failure(_ message: String, _ explanation: PhaseExplanation?) -> String {
        guard let explanation else { return "<failure message=\"\(message)\"/>" }
        let lines = explanation.text.split(separator: "\n").map { Self.escaped(String($0)) + "\n" }
        return "<failure message=\"\(message)\">\(lines.joined())</failure>"
    }

    private func message(_ judgement: Judgement) -> String {
        let values = [judgement.base, judgement.new].map { $0.map { judgement.text($0.median) } ?? "nothing" }
        let change = judgement.ratio.map { " (\(Figure.change($0)))" } ?? ""
        let reason = judgement.explanation.isEmpty ? "" : ": \(judgement.explanation)"
        return "\(judgement.verdict.rawValue): \(values[0]) to \(values[1])\(change), "
            + "threshold \(Figure.percent(judgement.limit))\(reason)"
    }

    /// Whether a figure counts as an error: a figure without a verdict must not look like one that passed.
    private func isError(_ judgement: Judgement) -> Bool {
        judgement.verdict == .insufficientData || (comparison.options.isStrict && judgement.verdict == .inconclusive)
    }

    /// Returns how long the phase of a case took, the median of the new side. The first case of a phase has it, and the
    /// others have 0: so the time of a suite is the sum of its cases.
    private func seconds(_ judgement: Judgement) -> Double {
        let first = judged.first { $0.key == judgement.key }
        guard first?.metric.index == judgement.metric.index else { return 0 }
        let times = comparison.new.observations(.duration, judgement.key, relativeTo: nil).map(\.value)
        return (SampleSummary(times)?.median ?? 0) / 1e9
    }

    private static func time(_ seconds: Double) -> String { String(format: " time=\"%.6f\"", seconds) }

    private func attributes(_ cases: [Judgement], failed: [ResultRow]) -> String {
        let failures = cases.filter { $0.verdict == .regressed }.count
        let errors = failed.count + cases.filter(isError).count
        let skipped = cases.filter { $0.verdict == .inconclusive && !isError($0) }.count
        let time = cases.reduce(0) { $0 + seconds($1) } + failed.reduce(0) { $0 + $1.seconds }
        return
            " tests=\"\(cases.count + failed.count)\" failures=\"\(failures)\" errors=\"\(errors)\" skipped=\"\(skipped)\""
            + Self.time(time)
    }

    /// The text with only those characters that XML 1.0 allows in an attribute or an element.
    private static func escaped(_ text: String) -> String {
        var escaped = ""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "&": escaped += "&amp;"
            case "<": escaped += "&lt;"
            case ">": escaped += "&gt;"
            case "\"": escaped += "&quot;"
            case "\t", "\n", "\r": escaped += " "
            case _ where scalar.value < 0x20 || (0xFFFE...0xFFFF).contains(scalar.value): escaped += "\u{FFFD}"
            default: escaped.unicodeScalars.append(scalar)
            }
        }
        return escaped
    }
}

extension Comparison {
    /// The comparison as JUnit's XML.
    public var junit: String { ComparisonJUnit(self).xml }
}

extension ResultRow {
    /// How long the phase took; 0 if it is unknown.
    fileprivate var seconds: Double { Double(work.durationNanoseconds ?? 0) / 1e9 }
}

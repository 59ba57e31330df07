import Foundation
import TestSupport
import Testing

/// `action.yml` and its scripts are files that must name the same inputs, and workflows hold what they promise.
@Suite struct ActionFileTests {
    private let action: String
    private let script: String

    init() throws {
        action = try String(contentsOf: Repository.url("action.yml"), encoding: .utf8)
        script = try ["action.sh", "base.sh", "released.sh"].map { name in
            try String(contentsOf: Repository.url(".ci/\(name)"), encoding: .utf8)
        }.joined()
    }

    /// The keys two spaces deep between the lines `section:` and `end:`.
    private func keys(from section: String, to end: String) throws -> Set<String> {
        let start = try #require(action.range(of: "\n\(section):\n"))
        let stop = try #require(action.range(of: "\n\(end):\n"))
        return Set(action[start.upperBound..<stop.lowerBound].matches(of: /(?m)^  ([a-z-]+):/).map { String($0.1) })
    }

    @Test func everyInputIsDeclaredAndUsed() throws {
        let used = Set(action.matches(of: /inputs\.([a-z-]+)/).map { String($0.1) })
        #expect(try keys(from: "inputs", to: "outputs") == used)
    }

    @Test func theScriptReadsWhatTheActionPasses() {
        let passed = Set(action.matches(of: /(?m)^ +(BENCH[A-Z_]*): \$/).map { String($0.1) })
        let read = Set(script.matches(of: /\$\{?(BENCH[A-Z_]*)/).map { String($0.1) })
        // What only other systems than GitHub set.
        #expect(!passed.isEmpty && passed.union(["BENCH_CACHE"]) == read)
    }

    @Test func theScriptSetsWhatTheActionPublishes() throws {
        let published = try keys(from: "outputs", to: "runs")
        let set = Set(script.matches(of: #/publish ([a-z-]+)/#).map { String($0.1) })
        #expect(published.isSubset(of: set))
    }

    /// Values stand in settings, each on a line of its own: `name: ${{ ... }}`.
    @Test(arguments: ["action.yml"] + ["ci", "nightly", "release"].map { ".github/workflows/\($0).yml" })
    func noValueIsPutIntoTheTextOfACommand(path: String) throws {
        let text = try String(contentsOf: Repository.url(path), encoding: .utf8)
        for line in text.split(separator: "\n") where line.contains("${{") {
            #expect(line.contains(/^ +[A-Za-z_-]+: [^|>]*\$\{\{/) && !line.contains("run:"), "\(line)")
        }
    }

    /// Code of a pull request runs in these jobs.
    @Test(arguments: [".github/workflows/ci.yml", ".github/workflows/nightly.yml"])
    func workflowsCanOnlyReadAndHaveNoSecrets(path: String) throws {
        let text = try String(contentsOf: Repository.url(path), encoding: .utf8)
        #expect(text.contains("\npermissions:\n  contents: read\n"))
        let settings = text.split(separator: "\n").filter { !$0.drop { $0 == " " }.hasPrefix("#") }
        for word in ["pull_request_target", "secrets", "write", "github.token", "workflow_run"] {
            #expect(!settings.contains { $0.contains(word) }, "\(word)")
        }
        let checkouts = text.components(separatedBy: "actions/checkout@").dropFirst()
        #expect(!checkouts.isEmpty)
        for checkout in checkouts {
            let own = checkout.components(separatedBy: "\n      - ")[0]
            #expect(own.contains("persist-credentials: false"))
        }
    }
}

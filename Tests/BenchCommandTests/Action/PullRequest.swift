import Foundation
import TestSupport

/// A checkout of a pull request: a branch `main` and a commit on top of it. What its build makes is a script that runs
/// one of the programs that are built already. Names have spaces and quotes.
struct PullRequest {
    let repository: GitRepository
    /// The commit that the pull request starts from.
    let base: String
    private let action: ActionRun

    static let build =
        "mkdir -p out && cp bench.sh out/bench && chmod +x out/bench && GIT_TEST_ASSUME_DIFFERENT_OWNER=0 git rev-parse HEAD >>\"$BUILDS\""

    init() throws {
        action = try ActionRun()
        repository = try GitRepository(in: action.file("it's \"mine\"/"))
        try repository.write(Self.script(BenchBinary.url), to: "packages/a b/bench.sh")
        base = try repository.commit("Add a bench")
        try repository.git("update-ref", "refs/remotes/origin/main", base)
        try repository.git("checkout", "--quiet", "-b", "change")
    }

    /// The folder of the package.
    var folder: URL { repository.folder.appendingPathComponent("packages/a b") }

    /// The folder that keeps the benches of bases.
    var cache: URL { action.file("cache") }

    var head: String { get throws { try repository.git("rev-parse", "HEAD") } }

    /// Commits another program.
    func change(to program: URL, comment: String = "", _ message: String = "Change") throws {
        try repository.write(Self.script(program) + "# \(comment)\n", to: "packages/a b/bench.sh")
        try repository.write("", to: "packages/a b/changed")
        try repository.commit(message)
    }

    private static func script(_ program: URL) -> String { "#!/bin/sh\nexec '\(program.path)' \"$@\"\n" }

    /// Commits a program that is a script.
    func change(toScript script: String, _ message: String = "Change") throws {
        try repository.write("#!/bin/sh\n\(script)\n", to: "packages/a b/bench.sh")
        try repository.commit(message)
    }

    /// Runs the action in the pull request, with inputs named as action.yml passes them, without their prefix.
    func job(
        _ inputs: [String: String], program: String = Repository.url(".ci/action.sh").path, arguments: [String] = [],
        environment: [String: String] = [:]
    ) throws -> ActionRun.Job {
        let defaults = [
            "SCENARIO": BenchBinary.tiny, "RUN_ARGUMENTS": "", "BUILD": Self.build, "PATH": "out/bench",
            "CACHE": action.file("cache").path, "DRIVERS": "sqlite",
            "AB_ARGUMENTS": "--allow-debug\n--launches\n6\n--quads\n2\n--scale\n1",
        ]
        let own = ["BENCH": "", "GITHUB_BASE_REF": "main", "BUILDS": action.file("builds").path]
        return try action.job(
            defaults.merging(inputs) { $1 }, in: folder, program: program, arguments: arguments,
            environment: own.merging(environment) { $1 })
    }

    /// Runs the job of the GitLab template, in a checkout that has the script and no remote branch yet.
    func gitLabJob(_ inputs: [String: String]) throws -> ActionRun.Job {
        let template = try String(contentsOf: Repository.url(".ci/bench.gitlab-ci.yml"), encoding: .utf8)
        let block = template.components(separatedBy: "    - |\n").dropFirst().first?.split(separator: "\n") ?? []
        let script = block.prefix { $0.hasPrefix("      ") }.map { $0.dropFirst(6) }.joined(separator: "\n")
        try FileManager.default.createSymbolicLink(
            at: folder.appendingPathComponent(".ci"), withDestinationURL: Repository.url(".ci"))
        try repository.git("update-ref", "-d", "refs/remotes/origin/main")
        try repository.git("remote", "add", "origin", repository.folder.path)
        return try job(
            inputs, program: "/bin/sh", arguments: ["-c", script],
            environment: [
                "GITHUB_BASE_REF": "", "CI_MERGE_REQUEST_TARGET_BRANCH_NAME": "main", "GITLAB_CI": "true",
            ])
    }

    /// The commits that were built, in their order.
    func builds() throws -> [String] {
        guard let text = try? String(contentsOf: action.file("builds"), encoding: .utf8) else { return [] }
        return text.split(separator: "\n").map(String.init)
    }

    /// Whether a command within an input or a message was run, in any folder.
    var isOwned: Bool {
        let files = FileManager.default.enumerator(atPath: action.bench.folder.path)
        return files?.contains { ($0 as? String)?.hasSuffix("owned") == true } ?? true
    }
}

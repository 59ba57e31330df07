import Foundation
import TestSupport

/// A line of commits in a package whose build makes a stand-in for bench. Tags name them: v0, v1 and so on.
struct History {
    /// What a commit's bench is.
    enum Kind: String {
        case fast
        case slow
        /// The same two as programs instead of scripts, so that their instructions can be counted.
        case fastProgram
        case slowProgram
        /// Fast in every other process.
        case wavering
        /// It does not build.
        case broken
    }

    let repository: GitRepository
    private let bench: BenchBinary

    static let build = "sh build.sh"

    init(_ kinds: Kind...) throws {
        bench = try BenchBinary()
        repository = try GitRepository(in: bench.folder.appendingPathComponent("it's mine"))
        for (number, kind) in kinds.enumerated() {
            try repository.write(script(kind), to: "a b/bench.sh")
            try repository.write(program(kind), to: "a b/program")
            try repository.write(
                kind == .broken ? "echo no rule >&2; exit 3\n" : Self.success(builds), to: "a b/build.sh")
            try repository.write("\(number)", to: "number")
            try repository.commit("Change \(number)")
            try repository.git("tag", "v\(number)")
        }
    }

    private static func success(_ builds: URL) -> String {
        """
        mkdir -p out && cp bench.sh out/bench && chmod +x out/bench
        if test -s program; then cp "$(cat program)" out/bench; fi
        git rev-parse HEAD >>'\(builds.path).log'

        """
    }

    private func program(_ kind: Kind) -> String {
        switch kind {
        case .fastProgram: BenchBinary.path
        case .slowProgram: BenchBinary.slowed.path
        default: ""
        }
    }

    private func script(_ kind: Kind) -> String {
        let start = { (program: URL) in "exec '\(program.path)' \"$@\"" }
        let (fast, slow) = (start(BenchBinary.url), start(BenchBinary.slowed))
        let waves = "mkdir \"$0.odd\" 2>/dev/null || { rmdir \"$0.odd\"; \(slow); }\n\(fast)"
        return "#!/bin/sh\n\(kind == .wavering ? waves : kind == .slow ? slow : fast)\n"
    }

    /// The folder in which builds are kept.
    var builds: URL { bench.folder.appendingPathComponent("builds") }

    var keptBuilds: [String] { (try? FileManager.default.contentsOfDirectory(atPath: builds.path)) ?? [] }

    /// The commits that were built, in their order.
    func built() throws -> [String] {
        try String(contentsOf: URL(fileURLWithPath: builds.path + ".log"), encoding: .utf8).split(separator: "\n")
            .map(String.init)
    }

    /// The folder of the package.
    var folder: URL { repository.folder.appendingPathComponent("a b") }

    func short(_ number: Int) throws -> String { String(try repository.git("rev-parse", "v\(number)").prefix(10)) }

    func arguments(_ range: String, build: String = build, lanes: Int = 2, explain: String = "never") -> [String] {
        [
            "bisect", range, BenchBinary.tiny, "--allow-debug", "--phase", "fetch-sync", "--driver", "sqlite",
            "--launches", "6", "--lanes", "\(lanes)", "--quads", "2", "--scale", "1", "--threshold", "cpu=100%",
            "--explain", explain, "--explain-budget", "10m", "--build", build, "--bench-path", "out/bench",
            "--builds", builds.path,
        ]
    }

    /// Runs bench in the package.
    func run(_ arguments: [String], in folder: URL? = nil) throws -> BenchBinary.Outcome {
        try Script.run(
            BenchBinary.path, arguments, folder: folder ?? self.folder,
            environment: ["GIT_CONFIG_GLOBAL": "/dev/null", "GIT_CONFIG_SYSTEM": "/dev/null"])
    }

    /// Whether neither a worktree nor a file of a search is left in the checkout.
    var isClean: Bool {
        get throws {
            let status = try repository.git("status", "--porcelain", "--ignored")
            let worktrees = try repository.git("worktree", "list").split(separator: "\n")
            return status.isEmpty && worktrees.count == 1 && !keptBuilds.contains { $0.hasPrefix(".") }
        }
    }
}

import Foundation
import TestSupport
import Testing

/// What the README and the page of Results tell a reader to type works.
///
/// The commands run in the order of the page, each where the one before left the files. Runs are small here;
/// `.ci/front-door` runs the README as printed.
@Suite(.ownThreads) struct PrintedCommandTests {
    @Test(arguments: ["README.md", "Results/README.md"]) func everyCommandOfAPageWorks(page: String) throws {
        let bench = try BenchBinary()
        try prepare(bench)
        let commands = try Self.commands(of: page)
        #expect(commands.count > 4)
        for command in commands {
            let outcome = try bench.run(Self.small(command))
            // A busy machine may miss a limit of response times, at every rate that is tried, and in so little time two
            // sides that take turns show nothing.
            let searches = command.contains("--find-max")
            let missesLimit = outcome.code == 1 && (searches || outcome.errors.contains("limits missed"))
            let expected: [Int32] = command[0] == "ab" ? [0, 4] : [0]
            #expect(
                missesLimit || expected.contains(outcome.code),
                "\(page): bench \(command.joined(separator: " ")): \(outcome.errors)")
        }
    }

    /// What a reader has: a copy of the repository, a file of their own, and the scenario that the README shows.
    private func prepare(_ bench: BenchBinary) throws {
        for name in ["Scenarios", "Results"] {
            try FileManager.default.copyItem(
                at: Repository.url(name), to: bench.folder.appending(path: name))
        }
        try bench.seedStore("smoke", records: 100)
        try FileManager.default.moveItem(
            at: bench.folder.appending(path: "store.sqlite"), to: bench.folder.appending(path: "my.sqlite"))
        let readme = try String(contentsOf: Repository.url("README.md"), encoding: .utf8)
        let scenario = try #require(readme.firstMatch(of: /```json\n((?s).*?)```/)).output.1
        try Data(scenario.utf8).write(to: bench.folder.appending(path: "Scenarios/mark-done.json"))
    }

    /// The arguments of every `bench` that a page shows, in a line of a console or in a sentence.
    private static func commands(of page: String) throws -> [[String]] {
        try String(contentsOf: Repository.url(page), encoding: .utf8).split(separator: "\n").flatMap { line in
            let lines = line.matches(of: /^\$ (?:.*&& )?bench ([^#]+)/).map(\.output.1)
            let sentences = line.matches(of: /`bench (\w+ [^`]+)`/).map(\.output.1)
            return (lines + sentences).map { $0.split(separator: " ").map(String.init) }
        }
    }

    /// The same command with little work, and with the program itself as its own base.
    private static func small(_ command: [String]) -> [String] {
        var arguments = command
        func set(_ option: String, _ value: String) {
            if let place = arguments.firstIndex(of: option) {
                arguments[place + 1] = value
            } else {
                arguments += [option, value]
            }
        }
        switch command[0] {
        case "run":
            arguments += ["--allow-debug", "--quiet"]
            set("--scale", "0.001")
            if command.contains("--find-max") {
                set("--trial-seconds", "0.1")
            } else {
                set("--repetitions", "1")
            }
        case "ab":
            arguments += ["--allow-debug", "--quiet"]
            set("--scale", "0.001")
            set("--base", BenchBinary.path)
            set("--new", BenchBinary.path)
            set("--budget", "1s")
        default: break
        }
        return arguments
    }
}

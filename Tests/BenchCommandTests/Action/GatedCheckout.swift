import Foundation
import TestSupport

/// A checkout in which `.ci/gate` runs, with stand-ins for the programs of both commits, which note their calls.
struct GatedCheckout {
    let directory: TemporaryDirectory
    let repository: GitRepository
    /// The commit that the change starts from.
    let base: String

    /// Makes a commit on `main`, which is known as that of origin, and a change on top of it.
    init() throws {
        directory = try TemporaryDirectory()
        repository = try GitRepository(in: directory.file("a checkout"))
        try repository.write(".ci\n.build\n", to: ".gitignore")
        base = try repository.commit("Add a bench")
        try repository.git("update-ref", "refs/remotes/origin/main", base)
        try repository.git("checkout", "--quiet", "-b", "change")
        try repository.commit("Change\n\nAccept-slowdown: seed 5% because it checks")
        try FileManager.default.createSymbolicLink(
            at: repository.folder.appending(path: ".ci"), withDestinationURL: Repository.url(".ci"))
        try program("valgrind", "exit 0")
    }

    /// Writes a program into a folder of `PATH`.
    func program(_ name: String, _ script: String) throws {
        try WrittenProgram.write(script: script, to: directory.file("programs").appending(path: name))
    }

    /// Runs the gate.
    ///
    /// - Parameters:
    ///   - instructions: What the program does to compare instructions.
    ///   - turns: What it does to take turns.
    ///   - base: What the program of the base does.
    ///   - environment: What is set besides.
    func gate(
        instructions: String = "exit 0", turns: String = "exit 0", base: String = "exit 0",
        _ environment: [String: String] = [:]
    ) throws -> BenchBinary.Outcome {
        try program(
            "bench",
            """
            echo "$@" >>'\(directory.file("calls").path)'
            while [ "$#" -gt 1 ]; do [ "$1" != --accept-file ] || cat "$2" >'\(directory.file("messages").path)'; shift; done
            case $(tail -n 1 '\(directory.file("calls").path)') in
            instructions*) \(instructions) ;;
            ab*) \(turns) ;;
            esac
            """)
        try program("base", base)
        let programs = directory.file("programs").path
        var own = [
            "BENCH": "\(programs)/bench", "BENCH_PATH": "out/bench", "BENCH_BASE": "", "BENCH_CACHE": "",
            "BENCH_BUILD":
                "mkdir out && cp '\(programs)/base' out/bench && git rev-parse HEAD >>'\(directory.file("builds").path)'",
            "PATH": "\(programs):\(ProcessInfo.processInfo.environment["PATH"] ?? "")",
            "GIT_CONFIG_GLOBAL": "/dev/null", "HOME": directory.path,
        ]
        own.merge(environment) { $1 }
        return try Script.run(
            repository.folder.appending(path: ".ci/gate").path, [], folder: directory.url, environment: own)
    }

    /// The lines of a file that the programs wrote.
    func lines(_ name: String) -> [String] {
        let text = (try? String(contentsOf: directory.file(name), encoding: .utf8)) ?? ""
        return text.split(whereSeparator: \.isNewline).map(String.init)
    }
}

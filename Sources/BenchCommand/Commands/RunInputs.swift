import BenchHarness
import Foundation

/// The inputs of a run, checked before any output.
struct RunInputs {
    var request: RunRequest
    /// A folder to create before the run; nil if the output's folder exists.
    let missingFolder: URL?
    /// Whether the output takes a free name.
    private let isClaimed: Bool
    /// Whether the command says beforehand what a run takes.
    private let announces: Bool

    /// The options of every command that runs scenarios and writes a result.
    static let specs = specs(storesByDefault: "beside the output")
    /// The options of every command that runs scenarios and need not write a result.
    static let specsWithoutOutput = specs(storesByDefault: workingDirectory)
    static let workingDirectory = "the working directory"

    private static func specs(storesByDefault place: String) -> [OptionSpec] {
        [
            scaleSpec, setSpec, cacheSpec, storeFolderSpec(default: place),
            OptionSpec(name: "--force", help: "Replace existing results."), quietSpec,
            OptionSpec(
                name: "--allow-debug", help: "Run a debug build, whose times say nothing about a release build."),
        ]
    }

    static func storeFolderSpec(default place: String) -> OptionSpec {
        OptionSpec(
            name: "--store-dir", value: "DIR", completion: .folder,
            help: "The folder for the stores during the run; default: \(place).")
    }

    static let quietSpec = OptionSpec(name: "--quiet", help: "Show no progress.")
    static let scaleSpec = OptionSpec(
        name: "--scale", value: "F",
        help: "Multiply the number of records by F, and scale limits and operations with it.")
    static let setSpec = OptionSpec(
        name: "--set", value: "PATH=N,...", isRepeatable: true,
        help: "Replace a number of the scenario, such as phases.fill.save_every_records=100; with several numbers, run "
            + "once with each."
    )
    static let cacheSpec = OptionSpec(
        name: "--cache-kib", value: "N", help: "The page cache of each connection, in KiB, instead of the scenario's.")
    static let repetitionsSpec = OptionSpec(
        name: "--repetitions", value: "N", help: "Measured runs of each driver, instead of the scenario's.")
    static let driverSpec = OptionSpec(
        name: "--driver", value: "D", isRepeatable: true, completion: .driver,
        help: "Run this driver only; repeatable.")

    static let storeSpec = OptionSpec(
        name: "--store", value: "URL",
        help: "Run the drivers for servers, and make their stores in this database, such as "
            + "postgresql://localhost/bench.")

    /// Checks everything. Without `--output`, `defaultOutput` returns the name of the file in `Results`. The output may
    /// exist without `--force` if the command adds to it, or if such a name is one after the time, which
    /// ``claimOutput()`` makes unique.
    init(
        _ invocation: Invocation, addsToOutput: Bool = false, isNamedAfterTime: Bool = false,
        defaultOutput: (Scenario) -> String
    ) throws {
        let parsed = invocation.parsed
        let scenario = try Self.scenario(invocation)
        let drivers = try Self.driversWithStores(invocation, scenario)
        let output = URL(fileURLWithPath: parsed.value("--output") ?? "Results/" + defaultOutput(scenario))
        isClaimed = isNamedAfterTime && !parsed.has("--output")
        missingFolder = try Self.checkOutput(output, parsed, mayExist: addsToOutput || isClaimed)
        let storeParent = try Self.storeParent(parsed, beside: output)
        announces = !parsed.has("--quiet") && !parsed.has("--find-max")
        request = RunRequest(
            scenario: scenario, drivers: drivers, output: output, replacesOutput: parsed.has("--force"),
            storeParent: storeParent, workerCommand: [Self.executable, WorkerCommand.spec.name],
            commandLine: invocation.commandLine.map(StoreAddress.redacted))
        try OutputFile.checkNames(request.filesBeside)
        if !addsToOutput, !isClaimed, !request.replacesOutput, let existing = request.existingFilesBeside.first {
            throw UsageError("\(existing.path) exists; --force replaces it")
        }
    }

    /// Creates the folder of the output, and warns of conditions that would distort the results.
    func prepare(_ console: Console) throws {
        if let missingFolder {
            try FileManager.default.createDirectory(at: missingFolder, withIntermediateDirectories: true)
        }
        guard request.drivers.contains(where: { $0.server == nil }),
            let system = FileSystem(of: request.storeParent)
        else { return }
        try checkSpace(on: system, console)
        guard system.isMemory else { return }
        console.warning("the stores are on \(system.name), in memory: times exclude storage; --store-dir moves them")
    }

    /// Takes the first name after the time that is free: another run may start in the same second.
    ///
    /// - Returns: An empty file that the run is to replace; nil for an output with a name that was given.
    mutating func claimOutput() throws(RunError) -> URL? {
        guard isClaimed else { return nil }
        let first = request.output
        for number in 1... {
            if number > 1 { request.output = first.besideResult("-\(number).csv") }
            guard request.existingFilesBeside.isEmpty else { continue }
            let descriptor = open(request.output.path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o644)
            if descriptor >= 0 {
                close(descriptor)
                break
            }
            guard errno == EEXIST else {
                throw RunError(.output, "cannot create \(request.output.path): \(String(cString: strerror(errno)))")
            }
        }
        request.replacesOutput = true
        return request.output
    }

    /// Says what the run will take, and refuses one whose stores have no room.
    private func checkSpace(on system: FileSystem, _ console: Console) throws(UsageError) {
        let estimate = RunEstimate(request)
        guard estimate.diskBytes <= system.freeBytes else {
            throw UsageError(
                "the stores take \(Figure.size(estimate.diskBytes)), and \(request.storeParent.path) has "
                    + "\(Figure.size(system.freeBytes)) free; --store-dir puts them elsewhere, --scale makes them smaller"
            )
        }
        if announces { console.note("bench: this run takes \(estimate.text)\n") }
    }

    /// Reads the scenario, which is one of the operands, and applies the arguments to it.
    static func scenario(_ invocation: Invocation, operand: Int = 0) throws -> Scenario {
        let parsed = invocation.parsed
        if BuildConfiguration.current == .debug, !parsed.has("--allow-debug") {
            throw UsageError(
                "this is a debug build, whose times say nothing; build with -c release, or give --allow-debug")
        }
        var scenario = try invocation.reader.read(
            contentsOf: ScenarioLocator(program: program).locate(parsed.operands[operand]), settings: settings(parsed))
        if let count = try parsed.count("--repetitions", in: 1...1_000) { scenario.repetitions = count }
        if let text = parsed.value("--scale") {
            scenario = scenario.scaled(by: try Self.scale(text))
            if let (phase, entity) = scenario.changeWithoutTarget {
                throw UsageError(
                    "--scale \(text) leaves no \(entity), to which \(phase) has records lead; expected a larger scale")
            }
        }
        return scenario
    }

    /// Returns the numbers that options set in the scenario.
    static func settings(_ parsed: ParsedArguments) throws -> [ScenarioSetting] {
        let cache = try parsed.count("--cache-kib", in: ScenarioLimits.cacheSizeKiB).map {
            ["store.cache_size_kib=\($0)"]
        }
        // The seed decides which records are of a subentity, and so which ones the numbers of the scenario mean.
        let seed = try parsed.value("--seed").map { text throws(UsageError) in
            guard let seed = UInt64(text) else {
                throw UsageError("--seed \(text): expected a whole number from 0 to \(UInt64.max)")
            }
            return ["seed=\(seed)"]
        }
        return try (parsed.all("--set") + (cache ?? []) + (seed ?? [])).map { try ScenarioSetting($0) }
    }

    /// Refuses a scenario with lists of numbers, for a command that takes one of each.
    static func checkHasNoLists(_ scenario: Scenario) throws(UsageError) {
        guard let path = scenario.sweptPaths.first else { return }
        throw UsageError("\(scenario.name) has a list at \(path); choose one number, such as --set \(path)=NUMBER")
    }

    /// This program.
    static var program: URL { URL(fileURLWithPath: executable) }

    /// The path of this program.
    static var executable: String {
        let link = try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")
        return link ?? CommandLine.arguments[0]
    }

    /// Returns the program that an option names.
    static func program(_ path: String, of option: String) throws(UsageError) -> URL {
        let program = URL(fileURLWithPath: path)
        guard SearchPath.isProgram(program) else {
            throw UsageError("\(option) \(path): expected an executable program, such as .build/release/bench")
        }
        return program
    }

    static func scale(_ text: String) throws(UsageError) -> Double {
        guard let factor = Double(text), factor.isFinite, factor > 0, factor <= 1_000 else {
            throw UsageError("--scale \(text): expected a number above 0 and up to 1000")
        }
        return factor
    }

    /// Returns the drivers that are wanted, or those that the scenario names.
    ///
    /// - Parameter onServer: Whether drivers on servers are meant where none is wanted: those among the scenario's, or
    ///   all if it names none of them.
    static func drivers(
        _ all: [any StoreDriver], _ wanted: [String], _ scenario: Scenario, onServer: Bool = false
    ) throws(UsageError) -> [any StoreDriver] {
        var names = wanted.isEmpty ? scenario.drivers : wanted
        for name in names where !all.contains(where: { $0.name == name }) {
            throw UsageError(ParsedArguments.unknown("driver", name, among: all.map(\.name)))
        }
        if onServer, wanted.isEmpty {
            names.removeAll { name in all.contains { $0.name == name && $0.server == nil } }
        }
        return all.filter { names.isEmpty ? ($0.server != nil) == onServer : names.contains($0.name) }
    }

    /// Returns the drivers of a run, whose servers can make stores.
    static func driversWithStores(
        _ invocation: Invocation, _ scenario: Scenario
    ) throws -> [any StoreDriver] {
        let parsed = invocation.parsed
        let store = parsed.value("--store")
        if let store { try chooseStore(store) }
        let drivers = try drivers(invocation.drivers, parsed.all("--driver"), scenario, onServer: store != nil)
        if store != nil, let other = drivers.first(where: { $0.server == nil }) {
            throw UsageError("--store and --driver \(other.name): its stores are files; leave one of the two out")
        }
        try checkServers(of: drivers)
        return drivers
    }

    static func chooseStore(_ store: String) throws(UsageError) {
        do throws(RunError) {
            try StoreAddress.choose(store)
        } catch {
            throw UsageError("--store: \(error.description)")
        }
    }

    /// Returns those of the named drivers whose stores are on a server.
    static func servers(_ names: some Sequence<String>, of invocation: Invocation) -> [any StoreDriver] {
        let names = Set(names)
        return invocation.drivers.filter { $0.server != nil && names.contains($0.name) }
    }

    /// Refuses drivers on servers that cannot make stores now.
    static func checkServers(of drivers: [any StoreDriver]) throws(UsageError) {
        for driver in drivers {
            if let problem = driver.server?.problem { throw UsageError("--driver \(driver.name): \(problem)") }
        }
    }

    /// Checks that the output can be written.
    ///
    /// - Returns: Its folder, if it is the default one and does not exist yet.
    private static func checkOutput(
        _ output: URL, _ parsed: ParsedArguments, mayExist: Bool
    ) throws(UsageError) -> URL? {
        let folder = output.deletingLastPathComponent()
        let canCreate = parsed.value("--output") == nil && OutputFile.isWritable(folder.deletingLastPathComponent())
        if canCreate, !OutputFile.isFolder(folder) { return folder }
        try OutputFile.check(output, replaces: mayExist || parsed.has("--force"))
        return nil
    }

    static func storeParent(_ parsed: ParsedArguments, beside output: URL) throws(UsageError) -> URL {
        guard let path = parsed.value("--store-dir") else { return output.deletingLastPathComponent() }
        let folder = URL(fileURLWithPath: path, isDirectory: true)
        guard OutputFile.isFolder(folder) else {
            throw UsageError("--store-dir \(path): no such folder; create it first")
        }
        guard OutputFile.isWritable(folder) else {
            throw UsageError("--store-dir \(path): the folder is not writable; choose another")
        }
        return folder
    }

    /// Returns the phases that options name, and refuses those that the scenario does not have.
    ///
    /// - Parameter asInResults: Whether a variant of a phase can be named, such as `update@chunk_records=100`.
    @discardableResult static func phases(
        _ parsed: ParsedArguments, _ scenario: Scenario, asInResults: Bool = false
    ) throws(UsageError) -> Set<String> {
        let names = asInResults ? scenario.phaseNamesInResults : scenario.phases.map(\.name)
        let given = parsed.all("--phase")
        for name in given where !names.contains(name) {
            if let phase = names.first(where: { name == "\($0)@all-cores" }) {
                throw UsageError(
                    "--phase \(name): give --phase \(phase), which is measured on all cores as well")
            }
            throw UsageError(ParsedArguments.unknown("phase", name, among: names))
        }
        return Set(given)
    }

    /// Returns the folder for stores without an output: the given folder, otherwise the working directory.
    static func storeFolder(_ parsed: ParsedArguments) throws(UsageError) -> URL {
        let here = URL(fileURLWithPath: FileManager.default.currentDirectoryPath, isDirectory: true)
        guard !parsed.has("--store-dir") else { return try storeParent(parsed, beside: here) }
        guard OutputFile.isWritable(here) else {
            throw UsageError(
                "cannot create a store in \(here.path), which is not writable; --store-dir DIR sets another folder")
        }
        return here
    }
}

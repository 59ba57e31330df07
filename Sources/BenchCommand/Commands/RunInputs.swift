import BenchHarness
import Foundation

/// All that a run needs, checked before anything is written.
struct RunInputs {
    let request: RunRequest
    /// A folder to make before the run; nil when the output's folder is there.
    let missingFolder: URL?

    init(_ invocation: Invocation) throws {
        let parsed = invocation.parsed
        if BuildConfiguration.current == .debug, !parsed.has("--allow-debug") {
            throw UsageError(
                "this is a debug build, whose times say nothing: build with -c release, or give --allow-debug")
        }
        var scenario = try invocation.reader.read(contentsOf: ScenarioLocator().locate(parsed.operands[0]))
        if let text = parsed.value("--repetitions") { scenario.repetitions = try Self.repetitions(text) }
        if let text = parsed.value("--scale") { scenario = scenario.scaled(by: try Self.scale(text)) }
        let drivers = try Self.drivers(invocation.drivers, parsed.all("--driver"), scenario)
        let output = Self.output(parsed, scenario)
        missingFolder = try Self.checkOutput(output, parsed)
        let storeParent = try Self.storeParent(parsed, beside: output)
        request = RunRequest(
            scenario: scenario, drivers: drivers, output: output, replacesOutput: parsed.has("--force"),
            storeParent: storeParent, workerCommand: [Self.executable, WorkerCommand.spec.name],
            commandLine: invocation.commandLine)
    }

    private static var executable: String {
        let link = try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")
        return link ?? CommandLine.arguments[0]
    }

    private static func repetitions(_ text: String) throws(UsageError) -> Int {
        guard let count = Int(text), (1...1_000).contains(count) else {
            throw UsageError("--repetitions \(text): expected a whole number from 1 to 1000")
        }
        return count
    }

    private static func scale(_ text: String) throws(UsageError) -> Double {
        guard let factor = Double(text), factor.isFinite, factor > 0, factor <= 1_000 else {
            throw UsageError("--scale \(text): expected a number above 0, 1000 at most")
        }
        return factor
    }

    private static func drivers(
        _ all: [any StoreDriver], _ wanted: [String], _ scenario: Scenario
    ) throws(UsageError) -> [any StoreDriver] {
        let names = wanted.isEmpty ? scenario.drivers : wanted
        for name in names where !all.contains(where: { $0.name == name }) {
            throw UsageError(ParsedArguments.unknown("driver", name, among: all.map(\.name)))
        }
        return names.isEmpty ? all : all.filter { names.contains($0.name) }
    }

    private static func output(_ parsed: ParsedArguments, _ scenario: Scenario) -> URL {
        if let path = parsed.value("--output") { return URL(fileURLWithPath: path) }
        let format = DateFormatter()
        format.locale = Locale(identifier: "en_US_POSIX")
        format.timeZone = TimeZone(identifier: "UTC")
        format.dateFormat = "yyyyMMdd'T'HHmmss'Z'"
        return URL(fileURLWithPath: "Results/\(scenario.name)-\(format.string(from: Date())).csv")
    }

    /// Checks that the output can be written.
    ///
    /// - Returns: Its folder, when that is the default one and is not there yet.
    private static func checkOutput(_ output: URL, _ parsed: ParsedArguments) throws(UsageError) -> URL? {
        let folder = output.deletingLastPathComponent()
        if !isFolder(folder) {
            let parent = folder.deletingLastPathComponent()
            guard parsed.value("--output") == nil, isWritable(parent) else {
                throw UsageError("cannot write \(output.path): there is no folder \(folder.path)")
            }
            return folder
        }
        guard isWritable(folder) else {
            throw UsageError("cannot write \(output.path): the folder \(folder.path) is not writable")
        }
        try checkExisting(output, parsed)
        return nil
    }

    private static func checkExisting(_ output: URL, _ parsed: ParsedArguments) throws(UsageError) {
        let attributes = try? FileManager.default.attributesOfItem(atPath: output.resolvingSymlinksInPath().path)
        guard let type = attributes?[.type] as? FileAttributeType else { return }
        if type == .typeDirectory { throw UsageError("\(output.path) is a directory; expected a file to write") }
        guard type == .typeRegular else { throw UsageError("\(output.path) is not a regular file") }
        guard parsed.has("--force") else { throw UsageError("\(output.path) exists; --force replaces it") }
    }

    private static func storeParent(_ parsed: ParsedArguments, beside output: URL) throws(UsageError) -> URL {
        guard let path = parsed.value("--store-dir") else { return output.deletingLastPathComponent() }
        let folder = URL(fileURLWithPath: path, isDirectory: true)
        guard isFolder(folder) else { throw UsageError("--store-dir \(path): there is no such folder") }
        guard isWritable(folder) else { throw UsageError("--store-dir \(path): the folder is not writable") }
        return folder
    }

    private static func isFolder(_ url: URL) -> Bool {
        var isFolder: ObjCBool = false
        return FileManager.default.fileExists(atPath: url.path, isDirectory: &isFolder) && isFolder.boolValue
    }

    /// Permission alone does not tell: root has it on `/proc` too, where nothing can be made.
    private static func isWritable(_ url: URL) -> Bool {
        let probe = url.appendingPathComponent(".bench-\(getpid())-\(UUID().uuidString.prefix(4))")
        guard mkdir(probe.path, 0o700) == 0 else { return false }
        rmdir(probe.path)
        return true
    }
}

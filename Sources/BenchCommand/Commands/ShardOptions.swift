import BenchHarness
import Foundation

/// The options of a run that does a part of its loads.
enum ShardOptions {
    static let specs = [
        OptionSpec(
            name: "--shard", value: "I/N",
            help: "Run part I (0 to N-1) of a load that N processes share; default with --meeting: the numbers that "
                + "Open MPI, Slurm or Kubernetes sets."),
        OptionSpec(
            name: "--meeting", value: "DIR", completion: .folder,
            help: "Where the processes find each other: a folder that all of them can write to, or store:NAME on the "
                + "server of --store. Use a new one for each run."),
        OptionSpec(
            name: "--meeting-wait", value: "TIME",
            help: "How long to wait for the other processes to arrive, such as 5m; default: 10m."),
    ]

    private static let arrivalSeconds = 600.0

    /// Returns the part of a load that the options name; nil without them.
    static func request(_ parsed: ParsedArguments, _ drivers: [any StoreDriver]) throws -> SharedRunRequest? {
        guard let text = parsed.value("--meeting") else {
            for option in ["--shard", "--meeting-wait"] where parsed.has(option) {
                throw UsageError(
                    "\(option) needs --meeting DIR or --meeting store:NAME, where the processes of the load meet")
            }
            return nil
        }
        return SharedRunRequest(
            shard: try shard(parsed), meeting: try place(text, drivers),
            arrivalSeconds: try parsed.duration("--meeting-wait") ?? arrivalSeconds)
    }

    /// Applies the options to a request; leaves it alone without them.
    ///
    /// - Parameter makesFolder: Whether the folder of the output does not exist yet, nor anything in it.
    static func apply(_ parsed: ParsedArguments, to request: inout RunRequest, makesFolder: Bool) throws {
        guard let sharing = try Self.request(parsed, request.drivers) else { return }
        for option in ["--precision", "--time-budget"] where parsed.has(option) {
            throw UsageError(
                "\(option) would let each process stop on its own; leave out \(option) or --meeting")
        }
        try check(sharing, request, isSearch: parsed.has("--find-max"))
        if sharing.shard.index == 0, !makesFolder {
            for file in ShardMerge.files(request.mergedOutput) {
                try OutputFile.check(file, replaces: request.replacesOutput)
            }
        }
        request.sharing = sharing
    }

    /// Checks that shards can do the loads of a request together.
    static func check(
        _ sharing: SharedRunRequest, _ request: RunRequest, isSearch: Bool
    ) throws(UsageError) {
        do throws(RunError) {
            try sharing.check(request.scenario, phases: request.phases, isSearch: isSearch)
        } catch {
            throw UsageError("--meeting: \(error.description)")
        }
    }

    /// Returns the place that a text names.
    static func place(_ text: String, _ drivers: [any StoreDriver]) throws(UsageError) -> MeetingAddress {
        guard let address = MeetingAddress(text) else {
            throw UsageError(
                "--meeting \(text): expected store:NAME with a name of up to \(MeetingAddress.longestName) letters, "
                    + "digits, -, _ and ., such as store:run-1, or a folder; ./\(text) is one"
            )
        }
        if case .server = address, let driver = drivers.first(where: { $0.server == nil }) {
            throw UsageError(
                "--meeting \(text): the stores of \(driver.name) are files; give --store postgresql://HOST/DATABASE, or "
                    + "a folder to meet in")
        }
        return address
    }

    /// Returns the part that an option or the environment names.
    static func shard(_ parsed: ParsedArguments) throws(UsageError) -> Shard {
        guard let text = parsed.value("--shard") else {
            do throws(RunError) {
                return try Shard.named(in: ProcessInfo.processInfo.environment)
            } catch {
                throw UsageError("--meeting: \(error.description)")
            }
        }
        guard let shard = Shard(text) else {
            throw UsageError("--shard \(text): expected I/N, such as 2/8, with I from 0 to N - 1 and N up to 1,000")
        }
        return shard
    }

    /// Returns what the name of a shard's results ends with, so that those of others do not replace them; nil without
    /// the options.
    static func suffix(_ parsed: ParsedArguments) -> String? {
        guard parsed.has("--meeting"), let shard = try? shard(parsed) else { return nil }
        return "-shard-\(shard.index)"
    }
}

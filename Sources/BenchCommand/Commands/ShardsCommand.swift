import BenchHarness
import Foundation

/// `bench shards`: prints what starts the shards of a load on many machines.
struct ShardsCommand: Subcommand {
    /// What starts the shards.
    enum Starter: String, CaseIterable {
        case kubernetes
        case slurm
        case ssh
    }

    static let spec = CommandSpec(
        name: "shards",
        summary: "Print a Kubernetes manifest, or a script for Slurm or ssh, that starts one load on many machines.",
        operand: "kubernetes|slurm|ssh SCENARIO", operandCount: 2...2, operandCompletion: .words(of: Starter.self),
        options: [
            OptionSpec(
                name: "--shards", alias: "-n", value: "N",
                help: "The number of shards; default with ssh: one for each --host."),
            OptionSpec(
                name: "--host", value: "HOST", isRepeatable: true,
                help: "With ssh: a machine to start shards on; repeatable, and the shards are dealt out in turn."),
            OptionSpec(
                name: "--image", value: "IMAGE",
                help: "With kubernetes: the image of the containers, which must have bench."),
            OptionSpec(
                name: "--secret", value: "NAME",
                help: "With kubernetes: the Secret with the password of the server; default: \(defaultSecret)."),
            OptionSpec(
                name: "--program", value: "PATH", completion: .file,
                help: "The path of bench on the machines; default: bench in their PATH."),
            OptionSpec(
                name: "--name", value: "NAME", help: "The name of the job; default: bench- and that of the scenario."),
            OptionSpec(
                name: "--meeting", value: "PLACE", completion: .folder,
                help: "Where the shards meet, like --meeting of bench run; default: a new name on the server each "
                    + "time."),
        ] + passedOn + [CommandSpec.help],
        examples: [
            "bench shards ssh ycsb-a --host one --host two --store postgresql://db.example.com/bench | sh",
            "bench shards slurm ycsb-a -n 8 --store postgresql://db.example.com/bench --driver managed-postgres | sbatch",
            "bench shards kubernetes ycsb-a -n 8 --image bench:0.1.0 --store postgresql://bench@db/bench > job.yaml",
        ])

    private static let defaultSecret = "bench-store"

    /// The options of `bench run` that all shards get as they are.
    private static let passedOn: [OptionSpec] = {
        let own = ShardOptions.specs.map(\.name).filter { $0 != "--meeting-wait" }
        let others = ["--output", "--store-dir", "--force", "--precision", "--time-budget", CommandSpec.help.name]
        return RunCommand.spec.options.filter { !(own + others).contains($0.name) }
    }()

    private let console: Console
    private let text: String

    init(_ invocation: Invocation) throws {
        let parsed = invocation.parsed
        console = invocation.console
        guard let starter = Starter(rawValue: parsed.operands[0]) else {
            throw UsageError(
                ParsedArguments.unknown("starter", parsed.operands[0], among: Starter.allCases.map(\.rawValue)))
        }
        try Self.checkOptions(parsed, of: starter)
        let hosts = try Self.hosts(parsed, starter)
        let plan = try Self.plan(invocation, count: Self.count(parsed, hosts))
        switch starter {
        case .kubernetes: text = try Self.manifest(plan, parsed)
        case .slurm: text = SlurmScript(plan: plan).text
        case .ssh: text = SSHScript(plan: plan, hosts: hosts).text
        }
        if let store = parsed.value("--store"), StoreAddress.isLocal(store) {
            console.warning("--store is a server on this machine; each machine would look for one of its own")
        }
    }

    func run() throws -> ExitCode {
        try console.result(text)
        return .success
    }

    private static func checkOptions(_ parsed: ParsedArguments, of starter: Starter) throws(UsageError) {
        let owners: [(String, Starter)] = [("--host", .ssh), ("--image", .kubernetes), ("--secret", .kubernetes)]
        for (option, owner) in owners where parsed.has(option) && owner != starter {
            throw UsageError("\(option) is for bench shards \(owner.rawValue); leave it out")
        }
    }

    private static func hosts(_ parsed: ParsedArguments, _ starter: Starter) throws(UsageError) -> [String] {
        let hosts = parsed.all("--host")
        guard starter == .ssh else { return [] }
        guard !hosts.isEmpty else {
            throw UsageError("bench shards ssh needs the machines: --host HOST, several times")
        }
        for host in hosts where host.hasPrefix("-") || host.utf8.contains(where: { $0 <= 0x20 || $0 == 0x7F }) {
            throw UsageError(
                "--host \(host.debugDescription): expected the name of a machine, such as bench@one.example.com")
        }
        return hosts
    }

    private static func count(_ parsed: ParsedArguments, _ hosts: [String]) throws(UsageError) -> Int {
        let given = try parsed.count("--shards", in: 2...1_000)
        guard let count = given ?? (hosts.count < 2 ? nil : hosts.count) else {
            throw UsageError("the number of shards is missing; give -n N, 2 or more")
        }
        guard count >= hosts.count else {
            throw UsageError(
                "-n \(count): fewer shards than the \(hosts.count) --host; give -n \(hosts.count) or more, or leave "
                    + "-n out")
        }
        return count
    }

    // MARK: The plan

    private static func plan(_ invocation: Invocation, count: Int) throws -> ShardPlan {
        let parsed = invocation.parsed
        let scenario = try RunInputs.scenario(invocation, operand: 1)
        let meeting = try check(invocation, scenario, count)
        let file = try ScenarioLocator(program: RunInputs.program).locate(parsed.operands[1])
        return ShardPlan(
            name: try name(parsed, scenario), count: count, scenario: scenario.name,
            scenarioText: try String(contentsOf: file, encoding: .utf8), program: parsed.value("--program") ?? "bench",
            meeting: meeting, options: options(parsed))
    }

    /// Checks what each shard would check; what only the machines know is left to them.
    ///
    /// - Returns: The place to meet, if one is given.
    private static func check(_ invocation: Invocation, _ scenario: Scenario, _ count: Int) throws -> String? {
        let parsed = invocation.parsed
        guard let store = parsed.value("--store") else {
            throw UsageError("bench shards needs --store URL: stores in files are on one machine")
        }
        try checkStore(store)
        let drivers = try RunInputs.drivers(invocation.drivers, parsed.all("--driver"), scenario, onServer: true)
        if let other = drivers.first(where: { $0.server == nil }) {
            throw UsageError("--store and --driver \(other.name): its stores are files; leave one of the two out")
        }
        let here = URL(fileURLWithPath: FileManager.default.currentDirectoryPath, isDirectory: true)
        var request = RunRequest(
            scenario: scenario, drivers: drivers, output: here.appendingPathComponent("shard.csv"), storeParent: here)
        try RepetitionOptions.apply(parsed, to: &request)
        _ = try parsed.duration("--meeting-wait")
        let search = try FindMaxOptions(parsed, scenario)
        let place = parsed.value("--meeting")
        let address = try ShardOptions.place(place ?? "store:new", drivers)
        if parsed.operands[0] == Starter.kubernetes.rawValue, case .folder = address {
            throw UsageError(
                "--meeting \(place ?? ""): pods have no folder in common; leave it out, or give store:NAME")
        }
        guard let shard = Shard(index: 0, count: count) else { return place }
        try ShardOptions.check(
            SharedRunRequest(shard: shard, meeting: address), request, isSearch: search != nil)
        if case .folder(let path) = address, place != nil { return path }
        return place
    }

    private static func checkStore(_ store: String) throws(UsageError) {
        guard StoreAddress.isAddress(store) else {
            throw UsageError("--store: expected a URL, such as postgresql://db.example.com/bench")
        }
        guard StoreAddress.redacted(store) == store else {
            throw UsageError(
                "--store has a password, which would stand in what is printed; leave it out: the machines read it from "
                    + "~/.pgpass, and pods from the Secret that --secret names")
        }
    }

    private static func name(_ parsed: ParsedArguments, _ scenario: Scenario) throws(UsageError) -> String {
        guard let name = parsed.value("--name") else {
            let letters = scenario.name.lowercased().map { $0.isASCII && ($0.isLetter || $0.isNumber) ? $0 : "-" }
            return "bench-" + String(letters.prefix(longestName - 10)).trimmingCharacters(in: ["-"])
        }
        guard isName(name), name.count <= longestName else {
            throw UsageError(
                "--name \(name.debugDescription): expected up to \(longestName) small letters, digits and dashes, with a "
                    + "letter first, such as bench-monday")
        }
        return name
    }

    /// Kubernetes adds the number of a shard, and allows 63 characters.
    private static let longestName = 50

    private static func isName(_ text: String) -> Bool { text.wholeMatch(of: /[a-z]([a-z0-9\-]*[a-z0-9])?/) != nil }

    private static func options(_ parsed: ParsedArguments) -> [[String]] {
        passedOn.flatMap { option in
            option.value == nil
                ? (parsed.has(option.name) ? [[option.name]] : [])
                : parsed.all(option.name).map { [option.name, $0] }
        }
    }

    // MARK: What is printed

    private static func manifest(_ plan: ShardPlan, _ parsed: ParsedArguments) throws(UsageError) -> String {
        guard let image = parsed.value("--image") else {
            throw UsageError("bench shards kubernetes needs --image IMAGE, which has bench and libpq")
        }
        let secret = parsed.value("--secret") ?? defaultSecret
        guard isName(secret), secret.count <= longestName else {
            throw UsageError(
                "--secret \(secret.debugDescription): expected the name of a Secret: up to \(longestName) small letters, "
                    + "digits and dashes; the password itself is not given")
        }
        return KubernetesManifest(plan: plan, image: image, secret: secret).text
    }
}

import BenchHarness
import Foundation

/// Which two sides take turns, how often, and what is then judged.
struct ABPlan {
    /// The options of how often.
    static let paceSpecs = [
        OptionSpec(
            name: "--launches", value: "N",
            help: "Launch both sides at most N times for each phase, each time with new processes and stores; default: "
                + "160."),
        OptionSpec(
            name: "--lanes", value: "N",
            help: "How many launches run at once, each on its own core; default: 2."),
        OptionSpec(
            name: "--quads", value: "N",
            help: "How often a launch measures a phase, each time with two turns of each side; default: 8."),
    ]

    var request: PairedRequest
    let options: ComparisonOptions

    init(_ invocation: Invocation, _ judging: ComparisonOptions) throws {
        let parsed = invocation.parsed
        if try ABCommands.areMeant(parsed) {
            try self.init(ofCommands: invocation, judging)
        } else {
            try self.init(ofScenario: invocation, judging)
        }
    }

    /// The turns of two commands.
    private init(ofCommands invocation: Invocation, _ judging: ComparisonOptions) throws {
        let parsed = invocation.parsed
        try Self.checkMetrics(judging.moreMetrics)
        try ABCommands.checkMetrics(judging.moreMetrics)
        var request = try ABCommands.request(invocation)
        try Self.setPace(of: &request, parsed)
        self.request = request
        var options = Self.options(judging, isOfDrivers: true)
        options.accepted = try AcceptOptions.read(parsed)
        self.options = options
        try Self.checkLimits(options, request)
    }

    private init(ofScenario invocation: Invocation, _ judging: ComparisonOptions) throws {
        let parsed = invocation.parsed
        guard !parsed.operands.isEmpty else {
            throw UsageError(
                "bench ab needs a SCENARIO, or two commands: --base-command './before input' --new-command "
                    + "'./after input'")
        }
        let drivers = (base: parsed.value("--base-driver"), new: parsed.value("--new-driver"))
        try Self.checkSides(parsed, drivers)
        try Self.checkMetrics(judging.moreMetrics)
        let scenario = try RunInputs.scenario(invocation)
        try RunInputs.phases(parsed, scenario, asInResults: true)
        let contests = try Self.contests(invocation, drivers, scenario)
        var request = PairedRequest(
            scenario: scenario, contests: contests,
            base: try Self.program("base", parsed.value("--base"), drivers.base),
            new: try Self.program("new", parsed.value("--new"), drivers.new),
            commandLine: invocation.commandLine.map(StoreAddress.redacted))
        request.driversOnServers = Self.driversOnServers(request.contests, invocation)
        try Self.setPace(of: &request, parsed)
        self.request = request
        var options = Self.options(judging, isOfDrivers: drivers.base != nil)
        options.accepted = try AcceptOptions.read(parsed)
        self.options = options
        try Self.checkLimits(options, request)
    }

    /// The turns of two builds of each driver, whose programs are still to be set.
    init(ofBuilds invocation: Invocation, _ scenario: Scenario, _ judging: ComparisonOptions) throws {
        let program = PairedRequest.Program(title: "", command: [])
        var request = PairedRequest(
            scenario: scenario, contests: try Self.contests(invocation, (nil, nil), scenario), base: program,
            new: program, commandLine: invocation.commandLine.map(StoreAddress.redacted))
        request.driversOnServers = Self.driversOnServers(request.contests, invocation)
        try Self.setPace(of: &request, invocation.parsed)
        self.request = request
        options = Self.options(judging, isOfDrivers: false)
        try Self.checkLimits(options, request)
    }

    /// Returns the drivers of the request whose stores are on a server.
    func servers(of invocation: Invocation) -> [any StoreDriver] {
        RunInputs.servers(request.driversOnServers, of: invocation)
    }

    private static func driversOnServers(_ contests: [PairedRequest.Contest], _ invocation: Invocation) -> Set<String> {
        Set(RunInputs.servers(contests.flatMap { [$0.base, $0.new] }, of: invocation).map(\.name))
    }

    private static func setPace(of request: inout PairedRequest, _ parsed: ParsedArguments) throws {
        request.keepsScale = parsed.has("--scale")
        if let budget = try parsed.duration("--budget") { request.budgetSeconds = budget }
        if let launches = try parsed.count("--launches", in: 1...PairedRequest.mostLaunches) {
            request.launches = launches
        }
        if let lanes = try parsed.count("--lanes", in: 1...1_000) {
            let cores = ProcessInfo.processInfo.activeProcessorCount
            guard lanes <= cores else {
                throw UsageError("--lanes \(lanes): each is a core, of which this process may use \(cores)")
            }
            request.lanes = lanes
        }
        if let quads = try parsed.count("--quads", in: 1...1_000) { request.quads = quads }
    }

    private static func checkSides(
        _ parsed: ParsedArguments, _ drivers: (base: String?, new: String?)
    ) throws(UsageError) {
        let hasDrivers = drivers.base != nil || drivers.new != nil
        if hasDrivers, drivers.base == nil || drivers.new == nil {
            throw UsageError("--base-driver and --new-driver belong together; give both")
        }
        if hasDrivers, !parsed.all("--driver").isEmpty {
            throw UsageError("--driver and --base-driver exclude each other; give one")
        }
        if !hasDrivers, parsed.value("--base") == nil, parsed.value("--new") == nil {
            throw UsageError("bench ab needs two sides: --base BINARY, or --base-driver D --new-driver D")
        }
    }

    private static func checkMetrics(_ names: Set<String>) throws(UsageError) {
        guard names.contains("duration") else { return }
        throw UsageError(
            "--metric duration: leave it out; bench ab judges durations by itself where a phase waits, and elsewhere "
                + "both sides share a core, and a duration says nothing")
    }

    /// Refuses limits that nothing is held to: with them, a regression would pass unseen.
    private static func checkLimits(_ options: ComparisonOptions, _ request: PairedRequest) throws {
        do throws(RunError) {
            try options.accepted.refuseUnknown(among: request.keys)
        } catch {
            throw UsageError(error.description)
        }
        let judged = request.judgedMetrics.union(options.moreMetrics)
        let exact = options.judgesCounters ? Metric.all.filter(\.isExact).map(\.name) : []
        guard let name = ComparisonThresholds.unheld(options.thresholds, judged.union(exact)) else { return }
        throw UsageError(
            "--threshold \(name): bench ab judges no \(name) here, so nothing is held to it; leave it out, or give --metric "
                + name)
    }

    private static func contests(
        _ invocation: Invocation, _ drivers: (base: String?, new: String?), _ scenario: Scenario
    ) throws -> [PairedRequest.Contest] {
        if let base = drivers.base, let new = drivers.new {
            if let store = invocation.parsed.value("--store") { try RunInputs.chooseStore(store) }
            // Drivers of another program are its own to know.
            try RunInputs.checkServers(of: invocation.drivers.filter { [base, new].contains($0.name) })
            return [PairedRequest.Contest(base: base, new: new)]
        }
        return try RunInputs.driversWithStores(invocation, scenario).map {
            PairedRequest.Contest(base: $0.name, new: $0.name)
        }
    }

    private static func program(
        _ name: String, _ binary: String?, _ driver: String?
    ) throws(UsageError) -> PairedRequest.Program {
        let program = try RunInputs.program(binary ?? RunInputs.executable, of: "--\(name)").path
        return PairedRequest.Program(
            title: driver ?? binary ?? program, command: [program, TurnsCommand.spec.name])
    }

    private static func options(_ judging: ComparisonOptions, isOfDrivers: Bool) -> ComparisonOptions {
        var options = judging
        options.pairing = .paired
        options.relation = .absolute
        // Each driver counts in its own way.
        options.judgesCounters = !isOfDrivers
        if isOfDrivers { options.drivers = [] }
        options.alpha = options.alpha ?? ComparisonOptions.alphaOfTurns
        return options
    }
}

import Foundation

/// The store that the phases of a job work on, and what must be in it.
struct StoreUnderTest {
    private let stage: StoreStage
    private let scenario: Scenario
    /// The scenario as the phase at hand sees it: with the entity that the phase is about.
    private(set) var view: Scenario
    private let driver: any StoreDriver
    private let expectedEmpty: ExpectedStore
    private let expectedSeeded: ExpectedStore
    private let inspectorCommand: [String]
    /// Chooses the values that no driver has seen; nil chooses others each time.
    private let plantingSeed: UInt64?

    /// What must be in the store.
    var expected: ExpectedStore
    /// Open from one phase to the next while the next goes on from what the one before left: closing a store may write
    /// its log back, which is then not there for a checkpoint to do.
    private(set) var session: (any StoreSession)?

    /// - Parameters:
    ///   - inspectorCommand: The program and arguments of a process that inspects the store; empty to inspect in this
    ///     process.
    ///   - plantingSeed: Chooses the values that no driver has seen; nil chooses others each time.
    init(
        _ scenario: Scenario, driver: any StoreDriver, directory: String, inspectorCommand: [String] = [],
        plantingSeed: UInt64? = nil
    ) {
        self.scenario = scenario
        view = scenario
        self.driver = driver
        self.inspectorCommand = inspectorCommand
        self.plantingSeed = plantingSeed
        stage = StoreStage(directory: directory)
        expected = ExpectedStore(emptyFor: scenario)
        expectedEmpty = expected
        expectedSeeded = ExpectedStore(seededFor: scenario)
    }

    /// The folder of the store.
    var directory: URL { stage.store }

    /// Makes the initial states of phases: in files, or on the driver's server.
    var stager: any StoreStager { driver.server?.stager(of: configuration) ?? stage }

    /// Removes all content of the store.
    func empty() throws {
        // A driver on a server may keep notes in the folder.
        try stage.empty()
        if let server = driver.server { try server.stager(of: configuration).empty() }
    }

    /// The session that is open, or a new one.
    mutating func open() throws -> any StoreSession {
        let session = try session ?? driver.open(configuration)
        self.session = session
        return session
    }

    /// Does the work of a phase in the session that is open, or in a new one.
    ///
    /// - Returns: What is wrong with the outcome; empty if all is well.
    mutating func run(
        _ work: any PhaseWork, in setting: PhaseSetting, report: inout ReportDraft
    ) throws -> [String] {
        let found = expected
        let problems = try perform(work, in: setting, report: &report)
        if setting.verifies { report.outcome.filterReach = found.reach(of: work.filter) }
        return problems
    }

    private mutating func perform(
        _ work: any PhaseWork, in setting: PhaseSetting, report: inout ReportDraft
    ) throws -> [String] {
        guard let work = work as? any OpeningWork else {
            let session = try open()
            return try work.run(session, in: setting, expected: &expected, report: &report)
        }
        try close()
        var expected = expected
        defer { self.expected = expected }
        return try work.run(opening: { try open() }, in: setting, expected: &expected, report: &report)
    }

    /// Closes the session, if one is open.
    mutating func close() throws {
        defer { session = nil }
        try session?.close()
    }

    /// Puts the store into the state that a phase starts from. One that goes on from what the phase before left starts
    /// from the store as it is.
    mutating func restore(before phase: Int) throws {
        let origin = scenario.phases[phase].from
        try focus(on: scenario.phases[phase])
        guard origin != .previous else { return }
        try close()
        switch origin {
        case .empty, .previous:
            try empty()
            expected = expectedEmpty.focused(on: view.entity.name)
        case .seeded:
            if try !stager.hasSeeded { try makeSeeded() }
            try stager.restoreSeeded()
            expected = expectedSeeded.focused(on: view.entity.name)
            try plantValues(before: phase)
        case .file:
            try empty()
            expected = try copy(of: scenario.phases[phase].file ?? "")
        }
    }

    /// Takes the view of a phase. A session is about one entity, so that a phase about another gets a new one.
    mutating func focus(on phase: Phase) throws {
        let wanted = scenario.focused(on: phase.entity)
        guard wanted.entity.name != view.entity.name else { return }
        try close()
        view = wanted
        expected = expected.focused(on: view.entity.name)
    }

    /// Makes the store a copy of a file, and returns what it holds.
    private func copy(of file: String) throws -> ExpectedStore {
        let configuration = configuration(of: view, isCopy: true)
        guard let adopter = driver.adopter, let inspector = driver.inspector(of: configuration) else {
            throw RunError(
                .phase,
                "the stores of \(driver.name) cannot be copies of a file; choose other drivers, or \"from\": "
                    + "\"seeded\"")
        }
        try adopter.adopt(URL(fileURLWithPath: file), for: configuration)
        StoreStage.sync(stage.store)
        return ExpectedStore(try CopiedRecords(by: inspector), generator: configuration.records)
    }

    /// Gives some records values that no driver has seen. They are other ones each time, so that no earlier phase or
    /// repetition tells them.
    private mutating func plantValues(before phase: Int) throws {
        var random: any RandomNumberGenerator =
            plantingSeed.map { SplitMix64(state: $0 &+ UInt64(phase)) } ?? SystemRandomNumberGenerator()
        guard let planter = driver.planter(of: configuration),
            let values = PlantedValues(for: view, before: phase, configuration.records, using: &random)
        else { return }
        try planter.plant(values)
        expected.append(values)
    }

    /// Seeds outside the clock, for scenarios that do not begin with it.
    private func makeSeeded() throws {
        try empty()
        let configuration = configuration(of: scenario)
        let session = try driver.open(configuration)
        let seeding = Result {
            try session.seed(SeedWork(), records: scenario.records, monitor: PhaseMonitor())
            return try expectedSeeded.problems(witness(of: configuration).inspect(session))
        }
        let closing = Result { try session.close() }
        let problems = try seeding.get()
        guard problems.isEmpty else {
            throw PhaseSkipped(reason: "after seeding, " + problems.joined(separator: "; "))
        }
        try closing.get()
        try stager.keepSeeded()
    }

    /// Inspects the store.
    var witness: StoreWitness { witness(of: configuration) }

    private func witness(of configuration: StoreConfiguration) -> StoreWitness {
        StoreWitness(driver: driver, configuration: configuration, seed: scenario.seed, command: inspectorCommand)
    }

    private var configuration: StoreConfiguration { configuration(of: view, isCopy: expected.isCopy) }

    private func configuration(of view: Scenario, isCopy: Bool = false) -> StoreConfiguration {
        var scenario = scenario
        // No phase reads other entities of a copy, whose attributes may be of types that no scenario has.
        if isCopy { for place in scenario.entities.indices.dropFirst() { scenario.entities[place].attributes = [] } }
        let schema = scenario.schema
        var configuration = StoreConfiguration(
            directory: stage.store, schema: schema.focused(on: schema.place(of: view.entity.name) ?? 0),
            options: view.store, records: RecordGenerator(entity: view.entity, seed: view.seed))
        configuration.isCopy = isCopy
        return configuration
    }
}

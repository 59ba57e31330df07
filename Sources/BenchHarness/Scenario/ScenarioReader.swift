import Foundation

/// Reads a ``Scenario`` from JSON, and reports every mistake with its place and its fix.
///
/// ```swift
/// let url = try ScenarioLocator().locate("million")
/// let scenario = try ScenarioReader(drivers: ["managed", "sqlite"]).read(contentsOf: url)
/// ```
///
/// It is strict on purpose: an unknown key is a misspelt one, and a benchmark that silently deviates from its file is
/// worse than none. `Scenarios/schema.json` describes the format for editors.
public struct ScenarioReader: Sendable {
    /// The version of the format that this reader understands.
    public static let version = 3

    private let drivers: [String]?
    private let adopters: [any StoreAdopter]

    /// Creates a reader.
    ///
    /// - Parameters:
    ///   - drivers: The names of the drivers that a scenario may name; nil allows any.
    ///   - adopters: Those of the drivers. One of them must be able to copy each file that phases start from; if there
    ///     are none, the files are not opened.
    public init(drivers: [String]? = nil, adopters: [any StoreAdopter] = []) {
        self.drivers = drivers
        self.adopters = adopters
    }

    /// Reads a file, with some of its numbers replaced. Errors name it by its URL's relative path.
    ///
    /// - Throws: `ScenarioErrors` with all errors in the file.
    public func read(
        contentsOf url: URL, settings: [ScenarioSetting] = []
    ) throws(ScenarioErrors) -> Scenario {
        let data: Data
        do {
            data = try ScenarioFile.data(at: url)
        } catch {
            throw ScenarioErrors([error])
        }
        return try read(data, file: url.relativePath, settings: settings)
    }

    /// Returns whether a file is a JSON schema instead of a scenario, such as the one beside them for editors.
    public static func isSchema(_ url: URL) throws(ScenarioError) -> Bool {
        let bytes = Array(try ScenarioFile.data(at: url))
        guard let node = try? JSONReader.read(bytes), case .object(let members) = node.value,
            let schema = members.first(where: { $0.key == "$schema" }), case .string(let text) = schema.value.value
        else { return false }
        return text.firstMatch(of: /^https?:\/\/json-schema\.org\//) != nil
    }

    /// Reads JSON, with some of its numbers replaced; `file` is its name in errors.
    ///
    /// - Throws: `ScenarioErrors` with all errors, but nothing after the first syntax error.
    public func read(
        _ json: Data, file: String, settings: [ScenarioSetting] = []
    ) throws(ScenarioErrors) -> Scenario {
        let source = JSONSource(file: file, bytes: Array(json), settings: settings.map(\.text))
        let node: JSONNode
        do {
            node = try JSONReader.read(source.bytes)
        } catch {
            throw ScenarioErrors([
                source.error(at: error.offset, path: nil, found: error.found, expected: error.expected)
            ])
        }
        let root = try settings.applied(to: node, source)
        let finder = SweepFinder()
        let files = OriginFiles(adopters)
        var scenario = try scenario(root, source, files, finder)
        scenario.variants = try SweepReader(root, source, finder).variants { (variant) throws(ScenarioErrors) in
            try self.scenario(variant, source, files)
        }
        return scenario
    }

    /// Reads a scenario with the first number of each list; without a finder, lists are errors.
    private func scenario(
        _ node: JSONNode, _ source: JSONSource, _ files: OriginFiles, _ finder: SweepFinder? = nil
    ) throws(ScenarioErrors) -> Scenario {
        let problems = ScenarioProblems()
        let scenario = scenario(
            JSONCursor(node: node, path: "", source: source, problems: problems, sweeps: finder), files)
        if let errors = problems.errors { throw errors }
        guard let scenario else { preconditionFailure("a scenario that is not read has errors") }
        return scenario
    }
}

// MARK: - The root

extension ScenarioReader {
    private func scenario(_ cursor: JSONCursor, _ files: OriginFiles) -> Scenario? {
        guard hasThisVersion(cursor) else { return nil }
        let object = cursor.object(.scenario)
        _ = object["$schema"]?.string()
        let sizes = object["records"]?.sizes()
        let ordinalMax = ScenarioLimits.records.upperBound
        let (read, isSound) = cursor.problems.watching {
            object["entities"].map { EntitiesReader(ordinalMax: ordinalMax, records: sizes?.last ?? 1).read($0) } ?? []
        }
        let entities = read.isEmpty ? [EntitySpec(name: "", attributes: [])] : read
        // Each phase must be possible with the fewest records.
        let schema = Schema(entities.map { $0.at(records: sizes?.first ?? 1, of: sizes?.last ?? 1) })
        let seed = object["seed"].flatMap(seed) ?? 1
        var scenario = Scenario(
            name: object["name"]?.fileNamePart() ?? "", seed: seed, records: sizes?.last ?? 1, entity: entities[0],
            phases: phases(
                object["phases"],
                PhaseReader(
                    schema, isSound: isSound && !read.isEmpty, records: sizes?.first, seed: seed, files: files)))
        scenario.entities += entities.dropFirst()
        for phase in scenario.phases where phase.work.content.deletesRelated {
            let schema = scenario.schema(of: phase)
            scenario.entities = schema.losing(schema.focus)
        }
        scenario.sizes = sizes?.list
        readOptions(of: &scenario, from: object, sizes: sizes)
        return scenario
    }

    /// Checks the version before anything else, because a file of another version has other keys.
    private func hasThisVersion(_ cursor: JSONCursor) -> Bool {
        guard let members = cursor.members(expected: "an object with the keys of a scenario") else { return false }
        guard let version = members.first(where: { $0.key == "version" })?.value else { return true }
        if case .number(let number) = version.node.value, number.integer() == Self.version { return true }
        if case .number(let number) = version.node.value, number.integer() == Self.version - 1 {
            version.refuse(
                "the format of version \(Self.version - 1)",
                expected:
                    "version \(Self.version), to which `bench validate --convert \(cursor.source.file)` rewrites it")
        } else {
            version.refuse(version.node.inWords, expected: "version \(Self.version), the one this program reads")
        }
        return false
    }

    private func phases(_ cursor: JSONCursor?, _ reader: PhaseReader) -> [Phase] {
        var reader = reader
        var phases: [Phase] = []
        var names: Set<String> = []
        for element in cursor?.array(of: "phases") ?? [] {
            if let phase = reader.read(element) { phases.append(phase) }
            // Names become parts of file names, and some file systems ignore their case.
            guard case .object(let members) = element.node.value,
                let name = members.first(where: { $0.key == "name" }), case .string(let text) = name.value.value
            else { continue }
            if !names.insert(text.lowercased()).inserted {
                element.problems.add {
                    element.source.error(
                        at: name.value.offset, path: "\(element.path).name", found: "a second phase \(text.quoted)",
                        expected: "a unique name for each phase")
                }
            }
        }
        return phases
    }

    private func readOptions(of scenario: inout Scenario, from object: JSONObjectCursor, sizes: RecordSizes?) {
        if let text = object["description"]?.string() {
            scenario.summary = text
        }
        if let count = object["repetitions"]?.integer() {
            scenario.repetitions = count
        }
        if let count = object["warmups"]?.integer() { scenario.warmups = count }
        if let isolation: Isolation = object["isolation"]?.choice("isolation") { scenario.isolation = isolation }
        if let drivers = object["drivers"] { scenario.drivers = driverNames(drivers) }
        if let store = object["store"] { scenario.store = self.store(store) }
        scenario.thresholdsPercent = object["thresholds_percent"].map { $0.thresholds() }
        if let growth = object["growth"] {
            // Without the sizes, their number is unknown.
            scenario.growth = growth.growth(sizes: sizes.map { $0.list?.count ?? 1 } ?? PowerLaw.leastSizes)
        }
    }

    private func seed(_ cursor: JSONCursor) -> UInt64? {
        guard case .number(let number) = cursor.node.value, let seed: UInt64 = number.integer() else {
            return cursor.refuseMismatch(expected: "an integer from 0 to \(UInt64.max)")
        }
        return seed
    }

    private func driverNames(_ cursor: JSONCursor) -> [String] {
        var names: [String] = []
        for element in cursor.array(of: "driver names") {
            guard let name = element.fileNamePart() else { continue }
            if let drivers, !drivers.contains(name) {
                element.refuseUnknown("driver", name, among: drivers)
            } else if names.contains(name) {
                element.refuse("the driver \(name.quoted) a second time", expected: "each driver once")
            }
            names.append(name)
        }
        return names
    }
}

// MARK: - Store options

extension ScenarioReader {
    private func store(_ cursor: JSONCursor) -> StoreOptions {
        let object = cursor.object(.store)
        var options = StoreOptions()
        let set = { (key: String, target: inout Int) in
            if let value = object[key]?.integer() { target = value }
        }
        if let mode: StoreOptions.Synchronous = object["synchronous"]?.choice("synchronous mode") {
            options.synchronous = mode
        }
        if let size = object["page_size_bytes"].flatMap(pageSize) { options.pageSizeBytes = size }
        set("cache_size_kib", &options.cacheSizeKiB)
        set("mmap_size_bytes", &options.mmapSizeBytes)
        set("wal_autocheckpoint_pages", &options.walAutocheckpointPages)
        set("busy_timeout_ms", &options.busyTimeoutMilliseconds)
        return options
    }

    private func pageSize(_ cursor: JSONCursor) -> Int? {
        let sizes = ScenarioLimits.pageSizeBytes
        guard let cursor = cursor.firstOfSweep else { return nil }
        guard case .number(let number) = cursor.node.value, let size: Int = number.integer(), sizes.contains(size)
        else { return cursor.refuseMismatch(expected: sizes.map(String.init).asChoice) }
        return size
    }
}

import Foundation

/// Reads a ``Scenario`` from JSON, and answers every mistake with its place and its fix.
///
/// ```swift
/// let url = try ScenarioLocator().locate("million")
/// let scenario = try ScenarioReader(drivers: ["managed", "sqlite"]).read(contentsOf: url)
/// ```
///
/// Strict on purpose: an unknown key is a misspelt one, and a benchmark that silently does something else than its file
/// says is worse than none. `Scenarios/schema.json` describes the format for editors.
public struct ScenarioReader: Sendable {
    /// The version of the format that this reader understands.
    public static let version = 1

    private let drivers: [String]?

    /// Creates a reader; with `drivers`, a scenario may name no others.
    public init(drivers: [String]? = nil) {
        self.drivers = drivers
    }

    /// Reads a file. Its URL's relative path is what errors call it.
    public func read(contentsOf url: URL) throws(ScenarioError) -> Scenario {
        try read(ScenarioFile.data(at: url), file: url.relativePath)
    }

    /// Whether a file is no scenario, but a JSON schema, such as the one that lies beside them for editors.
    public static func isSchema(_ url: URL) throws(ScenarioError) -> Bool {
        let bytes = Array(try ScenarioFile.data(at: url))
        guard let node = try? JSONReader.read(bytes), case .object(let members) = node.value,
            let schema = members.first(where: { $0.key == "$schema" }), case .string(let text) = schema.value.value
        else { return false }
        return text.firstMatch(of: /^https?:\/\/json-schema\.org\//) != nil
    }

    /// Reads JSON; `file` is what errors call it.
    public func read(_ json: Data, file: String) throws(ScenarioError) -> Scenario {
        let source = JSONSource(file: file, bytes: Array(json))
        let node: JSONNode
        do {
            node = try JSONReader.read(source.bytes)
        } catch {
            throw source.error(at: error.offset, path: nil, found: error.found, expected: error.expected)
        }
        return try scenario(JSONCursor(node: node, path: "", source: source))
    }
}

// MARK: - The root

extension ScenarioReader {
    private func scenario(_ cursor: JSONCursor) throws(ScenarioError) -> Scenario {
        try checkVersion(cursor)
        let object = try cursor.object(.scenario)
        _ = try object["$schema"]?.string(lengthMax: ScenarioLimits.textLength)
        let sizes = try object.required("records").sizes()
        let phaseCursors = try object.required("phases").array(count: ScenarioLimits.phases, of: "phases")
        let ordinalMax = ScenarioLimits.records.upperBound
        let entity = try EntityReader(ordinalMax: ordinalMax).read(object.required("entity"))
        var scenario = Scenario(
            name: try object.required("name").fileNamePart(), records: sizes.last, entity: entity,
            phases: try phases(phaseCursors, entity: entity, records: sizes.first))
        scenario.sizes = sizes.list
        try readOptions(of: &scenario, from: object)
        return scenario
    }

    /// Before anything else, because a file of another version has other keys.
    private func checkVersion(_ cursor: JSONCursor) throws(ScenarioError) {
        let members = try cursor.members(expected: "an object with the keys of a scenario")
        guard let version = members.first(where: { $0.key == "version" })?.value else { return }
        guard case .number(let number) = version.node.value, number.integer() == Self.version else {
            throw version.mismatch(expected: "version \(Self.version), the one this program reads")
        }
    }

    private func phases(
        _ cursors: [JSONCursor], entity: EntitySpec, records: Int
    ) throws(ScenarioError) -> [Phase] {
        var reader = PhaseReader(entity: entity, records: records)
        var phases: [Phase] = []
        for cursor in cursors {
            let phase = try reader.read(cursor)
            // Names become parts of file names, which some file systems compare without case.
            if phases.contains(where: { $0.name.lowercased() == phase.name.lowercased() }) {
                let name = try cursor.members(expected: "a phase").first { $0.key == "name" }?.value ?? cursor
                throw name.error("a second phase \(phase.name.quoted)", expected: "a name of its own for each phase")
            }
            phases.append(phase)
        }
        return phases
    }

    private func readOptions(of scenario: inout Scenario, from object: JSONObjectCursor) throws(ScenarioError) {
        if let text = object["description"] {
            scenario.summary = try text.string(lengthMax: ScenarioLimits.descriptionLength)
        }
        if let seed = object["seed"] { scenario.seed = try self.seed(seed) }
        if let count = object["repetitions"] {
            scenario.repetitions = try count.integer(in: ScenarioLimits.repetitions)
        }
        if let count = object["warmups"] { scenario.warmups = try count.integer(in: ScenarioLimits.warmups) }
        if let isolation = object["isolation"] { scenario.isolation = try isolation.choice("isolation") }
        if let drivers = object["drivers"] { scenario.drivers = try driverNames(drivers) }
        if let store = object["store"] { scenario.store = try self.store(store) }
        scenario.thresholdsPercent = try object["thresholds_percent"]?.thresholds()
        scenario.growth = try object["growth"]?.growth(sizes: scenario.allSizes.count)
    }

    private func seed(_ cursor: JSONCursor) throws(ScenarioError) -> UInt64 {
        guard case .number(let number) = cursor.node.value, let seed: UInt64 = number.integer() else {
            throw cursor.mismatch(expected: "an integer from 0 to \(UInt64.max)")
        }
        return seed
    }

    private func driverNames(_ cursor: JSONCursor) throws(ScenarioError) -> [String] {
        var names: [String] = []
        for element in try cursor.array(count: ScenarioLimits.drivers, of: "driver names") {
            let name = try element.fileNamePart()
            if let drivers, !drivers.contains(name) { throw element.unknown("driver", name, among: drivers) }
            if names.contains(name) {
                throw element.error("the driver \(name.quoted) a second time", expected: "each once")
            }
            names.append(name)
        }
        return names
    }
}

// MARK: - Store options

extension ScenarioReader {
    private func store(_ cursor: JSONCursor) throws(ScenarioError) -> StoreOptions {
        let object = try cursor.object(.store)
        var options = StoreOptions()
        if let value = object["synchronous"] { options.synchronous = try value.choice("synchronous mode") }
        if let value = object["cache_size_kib"] {
            options.cacheSizeKiB = try value.integer(in: ScenarioLimits.cacheSizeKiB)
        }
        if let value = object["page_size_bytes"] {
            options.pageSizeBytes = try pageSize(value)
        }
        if let value = object["mmap_size_bytes"] {
            options.mmapSizeBytes = try value.integer(in: ScenarioLimits.mmapSizeBytes)
        }
        if let value = object["wal_autocheckpoint_pages"] {
            options.walAutocheckpointPages = try value.integer(in: ScenarioLimits.walAutocheckpointPages)
        }
        if let value = object["busy_timeout_ms"] {
            options.busyTimeoutMilliseconds = try value.integer(in: ScenarioLimits.busyTimeoutMilliseconds)
        }
        return options
    }

    private func pageSize(_ cursor: JSONCursor) throws(ScenarioError) -> Int {
        let sizes = ScenarioLimits.pageSizeBytes
        guard case .number(let number) = cursor.node.value, let size: Int = number.integer(), sizes.contains(size)
        else {
            throw cursor.mismatch(expected: sizes.map(String.init).asChoice)
        }
        return size
    }
}

import Foundation

/// What a run will take, roughly, from the scenario alone.
public struct RunEstimate: Sendable, Equatable {
    /// The space on this machine for stores at the same time, in bytes; 0 if all are on servers.
    public let diskBytes: Double
    /// The time, in seconds.
    public let seconds: Double

    /// Estimates a run.
    public init(_ request: RunRequest) {
        let scenario = request.scenario
        let content = scenario.storeVariants.flatMap { variant in
            scenario.allSizes.map { scenario.at(variant: variant).at(records: $0).contentBytes }
        }
        let (all, largest) = (content.reduce(0, +), max(content.max() ?? 0, scenario.largestFileBytes))
        // Each driver keeps its seeded stores and the one that phases use; one of them has a log as large as itself at
        // most, and another copy is made beside it.
        let keepsSeeded = scenario.phases.contains { $0.from == .seeded }
        let drivers = request.drivers.filter { $0.server == nil }.count
        let stores = Double(drivers) * (keepsSeeded ? 2 : 1) * all
        diskBytes = drivers > 0 ? stores + 2 * largest : 0
        let plan = RunPlan(scenario: scenario, drivers: request.drivers.map(\.name), phases: request.phases)
        let seconds = plan.rounds.joined().reduce(0) { sum, step in
            sum + (scenario.variants?[step.variant].scenario ?? scenario).seconds(of: step)
        }
        self.seconds = min(seconds, request.stopping?.budgetSeconds ?? .infinity)
    }

    /// The estimate in a few words.
    public var text: String {
        "roughly \(Self.words(seconds))" + (diskBytes > 0 ? ", and \(Figure.size(diskBytes)) of disk" : "")
    }

    /// Returns a time with as few digits as an estimate deserves.
    static func words(_ seconds: Double) -> String {
        switch seconds {
        case ..<20: "some seconds"
        case ..<90: "a minute"
        case ..<5_400: "\(Int((seconds / 60).rounded())) minutes"
        default: "\(Int((seconds / 3_600).rounded())) hours"
        }
    }
}

extension Scenario {
    /// The bytes of the largest file that a phase starts from a copy of.
    fileprivate var largestFileBytes: Double {
        phases.compactMap(\.file).compactMap {
            let attributes = try? FileManager.default.attributesOfItem(atPath: $0)
            return (attributes?[.size] as? Int).map(Double.init)
        }.max() ?? 0
    }

    /// The bytes of a store with all records, roughly.
    fileprivate var contentBytes: Double {
        // An empty store has some tables and a log of its own.
        return entities.reduce(50_000) { $0 + Double($1.records ?? 0) * $1.bytesPerRecord }
    }

    /// The seconds of a step, by what runs of the shipped scenarios took: they differ by a factor of two.
    fileprivate func seconds(of step: RunPlan.Step) -> Double {
        let records = Double(step.records)
        return step.phases.reduce(0.15) { seconds, index in
            let restored = records * (1e-6 + 1e-8 * entity.bytesPerRecord)
            return seconds + restored + phases[index].work.content.estimatedSeconds
        }
    }
}

extension PhaseWork {
    /// The seconds of an operation on one record or a few.
    static var secondsOfAnOperation: Double { 3e-5 }
}

extension EntitySpec {
    /// The bytes of a record and its entries in indexes, roughly.
    fileprivate var bytesPerRecord: Double {
        let shares = Dictionary(uniqueKeysWithValues: (subentities ?? []).map { ($0.name, $0.share) })
        let values = attributes.reduce(0) { sum, attribute in
            let share = attribute.subentity.flatMap { shares[$0] } ?? 1
            return sum + attribute.bytes * share * (1 - (attribute.nullShare ?? 0))
        }
        let indexes = attributes.filter { $0.isUnique || $0.isIndexed || [.owner, .earlier].contains($0.generator) }
        // A row has a key, its entity, its version and a header; pages of rows in order are almost full, those of
        // values in random order two thirds.
        return (values + 12 + Double(attributes.count)) * 1.05 + indexes.reduce(0) { $0 + ($1.bytes + 6) * 1.3 }
    }
}

extension AttributeSpec {
    /// The bytes of a value, roughly.
    fileprivate var bytes: Double {
        switch (type, generator) {
        case (_, .random(let length)): Double(length)
        case (_, .randomLengths(let min, let max)): Double(min + max) / 2
        // A word has seven letters on average, and a space.
        case (_, .words(let min, let max, _)): Double(min + max) * 4
        case (.string, .sequence(let prefix, _, _)): Double(prefix.utf8.count + 6)
        case (.bool, _): 0
        case (.int64, _): 4
        case (.date, _), (.double, _): 8
        case (_, _):
            generator.values.map(\.length).reduce(0, +) / Double(max(generator.values.count, 1))
        }
    }
}

extension FieldValue {
    /// The bytes of the value.
    fileprivate var length: Double {
        switch self {
        case .null, .bool: 0
        case .string(let text): Double(text.utf8.count)
        case .data(let data): Double(data.count)
        case .int64, .date, .double: 8
        }
    }
}

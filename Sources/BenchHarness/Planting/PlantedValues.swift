import Foundation

/// Values that some records of a store have in place of the generator's.
public struct PlantedValues: Sendable, Equatable {
    /// The values of each record by the positions of their attributes, by the ordinal of the record.
    public let records: [Int: [Int: FieldValue]]

    /// The number of records for each that gets other values.
    static let interval = 1_000

    /// Creates values.
    public init(records: [Int: [Int: FieldValue]]) { self.records = records }

    /// Draws values for the records of the store that a phase restores; nil if no attribute can have others.
    init?(
        for scenario: Scenario, before phase: Int, _ generator: RecordGenerator,
        using random: inout some RandomNumberGenerator
    ) {
        let attributes = scenario.plantedAttributes(before: phase)
        guard !attributes.isEmpty, scenario.records > 0 else { return nil }
        var records: [Int: [Int: FieldValue]] = [:]
        for _ in 0..<max(scenario.records / Self.interval, 1) {
            let ordinal = Int.random(in: 0..<scenario.records, using: &random)
            var values: [Int: FieldValue] = [:]
            // Another record may be of another entity, and lack some of them.
            let others = generator.revised(.random(in: 1...UInt64.max, using: &random))
            for attribute in attributes {
                values[attribute] = Self.value(
                    inPlaceOf: generator.value(attribute, ordinal), other: others.value(attribute, ordinal),
                    using: &random)
            }
            records[ordinal] = values
        }
        self.records = records
    }

    /// Returns a value of the same type, and as long, so that the store does the same work.
    private static func value(
        inPlaceOf old: FieldValue, other: FieldValue, using random: inout some RandomNumberGenerator
    ) -> FieldValue {
        switch (old, other) {
        case (.string(let old), _):
            let letters = old.utf8.map { _ in UInt8.random(in: UInt8(ascii: "a")...UInt8(ascii: "z"), using: &random) }
            return .string(String(decoding: letters, as: UTF8.self))
        case (.data(let old), _): return .data(Data(old.map { _ in UInt8.random(in: 0...UInt8.max, using: &random) }))
        case (.date(let old), .date(let other)): return .date(old + (other - old) / 2)
        case (.double(let old), .double(let other)): return .double(old + (other - old) / 2)
        default: return other
        }
    }
}

extension PlantedValues: ExpectedStep {
    func apply(to record: inout [FieldValue], _ ordinal: Int) -> ExpectedEffect {
        for (attribute, value) in records[ordinal] ?? [:] { record[attribute] = value }
        // Planting leaves the versions as they are.
        return .none
    }
}

extension Scenario {
    /// Whether any phase finds values that the generator does not make.
    var plantsValues: Bool { phases.indices.contains { !plantedAttributes(before: $0).isEmpty } }

    /// The positions of the attributes that get values which the generator does not make, before the phase at an index
    /// and those that continue from it; empty if none does.
    ///
    /// Counters stay exact: an attribute by which a phase filters or sorts decides how much a store does, and so does a
    /// bool that an update may find set already.
    func plantedAttributes(before phase: Int) -> [Int] {
        if phases[...phase].last(where: { $0.from != .previous })?.from == .file { return [] }
        let works = [phases[phase].work] + phases[(phase + 1)...].prefix { $0.from == .previous }.map(\.work)
        // A phase may look through a relationship to an entity whose attributes it does not name as its own.
        let chain = [phases[phase]] + phases[(phase + 1)...].prefix { $0.from == .previous }
        if !chain.allSatisfy({ haveSameEntity($0, phases[phase]) }) { return [] }
        let entity = focused(on: phases[phase].entity).entity
        let decisive = works.map(\.content.decidingAttributes)
        if decisive.contains(where: { $0 == nil }) { return [] }
        let schema = self.schema(of: phases[phase])
        let filters = works.compactMap { $0.content.filter }.flatMap { schema.attributes(decidingBy: $0) }
        let deciding = Set(decisive.compactMap(\.self).joined().compactMap { schema.attributeOfFocus($0) } + filters)
        return entity.attributes.indices.filter { index in
            let attribute = entity.attributes[index]
            guard !attribute.isUnique, !deciding.contains(attribute.name), !entity.toOneAttributes.contains(index)
            else {
                return false
            }
            return switch (attribute.type, attribute.generator) {
            case (.bool, _), (_, .constant), (_, .owner), (_, .earlier): false
            case (.string, _), (.data, _), (_, .uniform): true
            default: false
            }
        }
    }
}

extension Schema {
    /// Returns the attributes of the focus that decide whether a condition holds, about records of an entity.
    fileprivate func attributes(decidingBy filter: FilterSpec, of place: Int? = nil) -> [String] {
        switch filter {
        case .compare(let key, _, _), .ignoringCase(let key, _, _), .oneOf(let key, _), .between(let key, _, _):
            [attributeOfFocus(key, from: place)].compactMap(\.self)
        case .any(let name, let condition):
            relationship(name, of: place).map { attributes(decidingBy: condition, of: $0.destination) } ?? []
        case .and(let parts), .or(let parts): parts.flatMap { attributes(decidingBy: $0, of: place) }
        case .not(let part): attributes(decidingBy: part, of: place)
        }
    }

    /// Returns the name of the attribute that a key leads to from an entity, if it is one of the focus.
    fileprivate func attributeOfFocus(_ key: String, from place: Int? = nil) -> String? {
        var (place, parts) = (place ?? focus, key.split(separator: ".").map(String.init))
        while parts.count > 1, let relationship = relationship(parts[0], of: place) {
            place = relationship.destination
            parts.removeFirst()
        }
        return place == focus ? parts.joined(separator: ".") : nil
    }
}

import Foundation

/// Makes the values of records: a pure function of seed, attribute, ordinal and revision.
///
/// Drivers call the typed functions while the clock runs, so these cost as little as possible and allocate only the
/// value itself. The position in the entity identifies an attribute.
public struct RecordGenerator: Sendable {
    /// The entity of the records.
    public let entity: EntitySpec
    /// The generators alone: access through the entity would copy the whole attribute.
    private let generators: [Generator]
    /// What generators draw from, by attribute.
    private let tables: [GeneratorTable?]
    /// The numbers of the entities whose records alone have an attribute, by attribute; nil if all have it.
    private let kinds: [Int64?]
    /// Whether any record that has the attribute may be without a value of it.
    private let haveNulls: [Bool]
    /// The position of the attribute with the number of a record's entity; -1 without subentities.
    private let kindAttribute: Int
    /// The seed of the scenario.
    private let seed: UInt64
    /// What the seed becomes for each attribute, then for each many-to-many relationship: their names decide, so that
    /// a change of one leaves the values of the others as they are.
    private let salts: [UInt64]
    /// How the relationships draw their numbers, which are the last attributes.
    private let spreads: [(records: Int, distribution: ReferenceSpec.Distribution)]
    /// What relationships to one lead to that lead to a subentity, by their places; empty if none does.
    private let targets: [RecordsOfKind?]
    /// The same for many-to-many relationships, for each of them.
    let linkTargets: [RecordsOfKind?]
    /// Mixed into the seed; 0 for the values of inserted records.
    private var revision: UInt64 = 0

    /// Creates a generator for `entity`.
    public init(entity: EntitySpec, seed: UInt64) {
        self.entity = entity
        generators = entity.attributes.map(\.generator)
        let names = entity.attributes.map(\.name) + (entity.links ?? []).map(\.relationship)
        salts = names.map { Self.salt("\(entity.name).\($0)", seed) }
        tables = zip(entity.attributes, salts).map { GeneratorTable($0.generator, seed: $1) }
        kinds = entity.attributes.map { $0.subentity.map(entity.number(ofKind:)) }
        var haveNulls = entity.attributes.map(\.hasNullsOfItsOwn)
        for (attribute, toOne) in zip(entity.toOneAttributes, entity.toOnes) where toOne.target != nil {
            haveNulls[attribute] = true
        }
        self.haveNulls = haveNulls
        kindAttribute = entity.kindAttribute ?? -1
        spreads = entity.toOnes.map { ($0.records, $0.distribution ?? .uniform) }
        let targets = entity.toOnes.map { toOne in
            toOne.target.map { RecordsOfKind($0, in: toOne.entityName, records: toOne.records, seed: seed) }
        }
        self.targets = targets.allSatisfy { $0 == nil } ? [] : targets
        linkTargets = (entity.links ?? []).map { link in
            link.target.map { RecordsOfKind($0, in: link.entityName, records: link.records, seed: seed) }
        }
        self.seed = seed
    }

    /// Returns the hash of a name, mixed with a seed.
    private static func salt(_ name: String, _ seed: UInt64) -> UInt64 {
        var mixed = SplitMix64(state: seed ^ name.stableHash)
        return mixed.next()
    }

    /// Returns a generator for changed records: it draws other values for each revision.
    public func revised(_ revision: UInt64) -> RecordGenerator {
        var generator = self
        generator.revision = revision &* 0xA24B_AED4_963E_E407
        return generator
    }

    /// Returns the value of a string attribute in the record with `ordinal`.
    public func string(_ attribute: Int, _ ordinal: Int) -> String {
        switch generators[attribute] {
        case .constant(.string(let value)): return value
        case .sequence(let prefix, _, _): return Self.text(prefix, ordinal)
        case .random(let length): return Self.letters(length, mixed(attribute, ordinal))
        case .randomLengths(let min, let max):
            let state = mixed(attribute, ordinal)
            return Self.letters(Self.length(min, max, state), state)
        case .choice: if case .string(let value) = choice(attribute, ordinal) { return value } else { return "" }
        case .words(let min, let max, _):
            let state = mixed(attribute, ordinal)
            return tables[attribute]?.vocabulary?.text(Self.length(min, max, state), state) ?? ""
        default: return ""
        }
    }

    /// Returns the value of a double or date attribute (seconds since 2001-01-01 UTC) in the record with `ordinal`.
    public func double(_ attribute: Int, _ ordinal: Int) -> Double {
        switch generators[attribute] {
        case .constant(.double(let value)), .constant(.date(let value)): return value
        case .sequence(_, let start, let step): return start + step * Double(ordinal)
        case .uniform(let min, let max): return min + (max - min) * unit(attribute, ordinal)
        case .ascending(let start, let step): return start + step * (Double(ordinal) + unit(attribute, ordinal))
        case .choice:
            switch choice(attribute, ordinal) {
            case .double(let value), .date(let value): return value
            default: return 0
            }
        default: return 0
        }
    }

    /// Returns the value of an int64 attribute in the record with `ordinal`.
    public func int64(_ attribute: Int, _ ordinal: Int) -> Int64 {
        switch generators[attribute] {
        case .constant(.int64(let value)): return value
        case .owner: return related(attribute, ordinal)
        case .earlier: return related(attribute, ordinal, before: ordinal)
        case .choice: if case .int64(let value) = choice(attribute, ordinal) { return value } else { return 0 }
        default: break
        }
        let value = double(attribute, ordinal).rounded(.down)
        return Int64(exactly: value) ?? (value < 0 ? .min : .max)
    }

    /// Returns the value of a bool attribute in the record with `ordinal`.
    public func bool(_ attribute: Int, _ ordinal: Int) -> Bool {
        switch generators[attribute] {
        case .constant(.bool(let value)): return value
        case .uniform(_, let max): return unit(attribute, ordinal) < max
        default: return false
        }
    }

    /// Returns the value of a data attribute in the record with `ordinal`.
    public func data(_ attribute: Int, _ ordinal: Int) -> Data {
        switch generators[attribute] {
        case .constant(.data(let value)): return value
        case .random(let length): return Self.bytes(length, mixed(attribute, ordinal))
        case .randomLengths(let min, let max):
            let state = mixed(attribute, ordinal)
            return Self.bytes(Self.length(min, max, state), state)
        default: return Data()
        }
    }

    /// Returns the value of any attribute in the record with `ordinal`; for verification, not for hot loops.
    public func value(_ attribute: Int, _ ordinal: Int) -> FieldValue {
        if isNull(attribute, ordinal) { return .null }
        let spec = entity.attributes[attribute]
        switch spec.type {
        case .string: return .string(string(attribute, ordinal))
        case .bool: return .bool(bool(attribute, ordinal))
        case .date: return .date(double(attribute, ordinal))
        case .int64: return .int64(int64(attribute, ordinal))
        case .double: return .double(double(attribute, ordinal))
        case .data: return .data(data(attribute, ordinal))
        }
    }

    /// Returns the value of any attribute in the record with `ordinal` after a change.
    public func value(_ attribute: Int, _ ordinal: Int, revision: UInt64) -> FieldValue {
        revised(revision).value(attribute, ordinal)
    }

    /// Returns the generator of the records of another entity of the scenario.
    public func sibling(_ entity: EntitySpec) -> RecordGenerator {
        RecordGenerator(entity: entity, seed: seed)
    }

    /// Draws the number of a related record among those that were seeded, which are there whoever else writes.
    private func related(_ attribute: Int, _ ordinal: Int, before end: Int = .max) -> Int64 {
        var bits = SplitMix64(state: mixed(attribute, ordinal))
        let (seeded, distribution) = spreads[attribute - (generators.count - spreads.count)]
        let records = Swift.max(Swift.min(seeded, end), 1)
        let ordinal =
            target(of: attribute).map { $0.draw { distribution.draw(below: records, &bits) } }
            ?? distribution.draw(below: records, &bits)
        return Int64(ordinal) + 1
    }

    /// Returns the only records that the relationship whose number an attribute has leads to; nil if it leads to any,
    /// and for another attribute.
    private func target(of attribute: Int) -> RecordsOfKind? {
        let place = attribute - (generators.count - spreads.count)
        return targets.isEmpty || place < 0 ? nil : targets[place]
    }

    private func choice(_ attribute: Int, _ ordinal: Int) -> FieldValue {
        var bits = SplitMix64(state: mixed(attribute, ordinal))
        return tables[attribute]?.choice(&bits) ?? .null
    }

    /// Returns whether the attribute is null in every record; drivers ask once per attribute, not per value.
    public func isNull(_ attribute: Int) -> Bool {
        generators[attribute] == .constant(.null)
    }

    /// Returns whether the attribute may be null in some records: a driver then asks for each of its values.
    public func isSometimesNull(_ attribute: Int) -> Bool {
        (haveNulls[attribute] || kinds[attribute] != nil) && !isNull(attribute)
    }

    /// Returns whether the attribute is null in the record with `ordinal`.
    public func isNull(_ attribute: Int, _ ordinal: Int) -> Bool {
        if let kind = kinds[attribute], kind != self.kind(ordinal) { return true }
        guard haveNulls[attribute] else { return false }
        let spec = entity.attributes[attribute]
        if let target = target(of: attribute) {
            return !target.isAny(before: spec.generator == .earlier ? ordinal : .max)
        }
        // Other bits than those of the value, whose distribution a share would cut otherwise.
        var bits = SplitMix64(state: ~mixed(attribute, ordinal) &* 0x9E37_79B9_7F4A_7C15)
        if let share = spec.nullShare, bits.unit() < share { return true }
        return switch spec.generator {
        case .constant(let value): value == .null
        case .choice: choice(attribute, ordinal) == .null
        case .earlier: ordinal == 0
        default: false
        }
    }

    /// Returns the number of the entity that the record with `ordinal` is of; 0 without subentities.
    public func kind(_ ordinal: Int) -> Int64 { kindAttribute < 0 ? 0 : int64(kindAttribute, ordinal) }

    /// Returns `prefix` and the ordinal in one step: half as many allocations as joining two strings, none for a short
    /// result.
    private static func text(_ prefix: String, _ ordinal: Int) -> String {
        var digits = 1
        var rest = ordinal / 10
        while rest > 0 {
            digits += 1
            rest /= 10
        }
        let length = prefix.utf8.count + digits
        return String(unsafeUninitializedCapacity: length) { buffer in
            _ = buffer.initialize(from: prefix.utf8)
            var place = length
            rest = ordinal
            repeat {
                place -= 1
                buffer.initializeElement(at: place, to: UInt8(ascii: "0") + UInt8(rest % 10))
                rest /= 10
            } while rest > 0
            return length
        }
    }

    private static func letters(_ length: Int, _ state: UInt64) -> String {
        var bytes = RandomBytes(state: state)
        return String(unsafeUninitializedCapacity: length) { buffer in
            bytes.fillWithLetters(
                UnsafeMutableRawBufferPointer(rebasing: UnsafeMutableRawBufferPointer(buffer)[..<length]))
            return length
        }
    }

    private static func bytes(_ length: Int, _ state: UInt64) -> Data {
        var bytes = RandomBytes(state: state)
        var data = Data(count: length)
        data.withUnsafeMutableBytes { bytes.fill($0) }
        return data
    }

    /// Draws a length from `min` to `max`, by bits that the content is not made of.
    private static func length(_ min: Int, _ max: Int, _ state: UInt64) -> Int {
        var bits = SplitMix64(state: ~state)
        return min + Int(bits.next() % UInt64(max - min + 1))
    }

    private func unit(_ attribute: Int, _ ordinal: Int) -> Double {
        var bits = SplitMix64(state: mixed(attribute, ordinal))
        return Double(bits.next() >> 11) * 0x1p-53
    }

    func mixed(_ attribute: Int, _ ordinal: Int) -> UInt64 {
        // A change makes no record one of another entity.
        let revision = attribute == kindAttribute ? 0 : revision
        return salts[attribute] ^ revision ^ UInt64(ordinal) &* 0xD1B5_4A32_D192_ED03
    }
}

extension ReferenceSpec.Distribution {
    /// Draws the ordinal of one of some records.
    func draw(below records: Int, _ bits: inout SplitMix64) -> Int {
        switch self {
        case .uniform: bits.below(records)
        case .zipfian: ScrambledZipfian(items: records).next(using: &bits)
        }
    }
}

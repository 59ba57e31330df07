import Foundation
import Synchronization

/// The place of an attribute in its entity's rows.
public struct RowField: Sendable {
    /// Bytes from the row's start to the value. Short strings and data lie in the row; for longer ones the row holds an
    /// offset and a length in the page's arena, or an address and a length in another page's. A bool takes no bytes.
    public let offset: Int
    /// Bytes from the row's start to the 32-bit word that holds the null bit.
    @usableFromInline let nullWord: Int
    /// The null bit within that word. The next bit holds the value of a bool.
    @usableFromInline let nullBit: UInt32
    /// The type of the value.
    let type: AttributeType
    /// How a row holds the value. Computed, since a stored property would add a word to each field and slow down every
    /// access.
    @inline(__always) var storage: RowStorage { type.storage }

    /// Whether the row has no value for the attribute.
    @inlinable func isNull(in row: RowPointer) -> Bool {
        row.load(fromByteOffset: nullWord, as: UInt32.self) & nullBit != 0
    }

    /// Marks the value as missing or present.
    @inlinable func setNull(_ isNull: Bool, of row: RowPointer) {
        let word = row.load(fromByteOffset: nullWord, as: UInt32.self)
        row.storeBytes(of: isNull ? word | nullBit : word & ~nullBit, toByteOffset: nullWord, as: UInt32.self)
    }

    /// Returns the value of a bool; false if it is missing.
    @inlinable func bool(in row: RowPointer) -> Bool {
        row.load(fromByteOffset: nullWord, as: UInt32.self) & (nullBit << 1) != 0
    }

    /// Writes the value of a bool without changing the null bit.
    @inlinable func setBool(_ value: Bool, of row: RowPointer) {
        let word = row.load(fromByteOffset: nullWord, as: UInt32.self)
        row.storeBytes(
            of: value ? word | nullBit << 1 : word & ~(nullBit << 1), toByteOffset: nullWord, as: UInt32.self)
    }

    var isArena: Bool { storage.isArena }

    /// Whether the bytes of a string or data value lie in the row itself.
    @inline(__always) func isInline(in row: RowPointer) -> Bool {
        place(in: row) <= Self.inlineLimit
    }

    /// Whether the bytes of a string or data value lie in the arena of the row's page.
    @inline(__always) func isInArena(in row: RowPointer) -> Bool { place(in: row) == Self.arenaMark }

    /// Whether the bytes of a string or data value lie in the arena of another page.
    @inline(__always) func isInherited(in row: RowPointer) -> Bool { place(in: row) == Self.inheritedMark }

    /// The number of bytes in the row, or a mark of another place.
    @inline(__always) private func place(in row: RowPointer) -> UInt8 {
        row.load(fromByteOffset: offset + Self.inlineLimit, as: UInt8.self)
    }

    /// The number of bytes of a string or data value that fit into its row. The next byte holds their number or a mark.
    @usableFromInline static let inlineLimit = 15
    /// The value lies in the arena of the row's page.
    @usableFromInline static let arenaMark: UInt8 = 0xFF
    /// The value lies in the arena of another page.
    @usableFromInline static let inheritedMark: UInt8 = 0xFE
}

/// The layout of an entity's rows in memory.
///
/// A row has a fixed number of bytes: `key: Int64`, `version: Int32`, its place in the page, a null bit per attribute
/// and the values of bools, then the other values, widest first. Rows are stored as units rather than by column, since
/// objects are read, changed and bound row by row. The row of a subentity begins with the layout of its superentity's
/// row, so that code for one reads the other.
@usableFromInline final class RowLayout: Sendable {
    let entityName: String
    /// The fields of the attributes in their order, then those of the to-one relationships.
    @usableFromInline let fields: [RowField]
    /// The fields of the attributes alone.
    let attributeFields: [RowField]
    /// The fields whose bytes can lie in a page's arena.
    let arenaFields: [RowField]
    /// The number of fields that belong to attributes.
    let attributeCount: Int
    /// The fields of the attributes with their checked keys.
    @usableFromInline let keyedFields: [KeyedField]
    /// The fields of the relationships with checked keys, in the order of all relationships.
    private let keyedReferences: [KeyedReference]
    let positions: [String: Int]
    /// The size of a row in bytes.
    let stride: Int
    /// The size of key, version and null bits in bytes. The null bits of a subentity's own attributes come later.
    let headerSize: Int
    /// Bytes from the row's start to each 32-bit word of null bits.
    let nullWords: [Int]
    /// The words of null bits outside the header, by their offset.
    let laterNullWords: [Int]
    /// The bytes of a row without values.
    let emptyRow: [UInt8]
    /// For each word of null bits, the bits that no saved row may have.
    let requiredNullBits: [UInt32]
    /// The fields that may hold NaN, which no store can hold.
    let nanFields: [RowField]
    /// The constraints on attribute values besides presence and NaN; empty for most entities.
    let checks: [AttributeCheck]
    /// Whether the entity's class validates single values.
    let validatesValues: Bool

    static let versionOffset = 8
    /// The offset of the first 32-bit word of bits. Its lower half holds the row's place in its page: see
    /// ``RowPage/page(of:)``.
    @usableFromInline static let firstWord = 12
    @usableFromInline static let placeMask: UInt32 = 0xFFFF
    private static let placeBits = 16

    /// Lays out `attributes` and those of `relationships` that lead to one object. Both start with those of `base`.
    init(
        entityName: String, attributes: [AttributeDescription], relationships: [RelationshipDescription],
        keys: [(any AttributeKey)?], relationshipKeys: [(any RelationshipKey)?], validatesValues: Bool,
        extending base: RowLayout? = nil
    ) {
        let toOnes = relationships.filter { !$0.isToMany }
        self.validatesValues = validatesValues
        self.entityName = entityName
        attributeCount = attributes.count
        let ownAttributes = attributes.dropFirst(base?.attributeCount ?? 0).map(\.attributeType)
        let ownToOnes = toOnes.dropFirst(base.map { $0.fields.count - $0.attributeCount } ?? 0)
        let placed = Self.place(
            ownAttributes + ownToOnes.map { _ in .objectID }, after: base)
        var fields = base?.attributeFields ?? []
        fields += placed.fields.prefix(ownAttributes.count)
        fields += base?.toOneFields ?? []
        fields += placed.fields.dropFirst(ownAttributes.count)
        self.fields = fields
        attributeFields = Array(fields[..<attributes.count])
        arenaFields = fields.filter(\.isArena)
        stride = placed.end
        headerSize = base?.headerSize ?? placed.start
        nullWords = (base?.nullWords ?? []) + placed.nullWords
        laterNullWords = base.map { $0.laterNullWords + placed.nullWords } ?? []
        keyedFields = zip(keys, fields).map { KeyedField($0, $1) }
        var toOneFields = fields.dropFirst(attributes.count).makeIterator()
        keyedReferences = zip(relationships, relationshipKeys).map { relationship, key in
            KeyedReference(
                key: key.map { ObjectIdentifier($0) }, field: relationship.isToMany ? nil : toOneFields.next())
        }
        positions = Dictionary(
            attributes.enumerated().map { ($1.name, $0) }, uniquingKeysWith: { first, _ in first })
        let isOptional = attributes.map(\.isOptional) + toOnes.map(\.isOptional)
        requiredNullBits = Self.requiredNullBits(nullWords, zip(fields, isOptional))
        emptyRow = Self.emptyRow(fields, stride)
        nanFields = fields.filter(\.canBeNaN)
        checks = zip(attributes, fields).enumerated().compactMap { AttributeCheck($1.0, $1.1, at: $0) }
    }

    /// Places the bits and then the values, widest first, after the row's header or after the superentity's values.
    private static func place(
        _ types: [AttributeType], after base: RowLayout?
    ) -> (fields: [RowField], nullWords: [Int], start: Int, end: Int) {
        let bits = placeBits(types, from: base?.stride ?? firstWord, sharing: base == nil ? placeBits : 32)
        let nullWords = bits.words
        let start = ((nullWords.last.map { $0 + 4 } ?? base?.stride ?? firstWord) + 7) & ~7
        var next = start
        var offsets = [Int](repeating: 0, count: types.count)
        for size in [16, 8, 4, 2, 1] {
            for (position, type) in types.enumerated() where type.storage.slotSize == size {
                offsets[position] = next
                next += size
            }
        }
        let fields = types.enumerated().map { position, type in
            RowField(
                offset: offsets[position], nullWord: bits.places[position].word, nullBit: bits.places[position].bit,
                type: type)
        }
        return (fields, nullWords, start, (next + 7) & ~7)
    }

    /// Assigns bits to each value, all in one word. The first word begins at `offset`; its lower `taken` bits are in
    /// use, and if all 32 are, the first word is a new one.
    private static func placeBits(
        _ types: [AttributeType], from offset: Int, sharing taken: Int
    ) -> (words: [Int], places: [(word: Int, bit: UInt32)]) {
        var words = taken < 32 ? [offset] : []
        var next = taken
        let places = types.map { type in
            if next + type.storage.bitCount > 32 {
                words.append(words.last.map { $0 + 4 } ?? offset)
                next = 0
            }
            defer { next += type.storage.bitCount }
            return (words[words.count - 1], UInt32(1) << UInt32(next))
        }
        return (words, places)
    }

    private static func requiredNullBits(
        _ nullWords: [Int], _ fields: some Sequence<(RowField, Bool)>
    ) -> [UInt32] {
        var bits = [UInt32](repeating: 0, count: nullWords.count)
        for (field, isOptional) in fields where !isOptional {
            guard let word = nullWords.firstIndex(of: field.nullWord) else { continue }
            bits[word] |= field.nullBit
        }
        return bits
    }

    private static func emptyRow(_ fields: [RowField], _ stride: Int) -> [UInt8] {
        var row = [UInt8](repeating: 0, count: stride)
        row.withUnsafeMutableBytes { bytes in
            guard let start = bytes.baseAddress else { return }
            for field in fields { field.setNull(true, of: RowPointer(start)) }
        }
        return row
    }

    var toOneFields: ArraySlice<RowField> { fields[attributeCount...] }

    /// Returns the field of `attribute`, by its recorded position or, for an entity made in another way, by its name.
    @inlinable @inline(__always) func field<Value>(of attribute: Attribute<Value>) -> RowField {
        let position = attribute.position.load(ordering: .relaxed)
        if position < keyedFields.count {
            let known = keyedFields[position]
            if known.key == UInt(bitPattern: ObjectIdentifier(attribute)) { return known.field }
        }
        return fieldByName(attribute.description)
    }

    /// Returns the field of an attribute that was declared apart from this entity.
    @usableFromInline func fieldByName(_ attribute: AttributeDescription) -> RowField {
        PropertyProbe.recorder?.note(attribute.name)
        guard let position = positions[attribute.name], fields[position].type == attribute.attributeType else {
            fatalError(
                "entity \(entityName) has no \(attribute.attributeType.rawValue) attribute \"\(attribute.name)\"; "
                    + "it has \(positions.keys.sorted())")
        }
        return fields[position]
    }

    /// The field of an attribute, and the identity of its checked key, which detects a key of another entity.
    @usableFromInline struct KeyedField: Sendable {
        /// 0 without a key: every attribute is read by this, and a number takes less to compare than an optional.
        @usableFromInline let key: UInt
        @usableFromInline let field: RowField

        init(_ key: (any AttributeKey)?, _ field: RowField) {
            self.key = key.map { UInt(bitPattern: ObjectIdentifier($0)) } ?? 0
            self.field = field
        }
    }

    /// The field of a relationship, and the identity of its checked key.
    private struct KeyedReference: Sendable {
        let key: ObjectIdentifier?
        /// Nil for a to-many relationship.
        let field: RowField?
    }

    /// Returns the reference that a to-one relationship holds in `row`; nil if there is none, for a to-many
    /// relationship, and for a key that the entity was not described with.
    @inline(__always) func reference(by key: any RelationshipKey, in row: RowPointer) -> ObjectReference? {
        let position = key._position
        guard position < keyedReferences.count, keyedReferences[position].key == ObjectIdentifier(key) else {
            return nil
        }
        return keyedReferences[position].field?.reference(in: row)
    }

    /// Whether a required attribute of `row` has no value.
    func lacksRequired(_ row: RowPointer) -> Bool {
        for (word, required) in requiredNullBits.enumerated()
        where row.load(fromByteOffset: nullWords[word], as: UInt32.self) & required != 0 { return true }
        return false
    }
}

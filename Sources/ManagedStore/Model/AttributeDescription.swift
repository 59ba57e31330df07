import Foundation

/// An attribute of an entity: its name, its type, and the constraints on its values.
///
/// A save checks the constraints, setting a value does not; see ``ManagedObject/validateForInsert()``. A missing value
/// only violates a required attribute.
public struct AttributeDescription: Sendable, Hashable {
    /// The key that reads and writes the attribute; unique within its entity.
    public let name: String
    /// The type of its values.
    public let attributeType: AttributeType
    /// Whether an object can be saved without a value.
    public let isOptional: Bool
    /// The initial value in new objects; nil means no value.
    public let defaultValue: StoredValue?
    /// The least number or earliest date that can be saved; nil sets no limit.
    public let minValue: StoredValue?
    /// The greatest number or latest date that can be saved; nil sets no limit.
    public let maxValue: StoredValue?
    /// The least number of Unicode scalars in a string that can be saved, as SQL's `LENGTH` counts them; nil sets no
    /// limit.
    public let minLength: Int?
    /// The greatest number of Unicode scalars in a string that can be saved; nil sets no limit.
    public let maxLength: Int?
    /// A regular expression in the syntax of `NSRegularExpression`, which must match the whole of a string that is
    /// saved; nil allows every string.
    public let pattern: String?
    /// Whether Core Data may keep values in separate files beside the store.
    ///
    /// This determines how values in a file that Core Data wrote are read, and has no effect in other stores. For an
    /// attribute of type `binaryData`. See <doc:FileFormat>.
    public let allowsExternalBinaryDataStorage: Bool

    /// Describes an attribute. The model that receives the description reports its faults.
    public init(
        _ name: String, _ type: AttributeType, isOptional: Bool = false, defaultValue: StoredValue? = nil,
        minValue: StoredValue? = nil, maxValue: StoredValue? = nil, minLength: Int? = nil, maxLength: Int? = nil,
        pattern: String? = nil, allowsExternalBinaryDataStorage: Bool = false
    ) {
        self.name = name
        self.attributeType = type
        self.isOptional = isOptional
        self.defaultValue = defaultValue
        self.minValue = minValue
        self.maxValue = maxValue
        self.minLength = minLength
        self.maxLength = maxLength
        self.pattern = pattern
        self.allowsExternalBinaryDataStorage = allowsExternalBinaryDataStorage
    }
}

extension AttributeDescription {
    /// The fault in the description itself; nil if there is none.
    var fault: String? {
        if attributeType == .objectID { return "an attribute cannot have the type objectID; declare a relationship" }
        if let value = defaultValue, value.fitted(to: attributeType) == nil {
            return "the default \(value) is not a \(attributeType.rawValue)"
        }
        if allowsExternalBinaryDataStorage, attributeType != .binaryData {
            return "allowsExternalBinaryDataStorage applies to binary data, not to a \(attributeType.rawValue)"
        }
        return faultOfRange ?? faultOfLength ?? faultOfPattern
    }

    private var faultOfRange: String? {
        guard minValue != nil || maxValue != nil else { return nil }
        guard attributeType.number != nil else {
            return "minValue and maxValue apply to numbers and dates, not to a \(attributeType.rawValue)"
        }
        for limit in [minValue, maxValue].compactMap({ $0 }) {
            guard let fitted = limit.fitted(to: attributeType), fitted != .null, !fitted.isNaN else {
                return "the limit \(limit) is not a \(attributeType.rawValue)"
            }
        }
        guard let minValue, let maxValue, !AttributeCheck.isOrdered(minValue, maxValue, attributeType) else {
            return nil
        }
        return "minValue \(minValue) is greater than maxValue \(maxValue)"
    }

    private var faultOfLength: String? {
        guard minLength != nil || maxLength != nil else { return nil }
        guard attributeType == .string else {
            return "minLength and maxLength apply to strings, not to a \(attributeType.rawValue)"
        }
        let (least, greatest) = (minLength ?? 0, maxLength ?? .max)
        return least < 0 || greatest < least ? "no string has \(least) to \(greatest) Unicode scalars" : nil
    }

    private var faultOfPattern: String? {
        guard let pattern else { return nil }
        guard attributeType == .string else {
            return "a pattern applies to strings, not to a \(attributeType.rawValue)"
        }
        return StringPattern(pattern) == nil ? "the pattern \(pattern) is not a regular expression" : nil
    }
}

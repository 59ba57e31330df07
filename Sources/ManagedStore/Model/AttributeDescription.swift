import Foundation

/// An attribute of an entity: its name, its type, and what is expected of its values.
///
/// What is expected is checked when a context saves, not when a value is set; see
/// ``ManagedObject/validateForInsert()``. A missing value meets every expectation but that of being there.
public struct AttributeDescription: Sendable, Hashable {
    /// The key under which the attribute is read and written; unique within its entity.
    public let name: String
    /// The type of its values.
    public let attributeType: AttributeType
    /// Whether an object may be saved without a value for it.
    public let isOptional: Bool
    /// What a new object starts with; nil starts with no value.
    public let defaultValue: StoredValue?
    /// The least number or earliest date that may be saved; nil sets no limit.
    public let minValue: StoredValue?
    /// The greatest number or latest date that may be saved; nil sets no limit.
    public let maxValue: StoredValue?
    /// The least number of Unicode scalars of a string that may be saved, as SQL's `LENGTH` counts them; nil sets no
    /// limit.
    public let minLength: Int?
    /// The greatest number of Unicode scalars of a string that may be saved; nil sets no limit.
    public let maxLength: Int?
    /// A regular expression, in the syntax of `NSRegularExpression`, that the whole of a string must match to be saved;
    /// nil allows every string.
    public let pattern: String?
    /// Whether Core Data may keep values in files of their own beside the store. Says how the values of a file that
    /// Core Data wrote are to be read; in other stores it changes nothing. For an attribute of type `binaryData`. See
    /// <doc:FileFormat>.
    public let allowsExternalBinaryDataStorage: Bool

    /// Describes an attribute. What is wrong with the description is said by the model that it becomes part of.
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
    /// What is wrong with the attribute in itself; nil if nothing is.
    var fault: String? {
        if attributeType == .objectID { return "objectID is no type for an attribute; declare a relationship" }
        if let value = defaultValue, value.fitted(to: attributeType) == nil {
            return "the default \(value) is not a \(attributeType.rawValue)"
        }
        if allowsExternalBinaryDataStorage, attributeType != .binaryData {
            return "allowsExternalBinaryDataStorage is for binary data, not for a \(attributeType.rawValue)"
        }
        return faultOfRange ?? faultOfLength ?? faultOfPattern
    }

    private var faultOfRange: String? {
        guard minValue != nil || maxValue != nil else { return nil }
        guard attributeType.number != nil else {
            return "minValue and maxValue are for numbers and dates, not for a \(attributeType.rawValue)"
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
            return "minLength and maxLength are for strings, not for a \(attributeType.rawValue)"
        }
        let (least, greatest) = (minLength ?? 0, maxLength ?? .max)
        return least < 0 || greatest < least ? "no string is of \(least) to \(greatest) Unicode scalars" : nil
    }

    private var faultOfPattern: String? {
        guard let pattern else { return nil }
        guard attributeType == .string else { return "a pattern is for strings, not for a \(attributeType.rawValue)" }
        return StringPattern(pattern) == nil ? "the pattern \(pattern) is not a regular expression" : nil
    }
}

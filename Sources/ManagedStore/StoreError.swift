import Foundation

/// An error of ManagedStore, with its cause and its remedy. ManagedStore throws no other type.
public struct StoreError: Error, Sendable {
    /// The kind of error.
    public enum Code: Int, Sendable {
        /// An object is not valid: an override of a validation method rejects it, or a number is NaN.
        case managedObjectValidation = 1550
        /// Several objects or attributes failed validation.
        case validationMultipleErrors = 1560
        /// A required attribute has no value.
        case validationMissingMandatoryProperty = 1570
        /// A to-many relationship has too few objects.
        case validationRelationshipLacksMinimumCount = 1580
        /// A to-many relationship has too many objects.
        case validationRelationshipExceedsMaximumCount = 1590
        /// An object still has related objects by a relationship with the delete rule deny.
        case validationRelationshipDeniedDelete = 1600
        /// A number exceeds the attribute's `maxValue`.
        case validationNumberTooLarge = 1610
        /// A number is less than the attribute's `minValue`.
        case validationNumberTooSmall = 1620
        /// A date is later than the attribute's `maxValue`.
        case validationDateTooLate = 1630
        /// A date is earlier than the attribute's `minValue`.
        case validationDateTooSoon = 1640
        /// A date is NaN.
        case validationInvalidDate = 1650
        /// A string exceeds the attribute's `maxLength`.
        case validationStringTooLong = 1660
        /// A string is shorter than the attribute's `minLength`.
        case validationStringTooShort = 1670
        /// A string does not match the attribute's `pattern`.
        case validationStringPatternMatching = 1680
        /// Another context or process saved an object that this context had changed.
        case mergeConflict = 133_020
        /// Objects share values that must be unique.
        case constraintConflict = 133_021
        /// The object is not in the store.
        case objectNotFound = 133_000
        /// The model contradicts itself.
        case invalidModel = 134_020
        /// The model has no such entity.
        case unknownEntity = 134_021
        /// The entity has no such attribute.
        case unknownKey = 134_022
        /// A value does not fit its attribute.
        case wrongType = 134_023
        /// The request cannot be carried out.
        case invalidRequest = 134_024
        /// The context was used in a way that its concurrency type forbids.
        case concurrency = 134_025
        /// The context has no coordinator, or the coordinator no store.
        case noStore = 134_026
        /// The type of store does not support the request.
        case unsupportedRequest = 134_091
        /// The file is not a store, or does not fit the model.
        case incompatibleStore = 134_100
        /// The store could not be opened, read or written.
        case storeFailure = 134_030
        /// Another connection held the store's lock for longer than the busy timeout.
        case busy = 134_031
        /// The disk is full, or a quota or file-size limit is reached.
        case diskFull = 134_032
        /// A server said nothing for longer than the response timeout, and nothing was changed.
        case timeout = 134_090
        /// The work was cancelled.
        case cancelled = 134_040
    }

    /// An error code of the engine behind a store, which is more specific.
    public struct StoreCode: Sendable, Hashable, CustomStringConvertible {
        /// The origin of the code, such as "SQLite".
        public let domain: String
        /// The code as the engine writes it: a number for SQLite, five characters for a server that follows the SQL
        /// standard.
        public let code: String

        /// The domain and the code.
        public var description: String { "\(domain) \(code)" }
    }

    /// The kind of error.
    public let code: Code
    /// One line that names the cause and the remedy.
    public let message: String
    /// The SQL that failed; nil if the error involves none.
    public let sql: String?
    /// The engine's own code for the error; nil if it has none.
    public let storeCode: StoreCode?
    /// The single errors of `validationMultipleErrors`.
    public let detailedErrors: [StoreError]
    /// The conflicts of `mergeConflict`.
    public let conflicts: [MergeConflict]
    /// The conflicts of `constraintConflict`; empty if a batch request caused it.
    public let constraintConflicts: [ConstraintConflict]
    /// The object that failed validation.
    public let objectID: ManagedObjectID?
    /// The attribute that failed validation.
    public let key: String?
    /// The value that failed validation.
    public let value: StoredValue?

    init(
        _ code: Code, _ message: String, sql: String? = nil, storeCode: StoreCode? = nil,
        detailedErrors: [StoreError] = [], conflicts: [MergeConflict] = [],
        constraintConflicts: [ConstraintConflict] = [], objectID: ManagedObjectID? = nil,
        key: String? = nil, value: StoredValue? = nil
    ) {
        self.code = code
        self.message = message
        self.sql = sql
        self.storeCode = storeCode
        self.detailedErrors = detailedErrors
        self.conflicts = conflicts
        self.constraintConflicts = constraintConflicts
        self.objectID = objectID
        self.key = key
        self.value = value
    }
}

extension StoreError: CustomStringConvertible, LocalizedError {
    /// The message, followed by the SQL if there is any.
    public var description: String {
        sql.map { "\(message) [\($0)]" } ?? message
    }
    /// The message.
    public var errorDescription: String? { description }
}

extension StoreError {
    static var cancelled: StoreError { StoreError(.cancelled, "the fetch was cancelled") }

    /// Makes the error for a feature that a type of store does not offer.
    static func unsupported(_ feature: String, by type: PersistentStoreCoordinator.StoreType) -> StoreError {
        StoreError(.unsupportedRequest, "a \(type) store does not support \(feature)")
    }

    static func unknownEntity(_ name: String, known: [String]) -> StoreError {
        StoreError(.unknownEntity, "the model has no entity \"\(name)\"\(suggestion(for: name, among: known))")
    }

    static func unknownKey(_ key: String, entity: String, known: [String]) -> StoreError {
        StoreError(.unknownKey, "entity \(entity) has no attribute \"\(key)\"\(suggestion(for: key, among: known))")
    }

    static func wrongType(_ value: Any?, attribute: AttributeDescription, entity: String) -> StoreError {
        StoreError(
            .wrongType,
            "\(value.map { "\($0) (\(Swift.type(of: $0)))" } ?? "nil") does not fit \(entity).\(attribute.name), "
                + "which is \(attribute.isOptional ? "an optional" : "a") \(attribute.attributeType.rawValue)")
    }

    /// Returns the end of an error about an unknown name: the known name that differs in case alone, otherwise all.
    static func suggestion(for name: String, among known: [String]) -> String {
        if let same = known.first(where: { $0.lowercased() == name.lowercased() }) {
            return "; did you mean \"\(same)\"?"
        }
        return "; it has \(known.joined(separator: ", "))"
    }
}

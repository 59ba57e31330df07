import Foundation

/// What went wrong in the store, and what to do about it: the one error type that ManagedStore throws.
public struct StoreError: Error, Sendable {
    /// What kind of error it is.
    public enum Code: Int, Sendable {
        /// A required attribute has no value.
        case validationMissingMandatoryProperty = 1570
        /// Several objects or attributes failed validation.
        case validationMultipleErrors = 1560
        /// A number that no store can hold, such as NaN.
        case validationInvalidNumber = 1600
        /// Somebody else saved an object that this context had changed.
        case mergeConflict = 133_020
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
        /// The request asks for something that cannot be done.
        case invalidRequest = 134_024
        /// The context was used in a way that its concurrency type forbids.
        case concurrency = 134_025
        /// The context has no coordinator, or the coordinator no store.
        case noStore = 134_026
        /// The file is no store, or not one that fits the model.
        case incompatibleStore = 134_100
        /// The store could not be opened, read or written.
        case storeFailure = 134_030
        /// Somebody else held the store's lock for longer than the busy timeout.
        case busy = 134_031
        /// The disk or the file-size limit is full.
        case diskFull = 134_032
        /// The work was cancelled.
        case cancelled = 134_040
    }

    /// What kind of error it is.
    public let code: Code
    /// Names the thing and the fix, in one line.
    public let message: String
    /// The SQL that failed, where there was one.
    public let sql: String?
    /// SQLite's extended result code, where there was one.
    public let sqliteCode: Int32?
    /// The single errors, for `validationMultipleErrors`.
    public let errors: [StoreError]
    /// The conflicts, for `mergeConflict`.
    public let conflicts: [MergeConflict]

    init(
        _ code: Code, _ message: String, sql: String? = nil, sqliteCode: Int32? = nil, errors: [StoreError] = [],
        conflicts: [MergeConflict] = []
    ) {
        self.code = code
        self.message = message
        self.sql = sql
        self.sqliteCode = sqliteCode
        self.errors = errors
        self.conflicts = conflicts
    }
}

/// An object that a context wanted to save although the store's row had moved on.
public struct MergeConflict: Sendable, Hashable {
    /// The object.
    public let objectID: ManagedObjectID
    /// The version that the context's changes are based on.
    public let oldVersion: Int
    /// The version in the store; 0 means that the object was deleted.
    public let newVersion: Int
}

extension StoreError: CustomStringConvertible, LocalizedError {
    /// The message, with the SQL where there is some.
    public var description: String {
        sql.map { "\(message) [\($0)]" } ?? message
    }
    /// The message.
    public var errorDescription: String? { description }
}

extension StoreError {
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

    private static func suggestion(for name: String, among known: [String]) -> String {
        if let same = known.first(where: { $0.lowercased() == name.lowercased() }) {
            return "; did you mean \"\(same)\"?"
        }
        return "; it has \(known.joined(separator: ", "))"
    }
}

extension StoreError {
    static func notANumber(_ attribute: AttributeDescription, _ entity: String) -> StoreError {
        StoreError(
            .validationInvalidNumber,
            "\(entity).\(attribute.name) is NaN, which no store can keep; save nil or a number instead")
    }
}

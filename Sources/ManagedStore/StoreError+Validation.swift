import Foundation

extension StoreError {
    /// Makes the error for an override of ``ManagedObject/validateForInsert()`` and similar methods to throw. `message`
    /// states the fault and the remedy; the error also holds the object, the key and the key's value.
    public static func validation(
        _ message: String, code: Code = .managedObjectValidation, object: ManagedObject, key: String? = nil
    ) -> StoreError {
        let value = key.flatMap { try? object.storedValue(forKey: $0) }
        return StoreError(code, "\(object.objectID): \(message)", objectID: object.objectID, key: key, value: value)
    }

    static func notANumber(_ attribute: AttributeDescription, _ entity: String) -> StoreError {
        StoreError(
            .notANumber(attribute.attributeType),
            "\(entity).\(attribute.name) is NaN, which no store can keep; save nil or a number instead",
            key: attribute.name)
    }

    /// The error itself, or the single errors that it combines.
    var singleErrors: [StoreError] { code == .validationMultipleErrors ? detailedErrors : [self] }

    /// - Throws: the error if there is only one, or `validationMultipleErrors` with all of them; nothing if there is
    ///   none.
    static func throwAll(_ errors: [StoreError]) throws(StoreError) {
        guard let first = errors.first else { return }
        if errors.count == 1 { throw first }
        throw StoreError(
            .validationMultipleErrors, "\(errors.count) values cannot be saved; the first: \(first.message)",
            detailedErrors: errors)
    }
}

extension StoreError.Code {
    /// Returns the code for NaN in an attribute of `type`. Core Data has a code for dates only.
    static func notANumber(_ type: AttributeType) -> StoreError.Code {
        type == .date ? .validationInvalidDate : .managedObjectValidation
    }
}

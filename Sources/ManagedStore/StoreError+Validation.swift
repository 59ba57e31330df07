import Foundation

extension StoreError {
    /// What an override of ``ManagedObject/validateForInsert()`` and its like throws: `message` says what is wrong and
    /// how to mend it; the object, the key and the key's value go with it.
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

    /// The error itself, or the single ones that it is made of.
    var singleErrors: [StoreError] { code == .validationMultipleErrors ? detailedErrors : [self] }

    /// - Throws: the one error, or `validationMultipleErrors` with all of them; nothing when there is none.
    static func throwAll(_ errors: [StoreError]) throws(StoreError) {
        guard let first = errors.first else { return }
        if errors.count == 1 { throw first }
        throw StoreError(
            .validationMultipleErrors, "\(errors.count) values may not be saved; the first: \(first.message)",
            detailedErrors: errors)
    }
}

extension StoreError.Code {
    /// The code for NaN as the value of an attribute of `type`: Core Data has one for dates alone.
    static func notANumber(_ type: AttributeType) -> StoreError.Code {
        type == .date ? .validationInvalidDate : .managedObjectValidation
    }
}

import Foundation

/// What becomes of an error where a property is read, which cannot throw.
///
/// The property then reads as if it had no value, and the context keeps the error. Saving is refused while it does:
/// what looked missing may have been taken for missing, and saving that could lose what the store still has.
extension ManagedObjectContext {
    /// The first error of the store that a property met, which cannot throw; nil if there was none since the last
    /// ``rollback()``, ``reset()`` or ``clearReadingError()``.
    ///
    /// It also tells that unsaved changes of an object were dropped, because another writer made its row one of another
    /// entity.
    ///
    /// An object that could not be read stays a fault, and its next use tries again. Use
    /// ``ManagedObject/value(of:)-(Attribute<Value>)``, ``ManagedObject/value(forKey:)`` or ``existingObject(with:)``
    /// where an error is to be thrown instead.
    public var readingError: StoreError? {
        checkQueue()
        return keptReadingError ?? keptLoss
    }

    /// Forgets ``readingError``, so that the context can be saved. To be called when nothing was changed because of
    /// what could not be read; ``rollback()`` does it otherwise.
    public func clearReadingError() {
        checkQueue()
        forgetKeptErrors()
    }

    func forgetKeptErrors() { (keptReadingError, keptLoss) = (nil, nil) }

    /// Keeps an error that cannot be thrown where it came up. The first one is nearest to the cause.
    func keep(_ error: StoreError) {
        if keptReadingError == nil { keptReadingError = error }
    }

    /// What `body` returns, or `otherwise` if it throws; the error is kept.
    func keepingErrors<Result>(
        otherwise: @autoclosure () -> Result, _ body: () throws(StoreError) -> Result
    ) -> Result {
        do throws(StoreError) {
            return try body()
        } catch {
            keep(error)
            return otherwise()
        }
    }

    /// Runs what reads properties on behalf of a caller that can be told of errors.
    ///
    /// - Throws: what `body` throws, and what would be kept otherwise.
    func throwingKeptErrors<Result>(
        _ body: () throws(StoreError) -> Result
    ) throws(StoreError) -> Result {
        let before = keptReadingError
        keptReadingError = nil
        defer { keptReadingError = before }
        let result = try body()
        if let keptReadingError { throw keptReadingError }
        return result
    }

    /// - Throws: the error that a property met, if there is one.
    func checkReadingError() throws(StoreError) {
        if keptReadingError == nil, let keptLoss { throw keptLoss }
        guard let keptReadingError else { return }
        throw StoreError(
            keptReadingError.code,
            "\(keptReadingError.message); what could not be read read as missing, and nothing is saved that may rest on it: call "
                + "rollback(), or clearReadingError() if no change does",
            sql: keptReadingError.sql, storeCode: keptReadingError.storeCode)
    }
}

import Foundation

/// Errors of reading a property, which cannot throw.
///
/// The property then reads as if it had no value, and the context keeps the error. While it keeps one, it refuses to
/// save: code may have taken an unreadable value for a missing one, and the save could lose what the store has.
extension ManagedObjectContext {
    /// The first store error that a property met but could not throw; nil if none occurred since the last
    /// ``rollback()``, ``reset()`` or ``clearReadingError()``.
    ///
    /// The error also reports unsaved changes that were dropped because another writer replaced an object's row by a
    /// row of another entity.
    ///
    /// An object that could not be read stays a fault, and its next use tries again. Use
    /// ``ManagedObject/value(of:)-(Attribute<Value>)``, ``ManagedObject/value(forKey:)`` or ``existingObject(with:)``
    /// to get the error thrown instead.
    public var readingError: StoreError? {
        checkQueue()
        return keptReadingError ?? keptLoss
    }

    /// Forgets ``readingError``, so that the context can be saved. Call it if no change rests on a value that could not
    /// be read; otherwise call ``rollback()``.
    public func clearReadingError() {
        checkQueue()
        forgetKeptErrors()
    }

    func forgetKeptErrors() { (keptReadingError, keptLoss) = (nil, nil) }

    /// Keeps an error that its place cannot throw. The context keeps the first error, the one nearest to the cause.
    func keep(_ error: StoreError) {
        if keptReadingError == nil { keptReadingError = error }
    }

    /// Returns what `body` returns. If `body` throws, keeps the error and returns `otherwise`.
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

    /// Runs code that reads properties, on behalf of a caller that can throw.
    ///
    /// - Throws: what `body` throws, and the errors that properties would keep otherwise.
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

    /// - Throws: the kept error, if there is one.
    func checkReadingError() throws(StoreError) {
        if keptReadingError == nil, let keptLoss { throw keptLoss }
        guard let keptReadingError else { return }
        throw StoreError(
            keptReadingError.code,
            "\(keptReadingError.message); values that could not be read appear to be missing, so nothing is saved "
                + "until you call rollback(), or clearReadingError() if no change depends on them",
            sql: keptReadingError.sql, storeCode: keptReadingError.storeCode)
    }
}

import Foundation
import ManagedStore
import Testing

/// Expects `body` to throw a `StoreError` with `code`, and hands it over.
@discardableResult
func expectError<Result>(
    _ code: StoreError.Code, sourceLocation: SourceLocation = #_sourceLocation, _ body: () throws -> Result
) -> StoreError? {
    do {
        _ = try body()
        Issue.record("expected the error \(code); nothing was thrown", sourceLocation: sourceLocation)
    } catch let error as StoreError {
        #expect(error.code == code, "\(error)", sourceLocation: sourceLocation)
        return error
    } catch {
        Issue.record("expected a StoreError, caught \(error)", sourceLocation: sourceLocation)
    }
    return nil
}

import Foundation

extension ManagedObjectContext {
    /// Asks every object that is about to be saved whether it may be.
    ///
    /// - Throws: the one error there is, or `validationMultipleErrors` with all of them.
    func validate() throws(StoreError) {
        var errors: [StoreError] = []
        for object in pending.inserted where object.isInserted {
            do throws(StoreError) { try object.validateForInsert() } catch { errors += error.singleErrors }
        }
        for object in pending.updated {
            do throws(StoreError) { try object.validateForUpdate() } catch { errors += error.singleErrors }
        }
        for object in pending.deleted {
            do throws(StoreError) { try object.validateForDelete() } catch { errors += error.singleErrors }
        }
        try StoreError.throwAll(errors)
    }
}

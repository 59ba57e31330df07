/// Validation of every object that is about to be saved.
extension SaveTransaction {
    /// - Throws: the error itself if there is only one, otherwise `validationMultipleErrors` with all of them.
    func validate() throws(StoreError) {
        var errors: [StoreError] = []
        // A regular expression that takes too long for one object may take too long for all.
        var isTooCostly: Bool { errors.last?.code == .invalidRequest }
        context.pending.inserted.forEachUncounted { object in
            guard object.isInserted, !isTooCostly else { return }
            do throws(StoreError) { try object.validateForInsert() } catch { errors += error.singleErrors }
        }
        context.pending.updated.all.forEachUncounted { object in
            if isTooCostly { return }
            do throws(StoreError) { try object.validateForUpdate() } catch { errors += error.singleErrors }
        }
        for object in context.pending.deleted.all {
            do throws(StoreError) { try object.validateForDelete() } catch { errors += error.singleErrors }
        }
        errors += relationshipErrors()
        try StoreError.throwAll(errors)
    }

    private func relationshipErrors() -> [StoreError] {
        let limited = context.model.graph.hasCountLimits
        if limited.isEmpty { return [] }
        let saved = Array(context.pending.inserted.lazy.filter(\.isInserted)) + Array(context.pending.updated.all)
        return saved.filter { limited[$0.entityIndex] }.flatMap { $0.countViolations(in: context) }
    }
}

import BenchHarness

extension StoreConfiguration {
    /// Returns the configuration with a change in each relationship to one record, for a driver that errs in it.
    func changingReferences(_ change: (inout ReferenceSpec) -> Void) -> StoreConfiguration {
        var configuration = self
        let entities = schema.records.map { entity in
            var entity = entity
            entity.references = entity.references?.map {
                var reference = $0
                change(&reference)
                return reference
            }
            return entity
        }
        configuration.schema = Schema(entities).focused(on: schema.focus)
        return configuration
    }
}

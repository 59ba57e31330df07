/// Derived attributes, which the store computes: what a context was told of them is not saved.
extension ManagedObjectContext {
    /// Takes back what was set to derived attributes, as Core Data does: new objects start with the default value,
    /// others have what they were read with.
    func dropDerivedValues(_ store: any PersistentStore) {
        let derived = store.derivedAttributes
        if derived.isEmpty { return }
        pending.inserted.forEachUncounted { object in
            guard object.isInserted, let positions = derived[object.entityIndex] else { return }
            object.rowReference.dropValues(at: positions)
        }
        pending.updated.all.forEachUncounted { object in
            guard let positions = derived[object.entityIndex], let origin = object.page.origin(of: object.row) else {
                return
            }
            for position in positions { object.rowReference.restore(position, from: origin) }
        }
    }
}

extension RowReference {
    /// Gives the attributes at `positions` what a new row has.
    fileprivate func dropValues(at positions: [Int]) {
        page._withUnsafeGuaranteedRef { page in
            for position in positions {
                let attribute = page.entity.attributes[position]
                let value = attribute.defaultValue?.fitted(to: attribute.attributeType) ?? .null
                page.setValue(value, of: page.layout.fields[position], of: row)
            }
        }
    }

    fileprivate func restore(_ position: Int, from origin: RowReference) {
        page._withUnsafeGuaranteedRef { page in
            let field = page.layout.fields[position]
            if !RowPage.areEqual(origin, self, field) { page.setValue(origin.value(field), of: field, of: row) }
        }
    }
}

extension ContiguousArray<RowReference> {
    /// Takes back what a batch insertion sets derived attributes to.
    func dropDerivedValues(_ store: any PersistentStore) {
        guard let first, let positions = store.derivedAttributes[first.entityIndex] else { return }
        for row in self { row.dropValues(at: positions) }
    }
}

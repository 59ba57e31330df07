/// Derived attributes, which the store computes. A save ignores the values set in a context.
extension SaveTransaction {
    /// Reverts the values set on derived attributes, as Core Data does: new objects get the default value, others the
    /// value that was read.
    func dropDerivedValues() {
        let derived = store.derivedAttributes
        if derived.isEmpty { return }
        context.pending.inserted.forEachUncounted { object in
            guard object.isInserted, let positions = derived[object.entityIndex] else { return }
            object.rowReference.dropValues(at: positions)
        }
        context.pending.updated.all.forEachUncounted { object in
            guard let positions = derived[object.entityIndex], let origin = object.page.origin(of: object.row) else {
                return
            }
            for position in positions { object.rowReference.restore(position, from: origin) }
        }
    }
}

extension RowReference {
    /// Gives the attributes at `positions` the values of a new row.
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
    /// Reverts the values that a batch insertion sets on derived attributes.
    func dropDerivedValues(_ store: any PersistentStore) {
        guard let first, let positions = store.derivedAttributes[first.entityIndex] else { return }
        for row in self { row.dropValues(at: positions) }
    }
}

import Foundation

/// The rows of a batch insert, filled one after another; no context registers them.
struct BatchInsertRows {
    let source: ObjectIDSource
    let registry: ObjectRegistry
    private(set) var rows: ContiguousArray<RowReference> = []
    /// Keeps the memory of the rows alive.
    private var pages: [RowPage] = []

    /// The key of every row until it is stored. No new object of a context has a key this low.
    static let key = Int64.min + 1

    init(_ source: ObjectIDSource, _ registry: ObjectRegistry) {
        self.source = source
        self.registry = registry
    }

    /// Adds the rows that `values` describe.
    ///
    /// - Throws: `StoreError` with `unknownKey`, `wrongType` or a validation code; the message names the object.
    mutating func fill(_ values: BatchInsertRequest.Values) throws(StoreError) {
        switch values {
        case .dictionaries(let dictionaries):
            for dictionary in dictionaries { try append(dictionary) }
        case .dictionaryHandler(let handler):
            var dictionary: [String: Any?] = [:]
            while !handler(&dictionary) {
                try append(dictionary)
                dictionary = [:]
            }
        case .objectHandler(let handler):
            while try !append(handler) {}
        }
    }

    private mutating func append(_ dictionary: [String: Any?]) throws(StoreError) {
        let (page, row) = newRow()
        do throws(StoreError) {
            for (key, value) in dictionary {
                let position = try source.entity.position(of: key)
                page.setValue(
                    try source.entity.storedValue(value, at: position), of: page.layout.fields[position], of: row)
            }
        } catch {
            throw StoreError(error.code, "object \(rows.count) of the batch: \(error.message)", key: error.key)
        }
        try accept(page, row)
    }

    /// Lets `handler` fill an object. Returns true, and adds no row, if the handler reports that it is done.
    private mutating func append(_ handler: (ManagedObject) -> Bool) throws(StoreError) -> Bool {
        let (page, row) = newRow()
        let object = source.entity.managedObjectClass.init(_page: page, row: row, state: .newlyInserted)
        let isDone = handler(object)
        object.state = .isGone
        if isDone { return true }
        // A very large value moves the object to another page of the context.
        if object.page !== page { pages.insert(object.page, at: 0) }
        try accept(object.page, object.row)
        return false
    }

    private mutating func newRow() -> (RowPage, RowPointer) {
        let page: RowPage
        if let last = pages.last, !last.isFull {
            page = last
        } else {
            page = RowPage(writable: source, capacity: rows.isEmpty ? 64 : RowPage.rows, isForNewObjects: true)
            page.registry = registry
            pages.append(page)
        }
        return (page, page.appendNewRow(key: Self.key))
    }

    /// - Throws: `StoreError` with a validation code for NaN and for a missing required value.
    private mutating func accept(_ page: RowPage, _ row: RowPointer) throws(StoreError) {
        if page.layout.lacksRequired(row) || page.layout.hasNaN(row) {
            try StoreError.throwAll(violations(page, row))
        }
        rows.append(RowReference(row))
    }

    private func violations(_ page: RowPage, _ row: RowPointer) -> [StoreError] {
        zip(source.entity.attributes, page.layout.fields).compactMap { attribute, field in
            let isMissing = field.isNull(in: row)
            guard isMissing ? !attribute.isOptional : field.isNaN(in: row) else { return nil }
            let code: StoreError.Code =
                isMissing ? .validationMissingMandatoryProperty : .notANumber(attribute.attributeType)
            let name = "object \(rows.count) of the batch: \(source.entity.name).\(attribute.name)"
            let complaint = attribute.complaint(code, page.value(of: field, of: row))
            return StoreError(code, "\(name) \(complaint)", key: attribute.name)
        }
    }
}

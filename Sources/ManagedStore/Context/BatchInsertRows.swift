import Foundation

/// The rows of a batch insert, filled one after another; no context registers them.
struct BatchInsertRows {
    let source: ObjectIDSource
    let registry: ObjectRegistry
    private(set) var rows: ContiguousArray<RowReference> = []
    /// Keeps the memory of the rows alive.
    private var pages: [RowPage] = []

    /// The positions of the attributes that each row's dictionary names, if they matter; none for rows of objects.
    private var named: [[Int]] = []
    private let keepsNames: Bool

    /// The key of the first row until it is stored; those of the others follow. No new object of a context has one as
    /// low.
    private static let firstKey = Int64.min + 1

    /// - Parameter keepsNames: Whether rows may change other objects.
    init(_ source: ObjectIDSource, _ registry: ObjectRegistry, keepsNames: Bool) {
        (self.source, self.registry, self.keepsNames) = (source, registry, keepsNames)
    }

    /// Whether a key is that of a row of a batch.
    static func isKey(_ key: Int64) -> Bool { key < firstKey / 2 }

    /// Returns the place of the row with a key.
    static func place(of key: Int64) -> Int { Int(key - firstKey) }

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
        if keepsNames { try note(dictionary.keys) }
    }

    private mutating func note(_ keys: some Sequence<String>) throws(StoreError) {
        var positions: [Int] = []
        for key in keys { positions.append(try source.entity.position(of: key)) }
        positions.sort()
        // Most dictionaries name the same attributes, and share one list.
        named.append(named.last == positions ? named[named.count - 1] : positions)
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
        return (page, page.appendNewRow(key: Self.firstKey + Int64(rows.count)))
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

// MARK: - Merging

extension BatchInsertRows {
    /// Returns the positions of the attributes that a row gives to another object: those that its dictionary names or,
    /// like a save, those that have a value. A row that overwrites gives all.
    private func given(_ place: Int, _ policy: MergePolicy.MergeType) -> [Int] {
        let positions = Array(source.entity.attributes.indices)
        if policy == .overwrite { return positions }
        if named.indices.contains(place) { return named[place] }
        return positions.filter { !source.entity.layout.fields[$0].isNull(in: rows[place].row) }
    }

    /// Gives the values of the row at a place to a row that may be of another entity of the hierarchy, except those of
    /// `derived` attributes.
    func copy(_ place: Int, to other: RowReference, _ policy: MergePolicy.MergeType, _ derived: [Int: [Int]]) {
        other.page._withUnsafeGuaranteedRef { page in
            for position in given(place, policy) {
                let name = source.entity.attributes[position].name
                guard let own = try? page.entity.position(of: name), derived[page.entityIndex]?.contains(own) != true
                else { continue }
                let field = source.entity.layout.fields[position]
                page.copy(field, of: rows[place], to: page.layout.fields[own], of: other.row)
            }
        }
    }

    /// Gives the values of the row at a place to another row of the batch.
    mutating func merge(_ place: Int, into other: Int, _ policy: MergePolicy.MergeType, _ derived: [Int: [Int]]) {
        copy(place, to: rows[other], policy, derived)
        if named.indices.contains(other) { named[other] = Set(named[other] + named[place]).sorted() }
    }
}

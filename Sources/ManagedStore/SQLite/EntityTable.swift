import Foundation

/// Where an entity's objects lie in the file: the table, which the entities of a hierarchy share, the columns in the order of the
/// fields of the entity's rows, and the entity's number.
struct EntityTable: Sendable {
    /// What a to-one relationship needs beside its column.
    struct Reference: Sendable {
        /// Holds the number of the related object's entity, where it can be one of several.
        let entityColumn: String?
        /// Holds the place in the inverse's order, if that is ordered.
        let orderColumn: String?
        /// The position of the entity that the relationship leads to.
        let destination: Int
    }

    let name: String
    let columns: [String]
    /// By the field's position.
    let references: [Int: Reference]
    /// The entity's number: `Z_ENT` of its rows.
    let entityNumber: Int
    /// The number of the entity at the root of the hierarchy, whose row in `Z_PRIMARYKEY` counts the keys.
    let rootNumber: Int
    /// Whether rows of other entities lie in the table too.
    let isShared: Bool
    let source: ObjectIDSource

    /// The tables of a model's entities, in its order. `numbers` are the entities' numbers in the same order.
    static func all(_ sources: [ObjectIDSource], numbers: [Int]) -> [EntityTable] {
        guard let model = sources.first?.model else { return [] }
        let columns = ColumnNames(model)
        return sources.enumerated().map { position, source in
            EntityTable(
                name: "Z" + source.entity.root.name.uppercased(), columns: columns.columns(of: position),
                references: references(of: position, model, columns, numbers), entityNumber: numbers[position],
                rootNumber: numbers[source.rootIndex], isShared: model.hierarchy.isShared(position), source: source)
        }
    }

    private static func references(
        of entity: Int, _ model: ManagedObjectModel, _ columns: ColumnNames, _ numbers: [Int]
    ) -> [Int: Reference] {
        var references: [Int: Reference] = [:]
        for relationship in model.graph.relationships[entity] {
            guard case .toOne(let field) = relationship.kind else { continue }
            let bare = columns.columns(of: entity)[field].dropFirst()
            let isShared = model.hierarchy.families[relationship.destination].count > 1
            let inverse = relationship.inverse.map { model.graph.relationships[relationship.destination][$0] }
            references[field] = Reference(
                entityColumn: isShared ? "Z\(numbers[relationship.destination])_\(bare)" : nil,
                orderColumn: inverse?.isOrdered == true ? "Z_FOK_\(bare)" : nil, destination: relationship.destination)
        }
        return references
    }

    /// The columns that a save writes: those of the fields, then those that hold entities.
    var writtenColumns: [String] { columns + entityColumns.map(\.column) }

    /// The columns that hold entities of related objects, with the positions of the fields that they belong to.
    var entityColumns: [(field: Int, column: String)] {
        references.sorted { $0.key < $1.key }.compactMap { field, reference in
            reference.entityColumn.map { (field, $0) }
        }
    }

    /// The declared columns of the properties that the superentity does not have.
    var ownDeclarations: [(rank: Int, name: String, type: String)] {
        let own = source.entity.ownAttributes
        let attributes = zip(own, columns[own.startIndex...]).map { attribute, column in
            (attribute.attributeType.columnRank, column, attribute.attributeType.columnType)
        }
        return attributes
            + ownReferences.flatMap { field, reference in
                [columns[field], reference.entityColumn, reference.orderColumn].compactMap { $0 }.map {
                    (0, $0, "INTEGER")
                }
            }
    }

    /// The indexes on references that the superentity does not have.
    var ownIndexes: [String] {
        ownReferences.map { field, reference in
            let indexed = [columns[field], reference.entityColumn].compactMap { $0 }.joined(separator: ", ")
            return "CREATE INDEX \(name)_\(columns[field])_INDEX ON \(name) (\(indexed))"
        }
    }

    private var ownReferences: [(field: Int, reference: Reference)] {
        let inherited = source.entity.superentity.map { $0.layout.toOneFields.count } ?? 0
        let first = source.entity.attributes.count + inherited
        return references.filter { $0.key >= first }.sorted { $0.key < $1.key }.map { ($0.key, $0.value) }
    }
}

/// Names the columns of a model's properties as Core Data does: `Z` and the name in capitals, and a number after it where two
/// entities of a hierarchy, neither of which inherits from the other, have properties of the same name.
private struct ColumnNames {
    /// By the entity's position: attributes, and to-one relationships, in the entity's order.
    private var attributes: [[String]]
    private var toOnes: [[String]]

    init(_ model: ManagedObjectModel) {
        attributes = model.entities.map { _ in [] }
        toOnes = attributes
        var taken: [Int: Set<String>] = [:]
        for position in model.hierarchy.numbering {
            let entity = model.entities[position]
            let root = model.hierarchy.roots[position]
            if let superentity = entity.superentity,
                let above = model.entities.firstIndex(where: { $0 === superentity })
            {
                (attributes[position], toOnes[position]) = (attributes[above], toOnes[above])
            }
            for attribute in entity.ownAttributes {
                attributes[position].append(Self.free(attribute.name, in: &taken[root, default: []]))
            }
            for relationship in entity.ownRelationships where !relationship.isToMany {
                toOnes[position].append(Self.free(relationship.name, in: &taken[root, default: []]))
            }
        }
    }

    /// In the order of the fields of the entity's rows.
    func columns(of entity: Int) -> [String] { attributes[entity] + toOnes[entity] }

    private static func free(_ property: String, in taken: inout Set<String>) -> String {
        let name = "Z" + property.uppercased()
        var (candidate, number) = (name, 1)
        while !taken.insert(candidate).inserted {
            candidate = name + String(number)
            number += 1
        }
        return candidate
    }
}

extension AttributeType {
    /// The column's declared type.
    var columnType: String {
        switch self {
        case .boolean, .integer16, .integer32, .integer64, .objectID: "INTEGER"
        case .date: "TIMESTAMP"
        case .double, .float: "FLOAT"
        case .decimal: "DECIMAL"
        case .string, .uri: "VARCHAR"
        case .binaryData, .uuid, .transformable: "BLOB"
        }
    }

    fileprivate var columnRank: Int {
        switch self {
        case .boolean, .integer16, .integer32, .integer64, .objectID: 0
        case .date, .double, .float, .decimal: 1
        case .string, .uri: 2
        case .binaryData, .uuid, .transformable: 3
        }
    }
}

import Foundation

/// Where an entity's objects lie in the file: the table, which the entities of a hierarchy share, the columns in the order of the
/// entity's attributes, and the entity's number.
struct EntityTable: Sendable {
    let name: String
    let columns: [String]
    /// The entity's number: `Z_ENT` of its rows.
    let entityNumber: Int
    /// The number of the entity at the root of the hierarchy, whose row in `Z_PRIMARYKEY` counts the keys.
    let rootNumber: Int
    /// Whether rows of other entities lie in the table too.
    let isShared: Bool
    let source: ObjectIDSource

    /// The tables of a model's entities, in its order. `numbers` are the entities' numbers in the same order.
    static func all(_ sources: [ObjectIDSource], numbers: [Int]) -> [EntityTable] {
        guard let hierarchy = sources.first?.model.hierarchy else { return [] }
        let columns = ColumnNames(sources.map(\.entity), hierarchy)
        return sources.enumerated().map { position, source in
            EntityTable(
                name: "Z" + source.entity.root.name.uppercased(), columns: columns.columns[position],
                entityNumber: numbers[position], rootNumber: numbers[source.rootIndex],
                isShared: hierarchy.isShared(position), source: source)
        }
    }

    /// The declared columns of the attributes that the superentity does not have.
    var ownDeclarations: [(rank: Int, name: String, type: String)] {
        let own = source.entity.ownAttributes
        return zip(own, columns[own.startIndex...]).map { attribute, column in
            (attribute.attributeType.columnRank, column, attribute.attributeType.columnType)
        }
    }
}

/// Names the columns of a model's attributes as Core Data does: `Z` and the name in capitals, and a number after it where two
/// entities of a hierarchy, neither of which inherits from the other, have attributes of the same name.
private struct ColumnNames {
    /// By the entity's position, in the order of its attributes.
    private(set) var columns: [[String]]

    init(_ entities: [EntityDescription], _ hierarchy: EntityHierarchy) {
        columns = entities.map { _ in [] }
        let positions = Dictionary(uniqueKeysWithValues: entities.enumerated().map { (ObjectIdentifier($1), $0) })
        var taken: [Int: Set<String>] = [:]
        for position in hierarchy.numbering {
            let entity = entities[position]
            let inherited = entity.superentity.flatMap { positions[ObjectIdentifier($0)] }.map { columns[$0] } ?? []
            columns[position] = inherited
            for attribute in entity.ownAttributes {
                let column = Self.free(
                    "Z" + attribute.name.uppercased(), in: &taken[hierarchy.roots[position], default: []])
                columns[position].append(column)
            }
        }
    }

    private static func free(_ name: String, in taken: inout Set<String>) -> String {
        var candidate = name
        var number = 1
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
        case .boolean, .integer16, .integer32, .integer64: "INTEGER"
        case .date: "TIMESTAMP"
        case .double, .float: "FLOAT"
        case .decimal: "DECIMAL"
        case .string, .uri: "VARCHAR"
        case .binaryData, .uuid, .transformable: "BLOB"
        }
    }

    fileprivate var columnRank: Int {
        switch self {
        case .boolean, .integer16, .integer32, .integer64: 0
        case .date, .double, .float, .decimal: 1
        case .string, .uri: 2
        case .binaryData, .uuid, .transformable: 3
        }
    }
}

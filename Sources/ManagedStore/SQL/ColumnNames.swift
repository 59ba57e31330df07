/// Names the columns of a model's properties as Core Data does: `Z` and the name in capitals. A number follows if two
/// entities of a hierarchy, neither of which inherits from the other, have properties of the same name.
struct ColumnNames {
    /// An attribute or a to-one relationship.
    struct Property: Hashable {
        /// The position of the declaring entity.
        let entity: Int
        let name: String
        /// Nil for a relationship.
        let type: AttributeType?
    }

    /// The properties that share a column name without its number, by the position of the root entity and that name.
    private(set) var namesakes: [Int: [String: [Property]]] = [:]
    /// The attribute columns and the to-one relationship columns of each entity, by the entity's position, in the
    /// entity's order.
    private var attributes: [[String]]
    private var toOnes: [[String]]

    /// - Parameter choices: the columns of properties whose columns in a file differ from the ones chosen here.
    init(_ model: ManagedObjectModel, choices: [Property: String] = [:]) {
        attributes = model.entities.map { _ in [] }
        toOnes = attributes
        var taken: [Int: Set<String>] = [:]
        for (property, column) in choices {
            taken[model.hierarchy.roots[property.entity], default: []].insert(column)
        }
        for position in model.hierarchy.numbering {
            let entity = model.entities[position]
            let root = model.hierarchy.roots[position]
            if let superentity = entity.superentity,
                let above = model.entities.firstIndex(where: { $0 === superentity })
            {
                (attributes[position], toOnes[position]) = (attributes[above], toOnes[above])
            }
            for property in Self.own(entity, position) {
                let base = "Z" + property.name.uppercased()
                namesakes[root, default: [:]][base, default: []].append(property)
                let column = choices[property] ?? Self.free(base, in: &taken[root, default: []])
                if property.type == nil { toOnes[position].append(column) } else { attributes[position].append(column) }
            }
        }
    }

    private static func own(_ entity: EntityDescription, _ position: Int) -> [Property] {
        entity.ownAttributes.map { Property(entity: position, name: $0.name, type: $0.attributeType) }
            + entity.ownRelationships.filter { !$0.isToMany }.map {
                Property(entity: position, name: $0.name, type: nil)
            }
    }

    /// Returns the columns in the order of the fields of the entity's rows.
    func columns(of entity: Int) -> [String] { attributes[entity] + toOnes[entity] }

    private static func free(_ base: String, in taken: inout Set<String>) -> String {
        var (candidate, number) = (base, 1)
        while !taken.insert(candidate).inserted {
            candidate = base + String(number)
            number += 1
        }
        return candidate
    }
}

extension String {
    /// Whether the name is `base`, or `base` followed by a number.
    func isNumbered(_ base: String) -> Bool {
        hasPrefix(base)
            && dropFirst(base.count).utf8.allSatisfy { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
    }
}

/// Names the columns of a model's properties as Core Data does: `Z` and the name in capitals, and a number after it
/// where two entities of a hierarchy, neither of which inherits from the other, have properties of the same name.
struct ColumnNames {
    /// An attribute or a to-one relationship.
    struct Property: Hashable {
        /// The position of the entity that declares it.
        let entity: Int
        let name: String
        /// Nil for a relationship.
        let type: AttributeType?
    }

    /// The properties that want the same column, by the position of the root of their hierarchy and the column's name
    /// without a number.
    private(set) var namesakes: [Int: [String: [Property]]] = [:]
    /// By the entity's position: attributes, and to-one relationships, in the entity's order.
    private var attributes: [[String]]
    private var toOnes: [[String]]

    /// `choices` are the columns of properties for which a file has others than those that would be chosen here.
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

    /// In the order of the fields of the entity's rows.
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
    /// Whether this is `base`, or `base` with a number after it.
    func isNumbered(_ base: String) -> Bool {
        hasPrefix(base)
            && dropFirst(base.count).utf8.allSatisfy { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
    }
}

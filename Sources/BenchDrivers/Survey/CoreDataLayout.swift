import BenchHarness

/// The entities of a file in Core Data's layout, which ManagedStore writes too.
struct CoreDataLayout {
    let sources: [SurveySource]
    /// The entities from which others inherit, with the rows of all of them.
    let families: [SurveySource]
    /// The tables of many-to-many relationships.
    let pairs: [SurveyPairs]
    private(set) var remarks: [String] = []

    /// Nil for a file in another layout.
    init?(_ connection: PlainConnection, _ tables: [StoredTable]) throws {
        let names = Set(tables.map(\.name))
        guard names.isSuperset(of: ["Z_PRIMARYKEY", "Z_METADATA"]) else { return nil }
        let entities = try StoredEntities(connection)
        let derived = try StoredTable.columnsOfTriggers(connection)
        let model = ModelNames(connection)
        var (sources, families) = ([SurveySource](), [SurveySource]())
        for (number, entity) in entities.names.sorted(by: { $0.key < $1.key }) {
            let name = "Z" + (entities.names[entities.root(of: number)] ?? entity).uppercased()
            // The history of the file, which Core Data keeps in ACHANGE and others, is none of the application's.
            if number > 16_000, names.contains("A\(entity)") { continue }
            guard let table = tables.first(where: { $0.name.uppercased() == name }) else {
                remarks.append("the entity \(entity) has no table \(name)")
                continue
            }
            let condition = entities.isInHierarchy(number) ? "Z_ENT = \(number)" : nil
            var source = Self.source(entity, table, model, condition: condition)
            source.root = entities.root(of: number) == number ? nil : entities.names[entities.root(of: number)]
            let isDerived = { (attribute: SurveySource.Attribute) in
                derived.contains("\(table.name).\(attribute.column.name)")
            }
            remarks += source.attributes.filter(isDerived).map {
                "the attribute \(entity).\($0.name) is left out: triggers of the file derive it"
            }
            sources.append(source.without(isDerived))
            guard source.root == nil, condition != nil else { continue }
            let numbers = entities.family(of: number).map { "\($0)" }.joined(separator: ", ")
            families.append(Self.source(entity, table, model, condition: "Z_ENT IN (\(numbers))").without(isDerived))
        }
        (self.sources, self.families) = (sources, families)
        let named = sources.flatMap {
            $0.attributes.map { ($0.name, $0.column.name) } + $0.references.map { ($0.name, $0.column) }
        }
        let isGuessed = named.contains { name, column in
            name == column.dropFirst().lowercased() && model.name(of: String(column.dropFirst())) == nil
        }
        if isGuessed { remarks.append(Self.smallLetters) }
        pairs = tables.compactMap { SurveyPairs(coreData: $0, entities.names, model) }
    }

    static let smallLetters = "names of which the file has the capitals alone are in small letters"

    private static func source(
        _ name: String, _ table: StoredTable, _ model: ModelNames, condition: String?
    ) -> SurveySource {
        var (attributes, references) = ([SurveySource.Attribute](), [SurveySource.Reference]())
        for column in table.columns where isProperty(column.name) {
            let indexes = table.indexes[column.name] ?? []
            let property = model.name(of: String(column.name.dropFirst())) ?? propertyName(column.name, indexes)
            // Only relationships have an index of this name.
            if indexes.contains(where: { $0.uppercased() == "\(table.name)_\(column.name)_INDEX".uppercased() }) {
                references.append(
                    SurveySource.Reference(
                        name: property, column: column.name, table: nil,
                        from: SurveySource.rows(of: table, condition),
                        isOrdered: table.columns.contains { $0.name == "Z_FOK_\(column.name.dropFirst())" }))
            } else {
                attributes.append(
                    SurveySource.Attribute(
                        name: property, column: column, isUnique: table.uniqueColumns.contains(column.name),
                        isIndexed: !indexes.isEmpty))
            }
        }
        return SurveySource(
            name: name, table: table, attributes: attributes, references: references, condition: condition,
            hasDates: true)
    }

    /// Whether a column holds a property: `ZNAME`, and neither `Z_PK` nor `Z3_FOLDER`.
    private static func isProperty(_ column: String) -> Bool {
        let rest = column.dropFirst()
        return column.uppercased().hasPrefix("Z") && !rest.isEmpty && !rest.drop(while: \.isNumber).hasPrefix("_")
    }

    /// The name of the property in a column: in capitals there, but an index such as `Z_Item_INDEX_createdAt` may have
    /// it as it is.
    private static func propertyName(_ column: String, _ indexes: [String]) -> String {
        let name = String(column.dropFirst())
        let endings = indexes.compactMap { $0.split(separator: "_").last.map(String.init) }
        if let ending = endings.first(where: { $0.uppercased() == name.uppercased() && $0 != $0.uppercased() }) {
            return ending
        }
        // Xcode calls an index of createdAt byCreatedAtIndex, and people byCreatedAt.
        let words = endings.compactMap { $0.firstMatch(of: /^by(.+?)(Index)?$/).map { String($0.output.1) } }
        guard let word = words.first(where: { $0.uppercased() == name.uppercased() && $0 != $0.uppercased() }) else {
            return name.lowercased()
        }
        return word.prefix(1).lowercased() + word.dropFirst()
    }
}

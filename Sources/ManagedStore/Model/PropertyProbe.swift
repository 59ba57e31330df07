import Foundation

/// Finds out which attribute or relationship a property reads, by reading it.
///
/// Key paths compare equal only when they begin at the same class: `\Circle.name` is not `\Figure.name`, though both read the same
/// property. Where comparing does not help, the property of an object made for the purpose is read: it is an attribute's if it
/// looks up that attribute alone, and hands out its very value; or a relationship's, if it looks up that alone.
enum PropertyProbe {
    /// What is looked up while a property is read.
    final class Recorder: @unchecked Sendable {
        // Unchecked: lives on one thread, for one read.
        fileprivate(set) var names: [String] = []

        func note(_ name: String) { names.append(name) }
    }

    /// Set while a property is read on trial.
    @TaskLocal static var recorder: Recorder?

    private struct Question: Hashable {
        let type: ObjectIdentifier
        let keyPath: AnyKeyPath
    }

    private final class Answers: @unchecked Sendable {
        // Unchecked: only touched with the lock held.
        private let lock = Lock()
        private var known: [Question: String?] = [:]

        func answer(_ question: Question, _ find: () -> String?) -> String? {
            if let known = lock.withLock({ known[question] }) { return known }
            let found = find()
            lock.withLock { known[question] = .some(found) }
            return found
        }
    }

    private static let answers = Answers()

    /// The name of the attribute that the property at `keyPath` of `type` reads; nil if it reads none, or more than that.
    static func attributeName(of keyPath: AnyKeyPath, _ type: ManagedObject.Type) -> String? {
        answers.answer(Question(type: ObjectIdentifier(type), keyPath: keyPath)) { find(keyPath, type) }
    }

    private static func find(_ keyPath: AnyKeyPath, _ type: ManagedObject.Type) -> String? {
        let entity = EntityDescription(name: "Probe", attributes: type.inheritedAttributes.map(\.description))
        guard let model = try? ManagedObjectModel(entities: [entity]) else { return nil }
        let page = RowPage(
            writable: ObjectIDSource(storeIdentifier: UUID(), model: model, entityIndex: 0), capacity: 1)
        let row = page.appendRow(key: 0)
        for (attribute, field) in zip(entity.attributes, page.layout.fields) {
            page.setValue(attribute.attributeType.telling, of: field, of: row)
        }
        let (object, recorder) = (type.init(_page: page, row: row, state: .isWritable), Recorder())
        let value = $recorder.withValue(recorder) { object[keyPath: keyPath] }
        guard recorder.names.count == 1 else { return nil }
        let isRelationship = type.inheritedRelationships.contains { $0.description.name == recorder.names[0] }
        if isRelationship { return value is any RelationshipValue ? recorder.names[0] : nil }
        guard let position = try? entity.position(of: recorder.names[0]) else { return nil }
        let stored = page.value(of: page.layout.fields[position], of: row)
        return (value as? any AttributeValue)?.storedValue == stored ? recorder.names[0] : nil
    }
}

extension ManagedObject {
    /// The checked keys of this class and of those that it inherits from.
    static var inheritedAttributes: [any AttributeKey] {
        var seen = Set<ObjectIdentifier>()
        return (Array(superclasses).reversed() + [self]).flatMap(\.attributes).filter {
            seen.insert(ObjectIdentifier($0)).inserted
        }
    }
}

extension AttributeType {
    /// A value that nearly everything that is done to it changes.
    fileprivate var telling: StoredValue {
        switch self {
        case .string: .string(" qÉ7x ")
        case .boolean: .boolean(true)
        case .date: .date(-123_456.75)
        case .integer16: .integer16(-12_347)
        case .integer32: .integer32(-12_347)
        case .integer64: .integer64(-12_347)
        case .double: .double(-12_347.375)
        case .float: .float(-12_347.375)
        case .decimal: .decimal(Decimal(-12_347))
        case .binaryData: .binaryData(Data([7, 1, 9]))
        case .uuid: .uuid(UUID(uuid: (7, 1, 9, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14)))
        case .uri: .uri("probe://q")
        case .transformable, .objectID: .null
        }
    }
}

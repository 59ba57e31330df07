import Foundation
import Locking

/// Finds out which attribute or relationship a property reads, by reading it.
///
/// Key paths compare equal only when they begin at the same class: `\Circle.name` is not `\Figure.name`, though both
/// read the same property. Where comparing does not help, the property of an object made for the purpose is read: it is
/// an attribute's if it looks up that attribute alone, and hands out its very value; or a relationship's, if it looks
/// up that alone. To-one relationships of such an object lead to others of the kind, so that `\Item.folder?.name` is
/// found to be "folder.name".
enum PropertyProbe {
    /// What is looked up while a property is read.
    final class Recorder: @unchecked Sendable {
        // Unchecked: lives on one thread, for one read.
        fileprivate(set) var names: [String] = []
        /// The objects that relationships led to.
        fileprivate var related: [ManagedObject] = []
        private let steps: Int

        /// The first `steps` relationships lead to an object, those after nowhere.
        fileprivate init(steps: Int) { self.steps = steps }

        func note(_ name: String) { names.append(name) }

        /// What a to-one relationship to objects of `type` leads to.
        func objects(_ type: ManagedObject.Type) -> [ManagedObject] {
            guard related.count < steps, let object = PropertyProbe.object(type) else { return [] }
            related.append(object)
            return [object]
        }
    }

    /// Set while a property is read on trial.
    @TaskLocal static var recorder: Recorder?

    private struct Question: Hashable, Sendable {
        let type: ObjectIdentifier
        // Unsafe: a key path is immutable. What one captures is compared with a lock held, and never handed out.
        nonisolated(unsafe) let keyPath: AnyKeyPath
    }

    private static let answers = Locked<[Question: [String]?]>([:])

    /// The name of the attribute that the property at `keyPath` of `type` reads; nil if it reads none, or more than
    /// that.
    static func attributeName(of keyPath: AnyKeyPath, _ type: ManagedObject.Type) -> String? {
        names(keyPath, type).flatMap { $0.count == 1 ? $0[0] : nil }
    }

    /// The names of the to-one relationships and the attribute that the property at `keyPath` of `type` reads, one
    /// after another, with points between; nil if that is not what it does.
    static func attributePath(of keyPath: AnyKeyPath, _ type: ManagedObject.Type) -> String? {
        names(keyPath, type)?.joined(separator: ".")
    }

    private static func names(_ keyPath: AnyKeyPath, _ type: ManagedObject.Type) -> [String]? {
        let question = Question(type: ObjectIdentifier(type), keyPath: keyPath)
        if let known = answers.withLock({ $0[question] }) { return known }
        let found = find(keyPath, type)
        answers.withLock { $0[question] = .some(found) }
        return found
    }

    private static func find(_ keyPath: AnyKeyPath, _ type: ManagedObject.Type) -> [String]? {
        guard let object = object(type) else { return nil }
        let (value, recorder) = read(keyPath, object, steps: .max)
        let names = recorder.names
        guard let name = names.last else { return nil }
        if names.count == 1, type.inheritedRelationships.contains(where: { $0.description.name == name }) {
            return value is any RelationshipValue ? names : nil
        }
        let (owner, steps) = (recorder.related.last ?? object, recorder.related.count)
        guard names.count == steps + 1, let position = try? owner.entity.position(of: name) else { return nil }
        let stored = owner.page.value(of: owner.page.layout.fields[position], of: owner.row)
        guard (value as? any AttributeValue)?.storedValue == stored else { return nil }
        return (0..<steps).allSatisfy { isMissing(keyPath, object, after: $0, of: names) } ? names : nil
    }

    /// Whether the property has no value where relationship number `steps` leads nowhere, and looks no further then.
    private static func isMissing(
        _ keyPath: AnyKeyPath, _ object: ManagedObject, after steps: Int, of names: [String]
    ) -> Bool {
        // One that unwraps by force cannot be asked.
        if "\(keyPath)".contains("!") { return true }
        let (value, recorder) = read(keyPath, object, steps: steps)
        let mirror = value.map { Mirror(reflecting: $0) }
        let isNil = mirror?.displayStyle == .optional && mirror?.children.count == 0
        return isNil && recorder.names == Array(names[...steps])
    }

    private static func read(_ keyPath: AnyKeyPath, _ object: ManagedObject, steps: Int) -> (Any?, Recorder) {
        let recorder = Recorder(steps: steps)
        return ($recorder.withValue(recorder) { object[keyPath: keyPath] }, recorder)
    }

    /// An object made for the purpose.
    private static func object(_ type: ManagedObject.Type) -> ManagedObject? {
        let entity = EntityDescription(name: "Probe", attributes: type.inheritedAttributes.map(\.description))
        guard let model = try? ManagedObjectModel(entities: [entity]) else { return nil }
        let page = RowPage(
            writable: ObjectIDSource(storeIdentifier: UUID(), model: model, entityIndex: 0), capacity: 1)
        let row = page.appendRow(key: 0)
        for (attribute, field) in zip(entity.attributes, page.layout.fields) {
            page.setValue(attribute.attributeType.probeValue, of: field, of: row)
        }
        return type.init(_page: page, row: row, state: .isWritable)
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

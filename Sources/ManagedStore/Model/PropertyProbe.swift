import Foundation
import Locking

/// Determines which attribute or relationship a property reads, by reading it.
///
/// Key paths are equal only if they start at the same class: `\Circle.name` differs from `\Figure.name`, although both
/// read the same property. If a comparison fails, the probe reads the property of a temporary object. The property
/// belongs to an attribute if it looks up only that attribute and returns exactly its value; it belongs to a
/// relationship if it looks up only that relationship. To-one relationships of a temporary object lead to other
/// temporary objects, so that the probe resolves `\Item.folder?.name` to "folder.name".
enum PropertyProbe {
    /// Records the lookups during the reading of a property.
    final class Recorder: @unchecked Sendable {
        // Unchecked: used by one thread during one read.
        fileprivate(set) var names: [String] = []
        /// The objects that relationships led to.
        fileprivate var related: [ManagedObject] = []
        private let steps: Int

        /// The first `steps` relationships lead to an object, later ones lead nowhere.
        fileprivate init(steps: Int) { self.steps = steps }

        func note(_ name: String) { names.append(name) }

        /// Returns the objects that a to-one relationship to `type` leads to.
        func objects(_ type: ManagedObject.Type) -> [ManagedObject] {
            guard related.count < steps, let object = PropertyProbe.object(type) else { return [] }
            related.append(object)
            return [object]
        }
    }

    /// The recorder while the probe reads a property.
    @TaskLocal static var recorder: Recorder?

    private struct Question: Hashable, Sendable {
        let type: ObjectIdentifier
        // Unsafe: a key path is immutable. Values that it captures are compared with a lock held, and never leave this
        // type.
        nonisolated(unsafe) let keyPath: AnyKeyPath
    }

    private static let answers = Locked<[Question: [String]?]>([:])

    /// Returns the name of the attribute that the property at `keyPath` of `type` reads; nil if it reads none, or reads
    /// other properties as well.
    static func attributeName(of keyPath: AnyKeyPath, _ type: ManagedObject.Type) -> String? {
        names(keyPath, type).flatMap { $0.count == 1 ? $0[0] : nil }
    }

    /// Returns the path of to-one relationships and an attribute that the property at `keyPath` of `type` reads, joined
    /// by periods; nil if it reads anything else.
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

    /// Whether the property is nil if the relationship number `steps` leads nowhere, and then reads nothing else.
    private static func isMissing(
        _ keyPath: AnyKeyPath, _ object: ManagedObject, after steps: Int, of names: [String]
    ) -> Bool {
        // A key path with a forced unwrap would trap, so it is not read.
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

    /// Returns a temporary object.
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
    /// The checked keys of this class and of its superclasses.
    static var inheritedAttributes: [any AttributeKey] {
        var seen = Set<ObjectIdentifier>()
        return (Array(superclasses).reversed() + [self]).flatMap(\.attributes).filter {
            seen.insert(ObjectIdentifier($0)).inserted
        }
    }
}

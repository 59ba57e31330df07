import Foundation

@testable import ManagedStore

/// An entity whose values mostly lie outside its rows.
final class Letter: ManagedObject {
    static let stamp = Attribute("stamp", \Letter.stamp)
    static let fifteen = Attribute("fifteen", \Letter.fifteen)
    static let sixteen = Attribute("sixteen", \Letter.sixteen)
    static let empty = Attribute("empty", \Letter.empty)
    static let missing = Attribute("missing", \Letter.missing)
    static let body = Attribute("body", \Letter.body)
    static let attachment = Attribute("attachment", \Letter.attachment)
    override class var attributes: [any AttributeKey] {
        [stamp, fifteen, sixteen, empty, missing, body, attachment]
    }

    var stamp: Int64 {
        get { self[Letter.stamp] }
        set { self[Letter.stamp] = newValue }
    }
    var fifteen: String {
        get { self[Letter.fifteen] }
        set { self[Letter.fifteen] = newValue }
    }
    var sixteen: String {
        get { self[Letter.sixteen] }
        set { self[Letter.sixteen] = newValue }
    }
    var empty: String {
        get { self[Letter.empty] }
        set { self[Letter.empty] = newValue }
    }
    var missing: String? {
        get { self[Letter.missing] }
        set { self[Letter.missing] = newValue }
    }
    var body: String {
        get { self[Letter.body] }
        set { self[Letter.body] = newValue }
    }
    var attachment: Data {
        get { self[Letter.attachment] }
        set { self[Letter.attachment] = newValue }
    }

    /// All values.
    struct Contents: Equatable {
        var stamp: Int64
        var fifteen = "123456789012345"
        var sixteen = "1234567890123456"
        var empty = ""
        var missing: String?
        var body: String
        var attachment: Data

        init(_ number: Int) {
            stamp = Int64(number)
            body = String(repeating: "body \(number) ", count: 60)
            attachment = Data(repeating: UInt8(truncatingIfNeeded: number), count: 600)
        }
    }

    var contents: Contents {
        get {
            var contents = Contents(0)
            (contents.stamp, contents.fifteen, contents.sixteen, contents.empty) = (stamp, fifteen, sixteen, empty)
            (contents.missing, contents.body, contents.attachment) = (missing, body, attachment)
            return contents
        }
        set {
            (stamp, fifteen, sixteen, empty) = (newValue.stamp, newValue.fifteen, newValue.sixteen, newValue.empty)
            (missing, body, attachment) = (newValue.missing, newValue.body, newValue.attachment)
        }
    }

    /// The number of bytes that the object's row has in common with older rows.
    var inheritedByteCount: Int { rowReference.inheritedByteCount ?? 0 }

    /// The address of the body.
    var bodyAddress: UnsafeRawPointer? {
        entity.layout.positions["body"].flatMap { rowReference.bytes(entity.layout.fields[$0]).baseAddress }
    }

    /// A store with `count` letters, written by a context that is gone.
    static func store(_ backend: Backend, count: Int) throws -> TestStore {
        let store = try TestStore(backend, model: ManagedObjectModel(Letter.self))
        let context = store.context()
        for number in 0..<count { Letter(context: context).contents = Contents(number) }
        try context.save()
        return store
    }
}

extension ManagedObjectContext {
    /// All letters in the order of their stamps.
    func letters() throws -> [Letter] {
        try fetch(FetchRequest(Letter.self, sortBy: [SortDescriptor(\.stamp)]))
    }
}

import Foundation
import ManagedStore

/// What a holder has: an abstract entity with a value that must be unique, and with relationships to many in both
/// directions.
class Asset: ManagedObject {
    static let name = Attribute<String>("name", default: "asset")
    static let code = Attribute<String?>("code", maxLength: 40)
    static let holder = Relationship("holder", \Asset.holder, inverse: "assets")
    static let tags = Relationship("tags", \Asset.tags, inverse: "assets")
    override class var attributes: [any AttributeKey] { [name, code] }
    override class var relationships: [any RelationshipKey] { [holder, tags] }
    override class var uniquenessConstraints: [[String]] { self == Asset.self ? [["code"]] : [] }
    override class var isAbstract: Bool { self == Asset.self }

    var holder: Holder? {
        get { self[Asset.holder] }
        set { self[Asset.holder] = newValue }
    }
    var tags: Set<Tag> {
        get { self[Asset.tags] }
        set { self[Asset.tags] = newValue }
    }

    /// Reads every attribute through its checked key.
    func readAttributes() { read(Asset.name, Asset.code) }
}

/// A book that a holder may prefer to others.
final class Atlas: Book {
    static let scale = Attribute<Int64>("scale", default: 1)
    static let admirers = Relationship("admirers", \Atlas.admirers, inverse: "favourite")
    override class var attributes: [any AttributeKey] { [scale] }
    override class var relationships: [any RelationshipKey] { [admirers] }

    var admirers: Set<Holder> {
        get { self[Atlas.admirers] }
        set { self[Atlas.admirers] = newValue }
    }

    override func readAttributes() {
        super.readAttributes()
        read(Atlas.scale)
    }
}

/// An asset that is no book, with a column that an atlas has too.
final class Chart: Asset {
    static let scale = Attribute<Double>("ratio", default: 0.5, minValue: 0)
    override class var attributes: [any AttributeKey] { [scale] }

    override func readAttributes() {
        super.readAttributes()
        read(Chart.scale)
    }
}

extension ManagedObject {
    /// Reads attributes, through the checked keys, and makes their values.
    func read<each Value: AttributeValue>(_ attributes: repeat Attribute<each Value>) {
        repeat _ = "\(self[each attributes])"
    }
}

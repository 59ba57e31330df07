import Foundation

@testable import ManagedStore

/// An abstract entity, from which others inherit.
class Figure: ManagedObject {
    static let name = Attribute("name", \Figure.name)
    static let order = Attribute("order", \Figure.order, default: 0)
    override class var attributes: [any AttributeKey] { [name, order] }
    override class var isAbstract: Bool { self == Figure.self }

    var name: String {
        get { self[Figure.name] }
        set { self[Figure.name] = newValue }
    }
    var order: Int64 {
        get { self[Figure.order] }
        set { self[Figure.order] = newValue }
    }
}

class Circle: Figure {
    static let radius = Attribute("radius", \Circle.radius, default: 1, minValue: 0)
    static let size = Attribute("size", \Circle.size)
    override class var attributes: [any AttributeKey] { [radius, size] }

    var radius: Double {
        get { self[Circle.radius] }
        set { self[Circle.radius] = newValue }
    }
    var size: String? {
        get { self[Circle.size] }
        set { self[Circle.size] = newValue }
    }
}

/// Inherits over two generations, and says so in the other way.
final class Ring: Circle {
    static let inner = Attribute("inner", \Ring.inner, default: 0.5)
    override class var attributes: [any AttributeKey] { super.attributes + [inner] }

    var inner: Double {
        get { self[Ring.inner] }
        set { self[Ring.inner] = newValue }
    }
}

final class Square: Figure {
    static let side = Attribute("side", \Square.side, default: 2)
    /// Of the same name as an attribute of another entity in the table.
    static let size = Attribute("size", \Square.size)
    override class var attributes: [any AttributeKey] { [side, size] }

    var side: Int64 {
        get { self[Square.side] }
        set { self[Square.side] = newValue }
    }
    var size: Int64? {
        get { self[Square.size] }
        set { self[Square.size] = newValue }
    }
}

extension Figure {
    var shouted: String { name.uppercased() }
    var described: String { "\(name) \(order)" }
}

enum Figures {
    static func model() throws -> ManagedObjectModel {
        try ManagedObjectModel(Figure.self, Circle.self, Ring.self, Square.self)
    }

    /// A circle, a ring and a square, in that order, saved.
    @discardableResult
    static func insert(into context: ManagedObjectContext) throws -> (Circle, Ring, Square) {
        let (circle, ring, square) = (Circle(context: context), Ring(context: context), Square(context: context))
        for (index, (shape, name)) in [(circle, "circle"), (ring, "ring"), (square as Figure, "square")].enumerated() {
            shape.name = name
            shape.order = Int64(index)
        }
        circle.size = "large"
        ring.size = "small"
        square.size = 4
        try context.save()
        return (circle, ring, square)
    }
}

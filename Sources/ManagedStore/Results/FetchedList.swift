import Foundation

/// A section of a ``FetchedResultsController``: consecutive objects with the same value of the section key.
public struct FetchedResultsSection<Object: ManagedObject> {
    /// The section key's value as text: the string itself, or "1" and "0" for true and false. Empty for a missing
    /// value, or without a section key.
    public let name: String
    let range: Range<Int>
    private let all: [Object]

    init(_ name: String, _ range: Range<Int>, of all: [Object]) {
        self.name = name
        self.range = range
        self.all = all
    }

    /// The section's objects, in order.
    public var objects: [Object] { Array(all[range]) }
    /// The number of objects in the section. O(1).
    public var numberOfObjects: Int { range.count }
}

/// The objects of a controller in order, divided into sections.
struct FetchedList<Object: ManagedObject> {
    let objects: [Object]
    let sections: [FetchedResultsSection<Object>]

    /// Makes the list. The order must start with the section key, if there is one. Without a section key there is one
    /// section, even if it is empty.
    init(_ objects: [Object], hasSections: Bool, _ order: ObjectOrder) {
        self.objects = objects
        if hasSections {
            sections = Self.sections(objects, order)
        } else {
            sections = [FetchedResultsSection("", 0..<objects.count, of: objects)]
        }
    }

    private static func sections(_ objects: [Object], _ order: ObjectOrder) -> [FetchedResultsSection<Object>] {
        var sections: [FetchedResultsSection<Object>] = []
        var start = 0
        while start < objects.count {
            let end =
                objects[start...].dropFirst().firstIndex { !order.isEqualByFirstKey(objects[start], $0) }
                ?? objects.count
            let name = sectionName(order.firstValue(of: objects[start]))
            // Values with the same text, such as a missing and an empty string, share a section.
            if let last = sections.last, last.name.utf8.elementsEqual(name.utf8) {
                sections[sections.count - 1] = FetchedResultsSection(name, last.range.lowerBound..<end, of: objects)
            } else {
                sections.append(FetchedResultsSection(name, start..<end, of: objects))
            }
            start = end
        }
        return sections
    }

    private static func sectionName(_ value: StoredValue) -> String {
        // -0 equals 0 and belongs to the same section.
        if case .real(0) = value.untyped, value.type?.number != .time { return "0.0" }
        return switch value {
        case .null: ""
        case .boolean(let value): value ? "1" : "0"
        default: value.any.map { "\($0)" } ?? ""
        }
    }

    /// Returns the section of the object at `index`. O(log s).
    func section(at index: Int) -> Int {
        sections.partitionPoint { $0.range.upperBound > index }
    }

    func object(at path: FetchedIndexPath) -> Object {
        objects[sections[path.section].range.lowerBound + path.item]
    }

    func indexPath(_ index: Int) -> FetchedIndexPath {
        let section = section(at: index)
        return FetchedIndexPath(item: index - sections[section].range.lowerBound, section: section)
    }
}

import Foundation

/// A section of a ``FetchedResultsController``: consecutive objects with the same value of the section key.
public struct FetchedResultsSection<Object: ManagedObject> {
    /// The section key's value as text: the string itself, or "1" and "0" for true and false. Empty for a missing
    /// value, or without a section key.
    public let name: String
    private let range: Range<Int>
    private let all: [Object]

    init(_ section: FetchedList.Section, of all: [Object]) {
        name = section.name
        range = section.range
        self.all = all
    }

    /// The section's objects, in order.
    public var objects: [Object] { Array(all[range]) }
    /// The number of objects in the section. O(1).
    public var numberOfObjects: Int { range.count }
}

/// The objects of a controller in order, divided into sections.
///
/// Like all that keeps a list up to date, it knows no class of the objects: generic code is not compiled for a class of
/// the application, and takes ten times as long.
struct FetchedList {
    /// Consecutive objects with the same value of the section key.
    struct Section {
        let name: String
        let range: Range<Int>
    }

    let objects: [ManagedObject]
    let sections: [Section]

    /// Makes the list. The order must start with the section key, if there is one. Without a section key there is one
    /// section, even if it is empty.
    init(_ objects: [ManagedObject], hasSections: Bool, _ order: ObjectOrder) {
        self.objects = objects
        sections = hasSections ? Self.sections(objects, order) : [Section(name: "", range: 0..<objects.count)]
    }

    private static func sections(_ objects: [ManagedObject], _ order: ObjectOrder) -> [Section] {
        var sections: [Section] = []
        var start = 0
        while start < objects.count {
            let end =
                objects[start...].dropFirst().firstIndex { !order.isEqualByFirstKey(objects[start], $0) }
                ?? objects.count
            let name = sectionName(order.firstValue(of: objects[start]))
            // Values with the same text, such as a missing and an empty string, share a section.
            if let last = sections.last, last.name.utf8.elementsEqual(name.utf8) {
                sections[sections.count - 1] = Section(name: name, range: last.range.lowerBound..<end)
            } else {
                sections.append(Section(name: name, range: start..<end))
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

    func object(at path: FetchedIndexPath) -> ManagedObject {
        objects[sections[path.section].range.lowerBound + path.item]
    }

    func indexPath(_ index: Int) -> FetchedIndexPath {
        let section = section(at: index)
        return FetchedIndexPath(item: index - sections[section].range.lowerBound, section: section)
    }
}

/// A controller's state after a fetch: the list, and the means to update it in memory.
struct FetchedState {
    let plan: FetchPlan
    let order: ObjectOrder
    private let hasSections: Bool
    private let excesses: [PatternExcess]
    private(set) var list: FetchedList
    /// Objects without a permanent key, which come last among equal objects.
    private var temporary: [ManagedObject]
    /// The related objects that the order depends on, held so that comparisons need no reads.
    private var related: [ManagedObject]

    init(_ objects: [ManagedObject], plan: FetchPlan, hasSections: Bool) {
        self.plan = plan
        self.hasSections = hasSections
        excesses = plan.predicate?.excesses ?? []
        order = ObjectOrder(plan)
        related = order.related(to: objects)
        list = FetchedList(objects, hasSections: hasSections, order)
        temporary = objects.filter { $0.row.key < 0 }
    }

    var isLimited: Bool { plan.limit > 0 || plan.offset > 0 }

    /// The objects in the list that got their permanent keys after the list was made.
    var renamed: [ManagedObject] { temporary.filter { $0.row.key >= 0 } }

    /// Whether the request matches the object, whose values must have been read.
    func matches(_ object: ManagedObject) -> Bool {
        guard object.state.isDisjoint(with: [.deleted, .isGone, .isHollow]) else { return false }
        guard let predicate = plan.predicate, let context = object.managedObjectContext else { return true }
        // An expression that takes too many steps for one object may not for the next.
        defer { for excess in excesses { excess.forget() } }
        return predicate.matches(
            object.rowReference, plan.source.entity.layout, ContextNavigator(context: context))
    }

    /// Removes `touched` objects, inserts those that match at their positions, and returns the changes.
    mutating func place(_ touched: Set<ManagedObject>, updated: Set<ManagedObject>) -> FetchedResultsChangeSet {
        let (rest, leaving) = list.objects.removing(touched)
        let matching = touched.filter(matches)
        // A fetch that refreshes its objects changes them without a notification.
        if !order.isSorted(rest) { return replace((rest + matching).sorted(by: order.isBefore), updated: updated) }
        let (objects, entering) = order.merge(Array(matching), into: rest)
        return adopt(objects, leaving, entering, touched: touched, updated: updated)
    }

    /// Takes over a newly fetched list and returns the changes.
    mutating func replace(_ objects: [ManagedObject], updated: Set<ManagedObject>) -> FetchedResultsChangeSet {
        adopt(
            objects, Array(list.objects.indices), Array(objects.indices), touched: Set(list.objects).union(objects),
            updated: updated)
    }

    /// - Parameters:
    ///   - leaving: The positions of the touched objects in the list so far, in ascending order.
    ///   - entering: Their positions in the new list, in ascending order.
    private mutating func adopt(
        _ objects: [ManagedObject], _ leaving: [Int], _ entering: [Int], touched: Set<ManagedObject>,
        updated: Set<ManagedObject>
    ) -> FetchedResultsChangeSet {
        let old = list
        related = order.related(to: objects)
        list = FetchedList(objects, hasSections: hasSections, order)
        temporary = (temporary + touched).filter { $0.row.key < 0 }
        return FetchedResultsDiff.changes(
            from: .init(list: old, touched: leaving), to: .init(list: list, touched: entering), updated: updated,
            keepsKeys: order.keepsKeys)
    }
}

extension Collection where Element: ManagedObject {
    /// The first object that occurs a second time; nil if each occurs once. O(n) without hashing.
    var firstRepeatedObject: ManagedObject? {
        defer { for object in self { object.state.remove(.isTouched) } }
        return first { object in
            defer { object.state.insert(.isTouched) }
            return object.state.contains(.isTouched)
        }
    }
}

extension [ManagedObject] {
    /// Returns the other objects, and the positions of the removed ones in ascending order. O(n) without hashing.
    fileprivate func removing(_ removed: Set<ManagedObject>) -> (rest: [ManagedObject], positions: [Int]) {
        for object in removed { object.state.insert(.isTouched) }
        defer { for object in removed { object.state.remove(.isTouched) } }
        var (rest, positions, start) = ([ManagedObject](), [Int](), 0)
        rest.reserveCapacity(count)
        for position in indices where self[position].state.contains(.isTouched) {
            positions.append(position)
            rest += self[start..<position]
            start = position + 1
        }
        rest += self[start...]
        return (rest, positions)
    }
}

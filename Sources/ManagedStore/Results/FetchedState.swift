/// A controller's state after a fetch: the list, and the means to update it in memory.
struct FetchedState<Object: ManagedObject> {
    let plan: FetchPlan
    let order: ObjectOrder
    private let hasSections: Bool
    private let excesses: [PatternExcess]
    private(set) var list: FetchedList<Object>
    /// Objects without a permanent key, which come last among equal objects.
    private var temporary: [Object]
    /// The related objects that the order depends on, held so that comparisons need no reads.
    private var related: [ManagedObject]

    init(_ objects: [Object], plan: FetchPlan, hasSections: Bool) {
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
    var renamed: [Object] { temporary.filter { $0.row.key >= 0 } }

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
        let rest = list.objects.filter { !touched.contains($0) }
        let matching = touched.filter(matches).map { unsafeDowncast($0, to: Object.self) }
        // A fetch that refreshes its objects changes them without a notification.
        if !order.isSorted(rest) { return replace((rest + matching).sorted(by: order.isBefore), updated: updated) }
        return adopt(order.merge(matching, into: rest), touched: touched, updated: updated)
    }

    /// Takes over a newly fetched list and returns the changes.
    mutating func replace(_ objects: [Object], updated: Set<ManagedObject>) -> FetchedResultsChangeSet {
        adopt(objects, touched: Set(list.objects).union(objects), updated: updated)
    }

    private mutating func adopt(
        _ objects: [Object], touched: Set<ManagedObject>, updated: Set<ManagedObject>
    ) -> FetchedResultsChangeSet {
        let old = list
        related = order.related(to: objects)
        list = FetchedList(objects, hasSections: hasSections, order)
        temporary = (temporary + touched.compactMap { $0 as? Object }).filter { $0.row.key < 0 }
        return FetchedResultsDiff.changes(
            from: old, to: list, touched: touched, updated: updated, keepsKeys: order.keepsKeys)
    }
}

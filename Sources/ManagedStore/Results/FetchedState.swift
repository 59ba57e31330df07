/// What a controller knows after a fetch: the list, and how to bring it up to date in memory.
struct FetchedState<Object: ManagedObject> {
    let plan: FetchPlan
    let order: ObjectOrder
    private let hasSections: Bool
    private let excesses: [PatternExcess]
    private(set) var list: FetchedList<Object>
    /// Objects without a permanent key: among equals they stand last, until they get one.
    private var temporary: [Object]
    /// What the order looks at beyond the objects, held so that comparing them reads nothing.
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

    /// Objects in the list that got their permanent key since the list was made.
    var renamed: [Object] { temporary.filter { $0.row.key >= 0 } }

    /// Whether the request asks for the object, whose values must have been read.
    func matches(_ object: ManagedObject) -> Bool {
        guard object.state.isDisjoint(with: [.deleted, .isGone, .isHollow]) else { return false }
        guard let predicate = plan.predicate, let context = object.managedObjectContext else { return true }
        // What takes too many steps with one object may not with the next.
        defer { for excess in excesses { excess.forget() } }
        return predicate.matches(
            object.rowReference, plan.source.entity.layout, ContextNavigator(context: context))
    }

    /// Takes out `touched` objects, puts those that match in where they belong, and says what is different.
    mutating func place(_ touched: Set<ManagedObject>, updated: Set<ManagedObject>) -> FetchedResultsChangeSet {
        let rest = list.objects.filter { !touched.contains($0) }
        let matching = touched.filter(matches).map { unsafeDowncast($0, to: Object.self) }
        // A fetch that refreshes what it finds changes objects without a word.
        if !order.isSorted(rest) { return replace((rest + matching).sorted(by: order.isBefore), updated: updated) }
        return adopt(order.merge(matching, into: rest), touched: touched, updated: updated)
    }

    /// Takes on a list that was made anew, and says what is different.
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

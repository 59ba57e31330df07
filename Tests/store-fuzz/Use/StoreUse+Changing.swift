import Foundation
import ManagedStore
import TestSupport

/// Everything that changes objects and saves them.
extension StoreUse {
    var changing: [Step] {
        [
            ("insert", insert), ("change", change), ("relate", relate), ("delete", delete), ("undo", undo),
            ("conflict", conflict),
            ("use a child", useChild), ("watch", watch),
        ]
    }

    private func pick<Object: ManagedObject>(_ type: Object.Type, _ context: ManagedObjectContext) throws(StoreError)
        -> Object?
    {
        let found = try context.fetch(FetchRequest(type))
        return found.isEmpty ? nil : random.pick(found)
    }

    private func save(_ context: ManagedObjectContext, _ name: String) {
        step("save \(name)") { () throws(StoreError) in
            do throws(StoreError) {
                try context.save()
            } catch {
                // What cannot be saved is given up, so that later steps are not refused for the same.
                context.rollback()
                throw error
            }
        }
    }

    private func insert(_ context: ManagedObjectContext) throws(StoreError) {
        let holder = Holder(context: context)
        holder[Holder.name] = "new"
        let atlas = Atlas(context: context)
        let chart = Chart(context: context)
        let cover = Cover(context: context)
        cover[Cover.colour] = "blue"
        let tag = Tag(context: context)
        tag[Tag.name] = "new"
        holder.assets = [atlas, chart]
        holder.favourite = atlas
        atlas.cover = cover
        tag.assets = [chart, atlas]
        if random.oneIn(2) { try context.obtainPermanentIDs(for: [holder, atlas, tag]) }
        save(context, "new objects")
    }

    private func change(_ context: ManagedObjectContext) throws(StoreError) {
        for (number, book) in try context.fetch(FetchRequest(Book.self)).prefix(12).enumerated() {
            book.change(number)
            if random.oneIn(4) { book[Asset.code] = "changed \(number)" }
        }
        for holder in try context.fetch(FetchRequest(Holder.self)) {
            holder[Holder.name] += "!"
            try holder.setValue(holder[Holder.number].map { $0 &+ 1 }, forKey: "number")
        }
        context.persistentStoreCoordinator.metadata["changed"] = .boolean(true)
        save(context, "changes")
    }

    private func relate(_ context: ManagedObjectContext) throws(StoreError) {
        for _ in 0..<6 {
            guard let holder = try pick(Holder.self, context), let other = try pick(Holder.self, context),
                let asset = try pick(Asset.self, context), let tag = try pick(Tag.self, context)
            else { return }
            switch Int.random(in: 0..<9, using: &random) {
            case 0: holder.deputy = other
            case 1: holder.boss = other
            case 2: asset.holder = holder
            case 3: holder.assets.reverse()
            case 4: tag.assets.append(asset)
            case 5: holder.friends.formSymmetricDifference([other])
            case 6: holder.favourite = try pick(Atlas.self, context)
            case 7: holder.add(asset, to: Holder.assets)
            default: tag.remove(asset, from: Tag.assets)
            }
        }
        if let cover = try pick(Cover.self, context), let book = try pick(Book.self, context) { book.cover = cover }
        save(context, "relations")
    }

    private func delete(_ context: ManagedObjectContext) throws(StoreError) {
        for entity in ["Holder", "Asset", "Tag", "Cover"] {
            let found = try objects(entity, context).filter { !$0.isDeleted }
            guard !found.isEmpty else { continue }
            context.delete(random.pick(found))
            context.processPendingChanges()
        }
        save(context, "deletions")
    }

    private func undo(_ context: ManagedObjectContext) throws(StoreError) {
        context.undoManager = UndoManager()
        try relateWithoutSaving(context)
        if let asset = try pick(Asset.self, context), !asset.isDeleted { context.delete(asset) }
        context.processPendingChanges()
        context.undo()
        context.redo()
        context.undo()
        save(context, "what was undone")
    }

    private func relateWithoutSaving(_ context: ManagedObjectContext) throws(StoreError) {
        guard let holder = try pick(Holder.self, context), let other = try pick(Holder.self, context) else { return }
        holder[Holder.name] = "undo"
        holder.deputy = other
        holder.staff = [other]
        context.processPendingChanges()
    }

    /// Two contexts change, relate or delete the same objects.
    private func conflict(_ first: ManagedObjectContext) throws(StoreError) {
        let second = ManagedObjectContext(coordinator: first.persistentStoreCoordinator)
        second.mergePolicy = MergePolicy(random.pick(MergePolicy.MergeType.allCases))
        for context in [first, second] {
            for holder in try context.fetch(FetchRequest(Holder.self)).prefix(5) {
                holder[Holder.name] = random.oneIn(2) ? "first" : "second"
                holder.boss = try pick(Holder.self, context)
            }
            for asset in try context.fetch(FetchRequest(Asset.self)).prefix(3) { asset[Asset.code] = "same" }
        }
        if let asset = try pick(Asset.self, second), !asset.isDeleted { second.delete(asset) }
        save(first, "first")
        save(second, "second, with \(second.mergePolicy.mergeType.rawValue)")
    }

    private func useChild(_ context: ManagedObjectContext) throws(StoreError) {
        let child = try ManagedObjectContext(parent: context)
        for holder in try child.fetch(FetchRequest(Holder.self)).prefix(4) {
            holder[Holder.name] = "child's"
            _ = holder.assets.count + holder.friends.count
        }
        if let tag = try pick(Tag.self, child) { child.delete(tag) }
        save(child, "the child")
        save(context, "the parent")
    }

    private func watch(_ context: ManagedObjectContext) throws(StoreError) {
        let sorts = [FetchSortDescriptor(key: "holder.name"), FetchSortDescriptor(key: "name")]
        var request = FetchRequest<Asset>(Asset.self)
        request.sortDescriptors = sorts
        let controller = FetchedResultsController(
            fetchRequest: request, managedObjectContext: context, sectionNameKeyPath: "holder.name")
        let changes = controller.changes
        try controller.performFetch()
        try change(context)
        context.processPendingChanges()
        for object in controller.fetchedObjects ?? [] { _ = controller.indexPath(for: object) }
        _ = controller.sections?.map(\.name)
        _ = changes
    }
}

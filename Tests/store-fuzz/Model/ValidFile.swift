import Foundation
import ManagedStore
import TestSupport

/// The valid files that are damaged: what a process leaves that closed its store, that was killed while it had the
/// store open, or that was killed while it wrote with a journal.
enum ValidFile: String, CaseIterable {
    case closed
    case log
    case journal

    /// The name of the store's file in its folder.
    static let name = "store.sqlite"
    static let options = SQLiteStoreOptions(
        synchronous: .off, pageSizeBytes: 1_024, busyTimeoutMilliseconds: 200)

    /// Makes all of them in a folder.
    static func makeAll(in folder: URL) throws {
        for file in allCases {
            try file.make(in: folder.appendingPathComponent(file.rawValue, isDirectory: true))
        }
    }

    private func make(in folder: URL) throws {
        let making = folder.appendingPathComponent("making", isDirectory: true)
        try FileManager.default.createDirectory(at: making, withIntermediateDirectories: true)
        let url = making.appendingPathComponent(Self.name)
        let coordinator = PersistentStoreCoordinator(managedObjectModel: try FuzzModel.current())
        try coordinator.addPersistentStore(.sqlite, at: url, options: Self.options)
        let context = ManagedObjectContext(coordinator: coordinator)
        try Self.fill(context, 0..<8)
        coordinator.metadata = ["note": .string("filled")]
        try context.save()
        // The same bytes each time, for as long as the store writes the same.
        try RawConnection(url).execute("UPDATE Z_METADATA SET Z_UUID = '12345678-90AB-CDEF-FEDC-BA0987654321'")
        try coordinator.checkpoint()
        if self == .log {
            try Self.fill(context, 8..<12)
            try context.save()
            try copy(making, to: folder)
        }
        try coordinator.removePersistentStore()
        switch self {
        case .closed: try copy(making, to: folder)
        case .log: break
        case .journal: try copyWhileWriting(url, to: folder)
        }
        try FileManager.default.removeItem(at: making)
    }

    private func copy(_ making: URL, to folder: URL) throws {
        for (name, bytes) in try StoreFiles.read(making) { try bytes.write(to: folder.appendingPathComponent(name)) }
    }

    /// A cache of a few pages writes to the file before the transaction is over.
    private func copyWhileWriting(_ url: URL, to folder: URL) throws {
        let connection = try RawConnection(url)
        try connection.execute(
            "PRAGMA journal_mode = DELETE; PRAGMA synchronous = FULL; PRAGMA cache_size = 3; BEGIN; "
                + "UPDATE ZASSET SET ZNAME = ZNAME || 'changed', Z_OPT = Z_OPT + 1; UPDATE ZHOLDER SET ZNAME = 'changed'"
        )
        try copy(url.deletingLastPathComponent(), to: folder)
        try connection.execute("ROLLBACK")
    }

    private static func fill(_ context: ManagedObjectContext, _ numbers: Range<Int>) throws {
        let tags = numbers.prefix(5).map { number in
            let tag = Tag(context: context)
            tag[Tag.name] = "tag \(number)"
            return tag
        }
        var holders: [Holder] = []
        for number in numbers {
            let holder = Holder(context: context)
            holder[Holder.name] = "holder \(number) \(String(repeating: "x", count: number * 90))"
            holder[Holder.number] = Int64(number)
            holder.assets = assets(number, tags, context)
            holder.favourite = holder.assets.lazy.compactMap { $0 as? Atlas }.first
            holder.friends = Set(holders.suffix(3))
            holder.deputy = holders.last
            holder.boss = holders.first
            holder.pin = tags.first
            holders.append(holder)
        }
    }

    private static func assets(_ number: Int, _ tags: [Tag], _ context: ManagedObjectContext) -> [Asset] {
        (0..<4).map { index in
            let asset: Asset =
                switch index {
                case 0: Chart(context: context)
                case 1: Atlas(context: context)
                default: Book(context: context)
                }
            asset[Asset.name] = "asset \(number).\(index)"
            asset[Asset.code] = "\(number).\(index)"
            asset.tags = Set(tags.prefix(index + 1))
            guard let book = asset as? Book else { return asset }
            book.change(number * 4 + index)
            guard index < 3 else { return book }
            let cover = Cover(context: context)
            cover[Cover.colour] = "red"
            book.cover = cover
            return book
        }
    }
}

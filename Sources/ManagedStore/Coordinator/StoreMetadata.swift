import Foundation

/// The property list in `Z_METADATA`: the application's entries, next to those of the library that made the store.
enum StoreMetadata {
    private static let ownPrefixes = ["NS", "_NS"]

    /// Returns the application's entries.
    static func decode(_ plist: Data) -> [String: StoredValue] {
        dictionary(plist).filter { isApplications($0.key) }.compactMapValues(value)
    }

    /// Returns `plist` with the application's entries replaced by `entries`; all other entries stay. Without a `plist`,
    /// they are those of a new store of `type`.
    static func encode(
        _ entries: [String: StoredValue], over plist: Data?, type: PersistentStoreCoordinator.StoreType = .sqlite
    ) throws(StoreError) -> Data {
        var all = plist.map(dictionary) ?? ["NSStoreType": type.rawValue]
        all = all.filter { !isApplications($0.key) || value($0.value) == nil }
        for (key, entry) in entries {
            guard isApplications(key) else {
                throw StoreError(
                    .invalidRequest, "metadata keys that begin with NS belong to the store; rename \"\(key)\"")
            }
            guard entry.isPropertyList else {
                throw StoreError(
                    .invalidRequest,
                    "metadata holds strings, bools, dates, 64-bit integers, doubles and data; convert \"\(key)\" to "
                        + "one of these"
                )
            }
            all[key] = entry.any
        }
        return try data(all)
    }

    private static let requiredKey = "NSManagedStoreRequired"

    /// Returns the note of the required attributes with a default value, see ``RequiredDefaults``; nil if there is
    /// none.
    static func required(_ plist: Data) -> Set<String>? {
        (dictionary(plist)[requiredKey] as? [String]).map { Set($0) }
    }

    /// Returns `plist` with that note.
    static func noting(required names: Set<String>, in plist: Data) throws(StoreError) -> Data {
        var all = dictionary(plist)
        all[requiredKey] = names.sorted()
        return try data(all)
    }

    private static func data(_ entries: [String: Any]) throws(StoreError) -> Data {
        do {
            return try PropertyListSerialization.data(fromPropertyList: entries, format: .binary, options: 0)
        } catch {
            throw StoreError(.storeFailure, "the store's metadata cannot be written: \(error)")
        }
    }

    /// Whether the data holds entries or is empty.
    static func isReadable(_ plist: Data) -> Bool {
        plist.isEmpty
            || (try? PropertyListSerialization.propertyList(from: plist, format: nil)) is [String: Any]
    }

    /// Whether Apple's Core Data wrote the entries: no other library can compute its hashes of a model.
    static func isCoreDatas(_ plist: Data) -> Bool {
        dictionary(plist)["NSStoreModelVersionHashes"] != nil
    }

    /// Returns the names of the entities with hashes; none if Apple's Core Data did not write the entries.
    static func hashedEntities(_ plist: Data) -> Set<String> {
        Set((dictionary(plist)["NSStoreModelVersionHashes"] as? [String: Any] ?? [:]).keys)
    }

    private static func dictionary(_ plist: Data) -> [String: Any] {
        (try? PropertyListSerialization.propertyList(from: plist, format: nil)) as? [String: Any] ?? [:]
    }

    private static func isApplications(_ key: String) -> Bool {
        !ownPrefixes.contains { key.hasPrefix($0) }
    }

    /// Converts a value of a property list.
    ///
    /// Bools, integers and doubles arrive as `NSNumber`, which casts 1 to `true` as well as to `1.0`. The form in which
    /// the number was written distinguishes them.
    private static func value(_ any: Any) -> StoredValue? {
        switch any {
        case let value as String: .string(value)
        case let value as Date: .date(value.timeIntervalSinceReferenceDate)
        case let value as Data: .binaryData(value)
        case let value as NSNumber: number(value)
        default: nil
        }
    }

    private static func number(_ value: NSNumber) -> StoredValue {
        switch String(cString: value.objCType) {
        case "c", "B": .boolean(value.boolValue)
        case "d", "f": .double(value.doubleValue)
        default: .integer64(value.int64Value)
        }
    }
}

extension StoredValue {
    /// Whether a property list preserves the value exactly.
    fileprivate var isPropertyList: Bool {
        switch type {
        case nil, .string, .boolean, .date, .integer64, .double, .binaryData: true
        default: false
        }
    }
}

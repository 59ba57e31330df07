import Foundation

/// A message to the other processes that have a store open: who saved, and the keys of the changed rows by the numbers
/// of their entities, as in `2F3C... i1:5-9,12 u3:4`. The letters stand for inserted, updated and deleted rows.
struct RemoteChangePayload: Equatable {
    enum Kind: Character {
        case inserted = "i"
        case updated = "u"
        case deleted = "d"
    }

    struct Group: Equatable {
        let kind: Kind
        let entityNumber: Int
        let keys: [Int64]
    }

    /// The store object that saved.
    let sender: UUID
    /// The changed rows; nil if they are too many for a message, or not known.
    let groups: [Group]?

    /// The server takes less than 8,000 bytes.
    private static let longest = 7_900

    init(sender: UUID, groups: [Group]?) {
        (self.sender, self.groups) = (sender, groups)
    }

    /// Returns the changes of a save.
    init(sender: UUID, _ changes: ChangeSet, _ keys: PermanentKeys, _ tables: [EntityTable]) {
        var groups: [Group] = []
        for (entity, changes) in changes.entities.enumerated() {
            let number = tables[entity].entityNumber
            // The keys that the save assigned follow one another.
            let (reserved, first) = (changes.inserts.map(\.row.key).filter { $0 >= 0 }, keys.firstKeys[entity])
            let assigned = first..<first + Int64(changes.inserts.count - reserved.count)
            groups.append(Group(kind: .inserted, entityNumber: number, keys: reserved + assigned))
            groups.append(Group(kind: .updated, entityNumber: number, keys: changes.updates.map(\.row.key)))
            groups.append(Group(kind: .deleted, entityNumber: number, keys: changes.deletes.map(\.row.key)))
        }
        self.init(sender: sender, groups: groups.filter { !$0.keys.isEmpty })
    }

    /// The text of the message. Without the keys if they are too many.
    var text: String {
        let parts = groups.map { groups in
            groups.map { group in
                let runs = KeyRuns(group.keys).map { run in
                    run.lowerBound == run.upperBound ? "\(run.lowerBound)" : "\(run.lowerBound)-\(run.upperBound)"
                }
                return " \(group.kind.rawValue)\(group.entityNumber):\(runs.joined(separator: ","))"
            }
        }
        let text = sender.uuidString + (parts?.joined() ?? " *")
        return text.utf8.count > Self.longest ? "\(sender.uuidString) *" : text
    }

    /// Reads a message. Nil for one of another form, which a later version may send.
    init?(_ text: some StringProtocol) {
        let parts = text.split(separator: " ")
        guard let sender = parts.first.flatMap({ UUID(uuidString: String($0)) }) else { return nil }
        let groups = parts.dropFirst().map { Self.group(String($0)) }
        self.init(sender: sender, groups: groups.contains(nil) ? nil : groups.compactMap(\.self))
    }

    /// More keys than these are not worth naming. A message of a stranger could name any number.
    private static let mostKeys = 1_000_000

    private static func group(_ text: String) -> Group? {
        let parts = text.dropFirst().split(separator: ":")
        guard let kind = text.first.flatMap(Kind.init), parts.count == 2, let number = Int(parts[0]) else { return nil }
        var keys: [Int64] = []
        for run in parts[1].split(separator: ",") {
            let ends = run.split(separator: "-").compactMap { Int64($0) }
            guard let first = ends.first, let last = ends.last, first > 0, last >= first, last - first < mostKeys else {
                return nil
            }
            keys += first...last
            if keys.count > mostKeys { return nil }
        }
        return Group(kind: kind, entityNumber: number, keys: keys)
    }

    /// Returns the changes as contexts merge them; nil if they are not known. Entities that the model lacks are left
    /// out.
    func changes(_ tables: [EntityTable]) -> ObjectIDChanges? {
        guard let groups else { return nil }
        var changes = ObjectIDChanges()
        for group in groups {
            guard let source = tables.first(where: { $0.entityNumber == group.entityNumber })?.source else { continue }
            switch group.kind {
            case .inserted: changes.inserted.insert(group.keys, of: source)
            case .updated: changes.updated.insert(group.keys, of: source)
            case .deleted: changes.deleted.insert(group.keys, of: source)
            }
        }
        return changes
    }
}

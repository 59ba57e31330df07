import Foundation

/// One step of a scenario: what it does, and the state of the store that it starts from.
public struct Phase: Sendable, Equatable, Codable {
    /// Unique within the scenario; the key by which results are joined.
    public var name: String
    /// The state of the store when the clock starts.
    public var from: Origin
    /// What is done.
    public var work: Work
    /// By how many percent a metric of this phase may get worse in a comparison; nil and what it leaves out is left to
    /// ``Scenario/thresholdsPercent``.
    public var thresholdsPercent: [String: Double]?

    /// Creates a phase.
    public init(name: String, from: Origin, work: Work, thresholdsPercent: [String: Double]? = nil) {
        self.name = name
        self.from = from
        self.work = work
        self.thresholdsPercent = thresholdsPercent
    }

    /// The state of the store that a phase starts from.
    public enum Origin: String, Sendable, Codable, CaseIterable {
        /// A store without records.
        case empty
        /// A fresh copy of the store with the scenario's records in it.
        case seeded
        /// Whatever the phase before left.
        case previous
    }

    /// What a phase does.
    public enum Work: Sendable, Equatable, Codable {
        /// Creates records.
        case seed(SeedWork)
        /// Fetches records.
        case fetch(FetchWork)
        /// Changes records.
        case update(UpdateWork)
        /// Saves from several contexts at once and merges in another.
        case merge(MergeWork)
        /// Operations of several workers at once, at a chosen rate or as fast as they go.
        case load(LoadWork)
        /// Writes the log back into the database.
        case checkpoint
    }

    /// The kind as the scenario file and the CSV spell it.
    public var kind: String {
        switch work {
        case .seed: "seed"
        case .fetch: "fetch"
        case .update: "update"
        case .merge: "merge"
        case .load(let work): work.saves == nil ? "mixed" : "merge"
        case .checkpoint: "checkpoint"
        }
    }

    /// The mode as the scenario file and the CSV spell it, empty for kinds without modes.
    public var mode: String {
        switch work {
        case .seed, .checkpoint: ""
        case .fetch(let work): work.mode.rawValue
        case .update(let work): work.mode.rawValue
        case .merge(let work): work.mode.rawValue
        case .load(let work): work.saves?.mode.rawValue ?? ""
        }
    }
}

/// Creates the scenario's records and saves them.
public struct SeedWork: Sendable, Equatable, Codable {
    /// Records per save; 0 saves once, at the end.
    public var saveEvery: Int

    /// Creates the work.
    public init(saveEvery: Int = 0) {
        self.saveEvery = saveEvery
    }
}

/// Fetches records as objects.
public struct FetchWork: Sendable, Equatable, Codable {
    /// How the fetch is executed.
    public enum Mode: String, Sendable, Codable, CaseIterable {
        /// On the context's queue, which waits for it.
        case sync
        /// On another thread, delivered on the context's queue.
        case async
    }

    /// What is done with each record inside the clock.
    public enum Touch: String, Sendable, Codable, CaseIterable {
        /// Nothing: the store hands back what it hands back, faults perhaps.
        case none
        /// Every attribute of every record is read.
        case all
    }

    /// How it is executed.
    public var mode: Mode
    /// The order of the result; empty leaves it to the store.
    public var sort: [SortSpec]
    /// Which records to fetch; nil means all.
    public var filter: FilterSpec?
    /// 0 means all.
    public var limit: Int
    /// What is done with each record inside the clock.
    public var touch: Touch
    /// The attributes that are fetched, and touched; nil means all. What a fetch hands back has these alone, in the
    /// order of the entity: ``EntitySpec/keeping(_:)`` says which.
    public var attributes: [String]?
    /// Reads what is related to the records, too; nil reads the records alone.
    ///
    /// From the records to their owners, a record that is handed back is followed by its owner's attributes. From the
    /// owners to their records, what is handed back is the owners: their attributes, their number, and of all records
    /// of one the digest that ``RecordDigester/addOwner(_:with:attributes:)`` makes.
    public var follow: FollowSpec?
    /// Cancels an asynchronous fetch once it has reported this many records; nil lets it finish.
    public var cancelAfterRecords: Int?

    /// Creates the work.
    public init(
        mode: Mode, sort: [SortSpec] = [], filter: FilterSpec? = nil, limit: Int = 0, touch: Touch = .all,
        attributes: [String]? = nil, follow: FollowSpec? = nil, cancelAfterRecords: Int? = nil
    ) {
        self.mode = mode
        self.sort = sort
        self.filter = filter
        self.limit = limit
        self.touch = touch
        self.attributes = attributes
        self.follow = follow
        self.cancelAfterRecords = cancelAfterRecords
    }
}

/// Changes records.
public struct UpdateWork: Sendable, Equatable, Codable {
    /// The idiom by which records are changed.
    public enum Mode: String, Sendable, Codable, CaseIterable {
        /// Every record is loaded before the clock starts; each is changed, then all are saved at once.
        case perObject
        /// One chunk after another is fetched, changed, saved and let go, all within the clock.
        case chunked
        /// One statement in the store, without loading anything.
        case batch
    }

    /// The idiom by which records are changed.
    public var mode: Mode
    /// The new values, by attribute name.
    public var set: [AttributeChange]
    /// Which records to change; nil means all.
    public var filter: FilterSpec?
    /// Records per chunk; used by `chunked` alone.
    public var chunkSize: Int

    /// Creates the work.
    public init(mode: Mode, set: [AttributeChange], filter: FilterSpec? = nil, chunkSize: Int = 10_000) {
        self.mode = mode
        self.set = set
        self.filter = filter
        self.chunkSize = chunkSize
    }
}

/// A new value for one attribute.
public struct AttributeChange: Sendable, Equatable, Codable {
    /// How the new value comes about.
    public enum Operation: Sendable, Equatable, Codable {
        /// A constant.
        case assign(FieldValue)
        /// The opposite of a bool.
        case toggle
        /// The old number (or date, in seconds) plus this one.
        case add(Double)
    }

    /// The attribute's name.
    public var attribute: String
    /// How its new value comes about.
    public var operation: Operation

    /// Creates a change.
    public init(attribute: String, operation: Operation) {
        self.attribute = attribute
        self.operation = operation
    }
}

/// Background writers save through contexts of their own while a main-queue context merges what they saved.
public struct MergeWork: Sendable, Equatable, Codable {
    /// How the main context learns of a save.
    public enum Mode: String, Sendable, Codable, CaseIterable {
        /// By merging each did-save notification.
        case notifications
        /// By merging each did-save notification, with a fetched results controller that tells its delegate.
        case controller
        /// Not at all: there is none.
        case unobserved
    }

    /// How the main context learns of a save.
    public var mode: Mode
    /// Writers working at once, each with its own context and its own records.
    public var writers: Int
    /// Saves by each writer.
    public var savesPerWriter: Int
    /// Records inserted in each save.
    public var insertsPerSave: Int
    /// Records changed in each save.
    public var changesPerSave: Int
    /// Records deleted in each save.
    public var deletesPerSave: Int
    /// What a change does to a record.
    public var set: [AttributeChange]

    /// Creates the work.
    public init(
        mode: Mode = .notifications, writers: Int, savesPerWriter: Int, insertsPerSave: Int, changesPerSave: Int,
        deletesPerSave: Int, set: [AttributeChange]
    ) {
        self.mode = mode
        self.writers = writers
        self.savesPerWriter = savesPerWriter
        self.insertsPerSave = insertsPerSave
        self.changesPerSave = changesPerSave
        self.deletesPerSave = deletesPerSave
        self.set = set
    }
}

/// One key of an ordering.
public struct SortSpec: Sendable, Equatable, Codable {
    /// The attribute's name.
    public var key: String
    /// Whether the least value comes first.
    public var ascending: Bool

    /// Creates a sort key.
    public init(key: String, ascending: Bool = true) {
        self.key = key
        self.ascending = ascending
    }
}

/// A condition on records. Strings compare by their UTF-8 bytes.
public indirect enum FilterSpec: Sendable, Equatable, Codable {
    /// How a value is compared.
    public enum Comparison: String, Sendable, Codable, CaseIterable {
        /// The same; null equals null.
        case equal = "=="
        /// Not the same.
        case notEqual = "!="
        /// Before; false with null, as all that follow.
        case less = "<"
        /// Before or the same.
        case lessOrEqual = "<="
        /// After.
        case greater = ">"
        /// After or the same.
        case greaterOrEqual = ">="
        /// A string with the other somewhere in it.
        case contains
        /// A string with the other at its start.
        case beginsWith
        /// A string with the other at its end.
        case endsWith
    }

    /// The value of the attribute called `key` stands to a constant in a certain way.
    case compare(key: String, Comparison, FieldValue)
    /// All hold.
    case and([FilterSpec])
    /// At least one holds.
    case or([FilterSpec])
    /// The other does not hold.
    case not(FilterSpec)
}

extension Phase {
    /// The first attribute that the phase's update or merge sets to nothing, which not every driver has a place for;
    /// nil if there is none.
    public var attributeSetToMissing: String? {
        let changes: [AttributeChange]
        switch work {
        case .update(let work): changes = work.set
        case .merge(let work): changes = work.set
        case .seed, .fetch, .checkpoint, .load: return nil
        }
        return changes.first { $0.operation == .assign(.null) }?.attribute
    }
}

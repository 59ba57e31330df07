import CFaultVFS
import Testing

@testable import ManagedStore

/// What can go wrong under a store, as the table in the article Faults names it.
enum StorageFault: String, CaseIterable, CustomTestStringConvertible {
    case ioErrorOnce = "I/O error, once"
    case ioErrorLasting = "I/O error, lasting"
    case diskFullOnce = "disk full, once"
    case diskFullLasting = "disk full, lasting"
    case quotaFullOnce = "quota full, once"
    case quotaFullLasting = "quota full, lasting"
    case shortRead = "short read, once"
    case syncOnce = "failing fsync, once"
    case syncLasting = "failing fsync, lasting"
    case powerCutWhenFull = "power cut, `synchronous` full"
    case powerCutWhenNormal = "power cut, `synchronous` normal"

    static let powerCuts: [StorageFault] = [.powerCutWhenFull, .powerCutWhenNormal]
    static let errors = allCases.filter { !powerCuts.contains($0) }

    var testDescription: String { rawValue }

    var kind: fault_kind {
        switch self {
        case .ioErrorOnce, .ioErrorLasting, .syncOnce, .syncLasting: FAULT_IO_ERROR
        case .diskFullOnce, .diskFullLasting: FAULT_DISK_FULL
        case .quotaFullOnce, .quotaFullLasting: FAULT_QUOTA_FULL
        case .shortRead: FAULT_SHORT_READ
        case .powerCutWhenFull, .powerCutWhenNormal: FAULT_POWER_CUT
        }
    }

    /// The operations that are counted, and that fail.
    var operations: Int {
        switch self {
        case .ioErrorOnce, .ioErrorLasting: Self.all
        case .diskFullOnce, .diskFullLasting, .quotaFullOnce, .quotaFullLasting: FAULT_WRITE
        case .shortRead: FAULT_READ
        case .syncOnce, .syncLasting: FAULT_SYNC
        // Between two changes to the disk it does not matter when the power goes.
        case .powerCutWhenFull, .powerCutWhenNormal: FAULT_WRITE | FAULT_TRUNCATE | FAULT_SYNC | FAULT_DELETE
        }
    }

    private static let all =
        FAULT_OPEN | FAULT_READ | FAULT_WRITE | FAULT_TRUNCATE | FAULT_SYNC | FAULT_LOCK | FAULT_SHARED_MEMORY
        | FAULT_DELETE | FAULT_ACCESS | FAULT_SIZE

    var lasts: Bool {
        switch self {
        case .ioErrorLasting, .diskFullLasting, .quotaFullLasting, .syncLasting: true
        default: false
        }
    }

    /// What an error may say.
    var codes: Set<StoreError.Code> {
        switch self {
        case .diskFullOnce, .diskFullLasting, .quotaFullOnce, .quotaFullLasting: [.diskFull]
        // A file that seems to end is one that is cut short.
        case .shortRead: [.storeFailure, .incompatibleStore]
        default: [.storeFailure]
        }
    }
}

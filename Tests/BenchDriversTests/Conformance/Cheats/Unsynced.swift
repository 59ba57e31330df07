import BenchHarness
import ForwardingDriver

/// Works without syncs, and reports another setting: as one does that switches them on again after its work.
final class Unsynced: ForwardingSession {
    override func settings() throws -> [StoreSettings] {
        try super.settings().map { settings in
            var settings = settings
            settings.synchronous = .normal
            return settings
        }
    }
}

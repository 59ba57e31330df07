import CSystem

extension Unmanaged {
    /// Returns the object unless its deinitialization has begun. The caller must hold a lock that the deinitialization
    /// takes before the memory is freed.
    func retainedIfAlive() -> Instance? {
        swift_tryRetain(toOpaque()) == nil ? nil : takeRetainedValue()
    }
}

import CSystem

extension Unmanaged {
    /// The object, unless its death has begun. For those who hear of a death before the memory is gone, and hold a lock
    /// meanwhile.
    func retainedIfAlive() -> Instance? {
        swift_tryRetain(toOpaque()) == nil ? nil : takeRetainedValue()
    }
}

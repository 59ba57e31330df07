extension Array {
    /// Creates an array of at most `capacity` elements, which `fill` initialises and counts.
    ///
    /// An empty array's count lies in memory that all empty arrays of the process share, so nothing writes it.
    @inline(__always) init(
        filling capacity: Int, _ fill: (inout UnsafeMutableBufferPointer<Element>, inout Int) -> Void
    ) {
        if capacity == 0 {
            self = []
        } else {
            self.init(unsafeUninitializedCapacity: capacity, initializingWith: fill)
        }
    }
}

import Foundation
import Locking
import TestSupport

/// Runs `body` on a thread with as little stack as a dispatch queue's worker has.
func onSmallStack(_ body: @escaping @Sendable () throws -> Void) throws {
    let outcome = Locked<Result<Void, any Error>?>(nil)
    let done = DispatchSemaphore(value: 0)
    let thread = Thread {
        let result = Result { try body() }
        outcome.withLock { $0 = result }
        done.signal()
    }
    // The code of a sanitizer has larger frames.
    thread.stackSize = (Sanitizer.isOn ? 2048 : 512) << 10
    thread.start()
    done.wait()
    try outcome.value?.get()
}

#if os(Linux)
    import CSystem
    import Foundation

    /// Counts an event in all threads of the process, by the kernel's counters (perf_event_open(2)).
    final class EventCount: InstructionCounter {
        /// An event of the kernel's list, by the numbers of `linux/perf_event.h`.
        struct Event: Sendable {
            let type: UInt32
            let number: UInt64

            /// Instructions outside the kernel, by a counter of the processor: virtual machines often have none.
            static let instructions = Event(type: 0, number: 1)
        }

        /// One for each thread. It also counts in the threads that its own one starts.
        private let files: [Int32]

        /// Opens the counters; nil if the system has none or does not allow them.
        init?(_ event: Event) {
            let threads = (try? FileManager.default.contentsOfDirectory(atPath: "/proc/self/task")) ?? []
            var files: [Int32] = []
            var isComplete = true
            for thread in threads.compactMap(Int32.init) where isComplete {
                let file = csystem_open_counter(event.type, event.number, thread)
                if file >= 0 { files.append(file) }
                // A thread that has ended meanwhile has nothing to count.
                if file < 0, errno != ESRCH { isComplete = false }
            }
            self.files = files
            if !isComplete || files.isEmpty { return nil }
        }

        deinit {
            for file in files { close(file) }
        }

        func start() {
            for file in files { _ = csystem_run_counter(file, 1) }
        }

        func stop() -> Int? {
            for file in files { _ = csystem_run_counter(file, 0) }
            var sum: UInt64 = 0
            for file in files {
                var count: UInt64 = 0
                guard csystem_read_counter(file, &count) == 0 else { return nil }
                sum += count
            }
            return Int(sum)
        }
    }
#endif

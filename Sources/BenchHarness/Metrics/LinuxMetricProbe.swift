#if os(Linux)
    import CSystem
    import Foundation

    /// Linux's counters: `getrusage`, `/proc/self/{status,io}`, `mallinfo2`, `/proc/{stat,loadavg,pressure/cpu}`.
    public struct LinuxMetricProbe: MetricProbe {
        /// Creates a probe.
        public init() {}

        /// Trims the heap, then makes the kernel reset the peak: writing 5 to `clear_refs` sets `VmHWM` to `VmRSS`
        /// (proc(5)).
        public func prepare() -> Bool {
            malloc_trim(0)
            let file = open("/proc/self/clear_refs", O_WRONLY | O_CLOEXEC)
            guard file >= 0 else { return false }
            defer { close(file) }
            return write(file, "5", 1) == 1
        }

        /// Reads the counters.
        public func sample() -> MetricSample {
            var sample = MetricSample()
            addUsage(to: &sample)
            addMemory(to: &sample)
            addStorage(to: &sample)
            addMachine(to: &sample)
            return sample
        }

        private func addUsage(to sample: inout MetricSample) {
            sample.cpuNanoseconds = ProcessorClock().now()
            var usage = rusage()
            guard getrusage(__rusage_who_t(RUSAGE_SELF.rawValue), &usage) == 0 else { return }
            sample.cpuUserNanoseconds = nanoseconds(usage.ru_utime)
            sample.cpuSystemNanoseconds = nanoseconds(usage.ru_stime)
            sample.voluntarySwitches = usage.ru_nvcsw
            sample.involuntarySwitches = usage.ru_nivcsw
            sample.minorFaults = usage.ru_minflt
            sample.majorFaults = usage.ru_majflt
        }

        private func addMemory(to sample: inout MetricSample) {
            let heap = mallinfo2()
            let used = Int(heap.uordblks) + Int(heap.hblkhd)
            // Every process has a heap: 0 means that a sanitizer has replaced the allocator, of which glibc knows
            // nothing.
            sample.heapBytes = used > 0 ? used : nil
            guard let status = ProcText.read("/proc/self/status") else { return }
            sample.residentBytes = status.kibibytes("VmRSS")
            sample.residentPeakBytes = status.kibibytes("VmHWM")
            sample.residentAnonymousBytes = status.kibibytes("RssAnon")
            sample.residentFileBytes = status.kibibytes("RssFile")
        }

        private func addStorage(to sample: inout MetricSample) {
            guard let storage = ProcText.read("/proc/self/io") else { return }
            sample.readBytes = storage.number("read_bytes")
            sample.writeBytes = storage.number("write_bytes")
        }

        private func addMachine(to sample: inout MetricSample) {
            sample.machineBusyNanoseconds = ProcText.read("/proc/stat")?.busyNanoseconds
            sample.loadAverage = ProcText.read("/proc/loadavg")?.loadAverage
            sample.cpuPressureNanoseconds = ProcText.read("/proc/pressure/cpu")?.pressureNanoseconds
        }

        private func nanoseconds(_ time: timeval) -> Int {
            Int(time.tv_sec) * 1_000_000_000 + Int(time.tv_usec) * 1_000
        }
    }
#endif

#if os(Linux)
    import Foundation
    import Testing

    @testable import BenchHarness

    @Suite struct LinuxMetricProbeTests {
        @Test func countersOfThisProcessAreKnown() {
            let sample = LinuxMetricProbe().sample()
            #expect(sample.cpuUserNanoseconds != nil)
            #expect((sample.residentBytes ?? 0) > 0)
            #expect(sample.heapBytes != 0)
        }

        @Test func peakForgetsWhatCameBefore() throws {
            let probe = LinuxMetricProbe()
            let size = 64 << 20
            touch(size)
            try #require(probe.prepare())
            let before = try #require(probe.sample().residentBytes)
            touch(size)
            let peak = try #require(probe.sample().residentPeakBytes)
            #expect(peak >= before + size * 3 / 4)
        }

        private func touch(_ size: Int) {
            let memory = UnsafeMutableRawPointer.allocate(byteCount: size, alignment: 16)
            memset(memory, 1, size)
            memory.deallocate()
        }
    }
#endif

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

        #if compiler(>=6.2)
            /// In a process of its own: other tests release hundreds of MiB at any moment.
            @Test func peakForgetsWhatCameBefore() async {
                await #expect(processExitsWith: .success) {
                    let probe = LinuxMetricProbe()
                    touch(mebibytes: 128)
                    try #require(probe.prepare())
                    let before = try #require(probe.sample().residentBytes)
                    touch(mebibytes: 64)
                    let peak = try #require(probe.sample().residentPeakBytes)
                    #expect((48..<96).contains((peak - before) >> 20))
                }
            }
        #endif
    }

    private func touch(mebibytes: Int) {
        let memory = UnsafeMutableRawPointer.allocate(byteCount: mebibytes << 20, alignment: 16)
        memset(memory, 1, mebibytes << 20)
        memory.deallocate()
    }
#endif

import Testing

@testable import BenchHarness

@Suite struct ProcTextTests {
    @Test func kibibytesBecomeBytes() {
        let status = ProcText(text: "VmHWM:\t  2048 kB\nVmRSS:\t     4 kB\n")
        #expect(status.kibibytes("VmRSS") == 4_096)
        #expect(status.kibibytes("VmHWM") == 2_097_152)
    }

    @Test func absentFieldIsMissingNotZero() {
        #expect(ProcText(text: "VmRSSX: 3 kB\n").kibibytes("VmRSS") == nil)
        #expect(ProcText.read("/proc/no-such-file") == nil)
    }

    @Test func pressureTotalIsInNanoseconds() {
        let text = "some avg10=0.00 avg60=0.10 avg300=0.05 total=12\nfull avg10=0.00 avg60=0.00 avg300=0.00 total=3\n"
        #expect(ProcText(text: text).pressureNanoseconds == 12_000)
        #expect(ProcText(text: "full total=3").pressureNanoseconds == nil)
    }

    @Test func idleAndWaitingTimeAreNotBusy() {
        #expect(ProcText(text: "cpu  1 2 3 400 500 6 7 8 9 10\ncpu0 1\n").busyTicks == 27)
        #expect(ProcText(text: "intr 5").busyTicks == nil)
    }

    @Test func throttledTimeIsReadFromBothVersionsOfCgroups() {
        #expect(ProcText(text: "usage_usec 5\nnr_throttled 2\nthrottled_usec 7\n").throttledNanoseconds == 7_000)
        #expect(ProcText(text: "nr_periods 1\nnr_throttled 2\nthrottled_time 7\n").throttledNanoseconds == 7)
        #expect(ProcText(text: "usage_usec 5\nuser_usec 3\n").throttledNanoseconds == nil)
    }

    @Test func quotasOfOuterCgroupsCountInBothVersions() {
        #expect(
            ProcText(text: "0::/user.slice/b\n").processorStatFiles
                == [
                    "/sys/fs/cgroup/user.slice/b/cpu.stat", "/sys/fs/cgroup/user.slice/cpu.stat",
                    "/sys/fs/cgroup/cpu.stat",
                ])
        #expect(
            ProcText(text: "3:memory:/m\n2:cpu,cpuacct:/a:b\n1:cpuset:/c\n").processorStatFiles
                == ["/sys/fs/cgroup/cpu/a:b/cpu.stat", "/sys/fs/cgroup/cpu/cpu.stat"])
        #expect(ProcText(text: "0::/\n").processorStatFiles == ["/sys/fs/cgroup/cpu.stat"])
        #expect(ProcText(text: "no cgroups").processorStatFiles == [])
    }

    @Test func firstLoadAverageIsTheOneOverAMinute() {
        #expect(ProcText(text: "0.52 0.61 0.64 1/345 6789\n").loadAverage == 0.52)
    }
}

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
            ProcText(text: "0::/user.slice/b\n").processorFolders
                == [
                    "/sys/fs/cgroup/user.slice/b", "/sys/fs/cgroup/user.slice", "/sys/fs/cgroup",
                ])
        #expect(
            ProcText(text: "3:memory:/m\n2:cpu,cpuacct:/a:b\n1:cpuset:/c\n").processorFolders
                == ["/sys/fs/cgroup/cpu/a:b", "/sys/fs/cgroup/cpu"])
        #expect(ProcText(text: "0::/\n").processorFolders == ["/sys/fs/cgroup"])
        #expect(ProcText(text: "no cgroups").processorFolders == [])
    }

    @Test func theSmallestQuotaIsReadFromBothVersionsOfCgroups() {
        let cores = { (files: [String: String]) in CPUQuota.cores { path in files[path].map { ProcText(text: $0) } } }
        let root = "/sys/fs/cgroup"
        let second = ["/proc/self/cgroup": "0::/a/b\n", "\(root)/a/b/cpu.max": "max 100000\n"]
        #expect(cores(second) == nil)
        #expect(cores(second.merging(["\(root)/a/cpu.max": "150000 100000\n"]) { $1 }) == 1.5)
        #expect(
            cores(
                second.merging(["\(root)/a/cpu.max": "150000 100000\n", "\(root)/cpu.max": "25000 50000\n"]) { $1 })
                == 0.5)
        let first = ["/proc/self/cgroup": "2:cpu,cpuacct:/a\n", "\(root)/cpu/a/cpu.cfs_period_us": "100000\n"]
        #expect(cores(first.merging(["\(root)/cpu/a/cpu.cfs_quota_us": "-1\n"]) { $1 }) == nil)
        #expect(cores(first.merging(["\(root)/cpu/a/cpu.cfs_quota_us": "200000\n"]) { $1 }) == 2)
        #expect(cores([:]) == nil)
    }

    @Test func firstLoadAverageIsTheOneOverAMinute() {
        #expect(ProcText(text: "0.52 0.61 0.64 1/345 6789\n").loadAverage == 0.52)
    }
}

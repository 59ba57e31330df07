/// The columns, by topic.
extension ResultColumn {
    private init<Number: FigureNumber>(
        _ name: String, _ unit: FigureColumn.Unit, _ path: WritableKeyPath<ResultRow, Number?> & Sendable,
        _ rule: ShardRule<Number?>, _ traits: FigureColumn.Traits, _ help: String
    ) {
        let figure = FigureColumn(name, unit, path, traits, help)
        self.init(figure.column, path, rule, help, figure: figure)
    }

    static let identity = [
        ResultColumn("run", \.identity.run, .ofLoad, "The run's identifier, the same in all of its rows."),
        ResultColumn("scenario", \.identity.scenario, .ofLoad, "The scenario's name."),
        ResultColumn("driver", \.identity.driver, .ofLoad, "The driver's name."),
        ResultColumn("phase", \.identity.phase, .ofLoad, "The phase's name; with several sizes, `NAME@RECORDS`."),
        ResultColumn("kind", \.identity.kind, .ofLoad, "The phase's kind, such as `fetch`."),
        ResultColumn(
            "mode", \.identity.mode, .ofLoad, "The phase's mode, such as `async`; empty for kinds without modes."),
        ResultColumn("repetition", \.identity.repetition, .ofLoad, "The repetition's number, from 1."),
        ResultColumn("status", \.outcome.status, .worst, "`ok`, `failed`, `unsupported` or `interrupted`."),
        ResultColumn(
            "verified", \.outcome.verified, .all, "Whether the harness has checked the outcome and found it correct."),
        ResultColumn(
            "error", \.outcome.error, .inWords, "Why the phase failed, or why the driver does not support it."),
    ]

    static let work = [
        ResultColumn("records", .count, \.work.records, .missing, .plain(.events), "Records that the phase worked on."),
        ResultColumn(
            "operations", .count, \.work.operations, .sum, .plain(.events),
            "Operations, such as saves, that the phase consisted of."),
        ResultColumn(
            "duration", .nanoseconds, \.work.durationNanoseconds, .most, .judged(.time, threshold: 0.03),
            "How long the phase took."),
        ResultColumn(
            "throughput", .perSecond, \.work.throughput, .ofLoad,
            FigureColumn.Traits(kind: .time, isHigherBetter: true, comparison: .init(threshold: 0.03)),
            "Records per second; for a load, operations per second."),
        ResultColumn(
            "latency_min", .nanoseconds, \.work.latencyMin, .ofLoad, .plain(.response, label: "min"),
            "The quickest operation."),
        ResultColumn(
            "latency_p50", .nanoseconds, \.work.latencyP50, .ofLoad, .compared(.response, label: "p50"),
            "Half of the operations took at most this long."),
        ResultColumn(
            "latency_p90", .nanoseconds, \.work.latencyP90, .ofLoad, .compared(.response, label: "p90"),
            "90 % of operations took at most this long."),
        ResultColumn(
            "latency_p99", .nanoseconds, \.work.latencyP99, .ofLoad, .compared(.response, label: "p99"),
            "99 % of operations took at most this long."),
        ResultColumn(
            "latency_p999", .nanoseconds, \.work.latencyP999, .ofLoad, .compared(.response, label: "p99.9"),
            "99.9 % of operations took at most this long."),
        ResultColumn(
            "latency_max", .nanoseconds, \.work.latencyMax, .ofLoad, .compared(.response, label: "max"),
            "The slowest operation."),
    ]

    static let asynchrony = [
        ResultColumn(
            "first_progress", .nanoseconds, \.asynchrony.firstProgress, .missing, .compared(.response),
            "From the start to the first progress."),
        ResultColumn(
            "queue_stall", .nanoseconds, \.asynchrony.queueStall, .missing, .compared(.response, label: "stall"),
            "The longest time for which the context's queue was blocked."),
        ResultColumn(
            "queue_stall_control", .nanoseconds, \.asynchrony.queueStallControl, .missing,
            .plain(.machine, label: "idle stall"),
            "The longest time for which an idle queue was blocked meanwhile."),
        ResultColumn(
            "cancel", .nanoseconds, \.asynchrony.cancel, .missing, .compared(.response),
            "From the cancellation to the completion block."),
    ]

    static let process = [
        ResultColumn(
            "cpu_user", .nanoseconds, \.usage.cpuUser, .sum, .compared(.time),
            "CPU time of the process outside the kernel."),
        ResultColumn(
            "cpu_system", .nanoseconds, \.usage.cpuSystem, .sum, .compared(.time),
            "CPU time of the process in the kernel."),
        ResultColumn(
            "switches_voluntary", .count, \.usage.switchesVoluntary, .sum, .plain(.events),
            "Context switches because the process waited."),
        ResultColumn(
            "switches_involuntary", .count, \.usage.switchesInvoluntary, .sum, .plain(.events),
            "Context switches because another thread wanted the CPU."),
        ResultColumn(
            "faults_minor", .count, \.usage.faultsMinor, .sum, .plain(.events), "Page faults answered from memory."),
        ResultColumn(
            "faults_major", .count, \.usage.faultsMajor, .sum, .plain(.events), "Page faults answered from storage."),
        ResultColumn(
            "rss_before", .bytes, \.usage.residentBefore, .missing, .plain(.memory, label: "memory before"),
            "Resident memory before the phase."),
        ResultColumn(
            "rss_after", .bytes, \.usage.residentAfter, .missing, .plain(.memory, label: "memory after"),
            "Resident memory after the phase."),
        ResultColumn(
            "rss_peak", .bytes, \.usage.residentPeakBytes, .sum,
            .judged(.memory, label: "peak memory", threshold: 0.05),
            "The most resident memory during the phase."),
        ResultColumn(
            "rss_peak_delta", .bytes, \.usage.residentPeakDelta, .missing,
            .compared(.memory, label: "growth of memory"),
            "The peak of resident memory, less the resident memory before the phase."),
        ResultColumn(
            "rss_anon", .bytes, \.usage.residentAnonymous, .missing, .plain(.memory, label: "anonymous memory"),
            "Resident memory after the phase that no file backs."),
        ResultColumn(
            "rss_file", .bytes, \.usage.residentFile, .missing, .plain(.memory, label: "file memory"),
            "Resident memory after the phase that files back."),
        ResultColumn(
            "heap", .bytes, \.usage.heap, .sum, .compared(.memory, label: "heap in use"), "Heap in use after the phase."
        ),
        ResultColumn("read", .bytes, \.usage.readBytes, .sum, .compared(.storage), "Bytes read from storage."),
        ResultColumn(
            "write", .bytes, \.usage.writeBytes, .sum, .compared(.storage, label: "written"),
            "Bytes written to storage."),
    ]

    static let store = [
        ResultColumn(
            "store_memory_peak", .bytes, \.usage.counters.storeMemoryPeakBytes, .sum, .compared(.memory),
            "The most memory that the store library had allocated."),
        ResultColumn(
            "database", .bytes, \.usage.databaseBytes, .most, .compared(.storage),
            "Size of the database after the phase."),
        ResultColumn(
            "wal", .bytes, \.usage.logBytes, .most, .compared(.storage, label: "write-ahead log"),
            "Size of the write-ahead log after the phase."),
        ResultColumn("statements", .count, \.usage.counters.statements, .sum, .exact(), "SQL statements run."),
        ResultColumn(
            "vm_steps", .count, \.usage.counters.vmSteps, .sum, .exact(isLibrarys: true),
            "Steps of the virtual machine of SQLite."),
        ResultColumn("rows", .count, \.usage.counters.rows, .sum, .exact(), "Rows read or written by statements."),
        ResultColumn(
            "pages_written", .count, \.usage.counters.pagesWritten, .sum, .exact(isLibrarys: true),
            "Database pages written."),
        ResultColumn(
            "conflicts", .count, \.usage.counters.conflicts, .sum, .exact(),
            "Saves refused because another writer had changed a record."),
    ]

    static let machine = [
        ResultColumn(
            "load_average_1m", .count, \.machine.loadAverage, .missing, .plain(.machine),
            "Load of the machine before the phase, averaged over a minute."),
        ResultColumn(
            "cpu_pressure", .nanoseconds, \.machine.cpuPressure, .missing, .plain(.machine),
            "Time in which some runnable task of the machine waited for a CPU."),
        ResultColumn(
            "cpu_other", .nanoseconds, \.machine.otherCPU, .missing, .plain(.machine),
            "CPU time that other processes took meanwhile."),
        ResultColumn(
            "contaminated", \.machine.contaminated, .any,
            "Whether other processes took more than a fifth of one core, or `calibration_ns` is more than a fifth above the "
                + "fastest in the run so far; empty for phases under 0.1 s unless the latter is so."),
    ]

    static let load = [
        ResultColumn(
            "service_p50", .nanoseconds, \.load.serviceP50, .ofLoad, .compared(.response),
            "Median time of a load's operations, from when they could begin."),
        ResultColumn(
            "service_p99", .nanoseconds, \.load.serviceP99, .ofLoad, .compared(.response),
            "99th percentile of the time of a load's operations, from when they could begin."),
        ResultColumn(
            "service_max", .nanoseconds, \.load.serviceMax, .ofLoad, .plain(.response),
            "Longest time of a load's operations, from when they could begin."),
        ResultColumn("errors", .count, \.load.errors, .sum, .wrong, "Operations of a load that failed."),
        ResultColumn(
            "missing", .count, \.load.missing, .sum, .wrong, "Operations of a load whose record did not exist."),
        ResultColumn("retries", .count, \.load.retries, .sum, .wrong, "How often operations of a load were retried."),
        ResultColumn(
            "rate", .perSecond, \.load.ratePerSecond, .sum, .plain(.events, label: "intended rate"),
            "Operations per second that should begin."),
        ResultColumn(
            "late", .count, \.load.late, .sum, .wrong,
            "Operations that began more than a millisecond after their intended start."),
        ResultColumn(
            "dropped", .count, \.load.dropped, .sum, .wrong,
            "Operations that were dropped because they could not begin in time."),
        ResultColumn(
            "schedule_lag_max", .nanoseconds, \.load.scheduleLagMax, .most, .plain(.response),
            "The longest time from an operation's intended start to its start."),
        ResultColumn(
            "merge_p50", .nanoseconds, \.load.mergeP50, .missing, .compared(.response, label: "merged p50"),
            "Median time from a save until the main context had merged it."),
        ResultColumn(
            "merge_p99", .nanoseconds, \.load.mergeP99, .missing, .compared(.response, label: "merged p99"),
            "99th percentile of the time from a save until the main context had merged it."),
        ResultColumn(
            "merge_max", .nanoseconds, \.load.mergeMax, .missing, .plain(.response, label: "merged max"),
            "Longest time from a save until the main context had merged it."),
        ResultColumn(
            "delegate_p50", .nanoseconds, \.load.delegateP50, .missing, .compared(.response, label: "delegate p50"),
            "Median time from a save until the last callback of the controller's delegate returned."),
        ResultColumn(
            "delegate_p99", .nanoseconds, \.load.delegateP99, .missing, .compared(.response, label: "delegate p99"),
            "99th percentile of the time from a save until the delegate's last callback returned."),
        ResultColumn(
            "delegate_max", .nanoseconds, \.load.delegateMax, .missing, .plain(.response, label: "delegate max"),
            "Longest time from a save until the last callback of the controller's delegate returned."),
        ResultColumn("limits", \.load.limits, .ofLoad, "`met`, or which limits the load missed; empty without limits."),
        ResultColumn(
            "drift", \.load.drift, .ofLoad, "`none`, or which figures kept getting worse; empty without samples."),
    ]

    /// New columns go here, at the end of the file: other programs may read a CSV by position.
    static let added = [
        ResultColumn(
            "cpu", .nanoseconds, \.usage.cpu, .sum,
            .judged(.time, label: "CPU time", threshold: 0.03, instead: { $0.sumOfUserAndSystem }),
            "CPU time of the process, of all its threads, and of children that it waited for."),
        ResultColumn(
            "calibration", .nanoseconds, \.machine.calibration, .missing, .plain(.machine),
            "Time of a fixed piece of work before or after the phase, whichever was slower."),
        ResultColumn(
            "open", .nanoseconds, \.outsideClock.opening, .missing, .plain(.time, label: "opening"),
            "Time to open the store before the phase, outside the clock; empty if it was open."),
        ResultColumn(
            "prepare", .nanoseconds, \.outsideClock.preparation, .missing, .plain(.time, label: "preparation"),
            "Time of the driver's preparation, before the clock started."),
        ResultColumn(
            "release", .nanoseconds, \.outsideClock.release, .missing, .plain(.time),
            "Time to release what the phase handed over or left in memory, after the clock had stopped."),
        ResultColumn(
            "cpu_after", .nanoseconds, \.outsideClock.cpuAfter, .missing,
            .plain(.time, label: "CPU time after the clock"),
            "CPU time from the end of the clock until no thread had work to do, two seconds at most."),
        ResultColumn(
            "settings_kept", \.outcome.keepsSettings, .all,
            "Whether the store reported the settings of the scenario; empty if the driver cannot tell."),
        ResultColumn(
            "fsyncs", .count, \.usage.counters.syncs, .sum, .plain(.events),
            "Calls that made a file of the store durable, counted below the store library."),
        ResultColumn(
            "log_written", .bytes, \.usage.counters.logBytesWritten, .sum,
            .plain(.storage, label: "written to the log"),
            "Bytes written to the write-ahead log, counted below the store library."),
        ResultColumn(
            "database_written", .bytes, \.usage.counters.databaseBytesWritten, .sum,
            .plain(.storage, label: "written to the database"),
            "Bytes written to the database itself, counted below the store library."),
        ResultColumn(
            "cold", \.outcome.isCold, .missing,
            "Whether the bytes that a cold fetch read prove that the cache was cold; empty for other phases, for stores "
                + "under 4 MiB, and if the system does not tell."),
        ResultColumn(
            "instructions", .count, \.usage.instructions, .sum, .compared(.events),
            "Instructions of the process outside the kernel, of all its threads; empty where no counter of the processor "
                + "can be read, as on many virtual machines."),
        ResultColumn(
            "allocations", .count, \.usage.allocations, .sum, .compared(.events),
            "Calls that asked the allocator for memory, of all threads; empty where nothing counts them, as on other "
                + "systems than Linux."),
        ResultColumn(
            "allocated", .bytes, \.usage.allocatedBytes, .sum, .compared(.events),
            "Bytes that these calls asked for, whether released or not."),
        ResultColumn(
            "filter", \.outcome.filterReach, .missing,
            "How many of the records the phase's filter lets through: `none`, `some` or `all`; empty without a filter."),
        ResultColumn(
            "cpu_server", .nanoseconds, \.usage.cpuServer, .missing, .compared(.time, label: "server's CPU time"),
            "CPU time of the server's processes on this machine; recorded by `bench ab`."),
    ]
}

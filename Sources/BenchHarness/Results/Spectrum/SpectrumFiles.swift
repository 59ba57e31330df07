import Foundation

/// The `.hgrm` files of a run: for each driver and phase with more than one operation, the latencies of all repetitions
/// so far. For loads, the `.hlog` file too: the times of each kind of operation in each repetition.
///
/// Each file is replaced atomically after every repetition, so that a run that is stopped or killed leaves valid files.
struct SpectrumFiles {
    private struct Key: Hashable {
        let driver: String
        let phase: String
    }

    private let output: URL
    private var histograms: [Key: LatencyHistogram] = [:]
    private var log = HistogramLog(started: Date().timeIntervalSince1970)

    /// Prepares the files of a run whose CSV is `output`; writes none yet.
    init(beside output: URL) {
        self.output = output
    }

    /// Adds the latencies of one repetition of a driver, and writes the changed files.
    ///
    /// - Parameter intervals: Those of the loads that other processes share.
    mutating func add(
        _ reports: [PhaseReport], _ intervals: [LoadHistograms.Key: [LoadInterval]] = [:]
    ) throws(RunError) {
        for report in reports {
            guard report.row.status == .ok, let latencies = report.latencies else { continue }
            let key = Key(driver: report.row.driver, phase: report.row.phase)
            histograms[key, default: LatencyHistogram()].merge(latencies)
            guard let merged = histograms[key], merged.count > 1 else { continue }
            let url = PercentileSpectrum.url(beside: output, driver: key.driver, phase: key.phase)
            try AtomicFile.write(Data(PercentileText(merged).text.utf8), to: url.path)
        }
        try addToLog(reports, intervals)
    }

    private mutating func addToLog(
        _ reports: [PhaseReport], _ intervals: [LoadHistograms.Key: [LoadInterval]]
    ) throws(RunError) {
        let loads = reports.filter { $0.row.status == .ok && $0.operations != nil }
        for report in loads {
            guard let operations = report.operations else { continue }
            let length = Double(report.row.durationNanoseconds ?? 0) / 1e9
            let start = max(Date().timeIntervalSince1970 - log.started - length, 0)
            let key = LoadHistograms.Key(report.row)
            for entry in LoadHistograms.entries(key, operations, start: start, length: length) { log.append(entry) }
            for interval in intervals[key] ?? [] { log.append(interval.entry(key, start: start)) }
        }
        // A shard without an operation has a log without a line.
        guard !loads.isEmpty else { return }
        try AtomicFile.write(Data(log.text.utf8), to: HistogramLog.url(beside: output).path)
    }
}

extension RunRequest {
    /// The existing files beside the CSV that this run would write: they belong to the results of an earlier run, and
    /// perhaps to another CSV, since `a` and `a.csv` share them.
    public var existingFilesBeside: [URL] {
        filesBeside.filter { FileManager.default.fileExists(atPath: $0.path) }
    }

    /// Throws an error if files exist, or if two pairs of driver and phase would share one.
    func checkFilesBeside() throws(RunError) {
        if !replacesOutput, let url = existingFilesBeside.first {
            throw RunError(.output, "\(url.path) exists; --force replaces it")
        }
        var writers: [URL: String] = [:]
        for (url, writer) in spectra {
            guard let other = writers.updateValue(writer, forKey: url) else { continue }
            throw RunError(
                .output, "\(other) and \(writer) would both write \(url.lastPathComponent); rename one of the phases")
        }
    }

    /// Removes an earlier run's files.
    func removeExistingFilesBeside() throws(RunError) {
        for url in existingFilesBeside where unlink(url.path) != 0 {
            throw RunError(.output, "cannot replace \(url.path): \(String(cString: strerror(errno)))")
        }
    }

    /// The files beside the CSV that this run may write.
    package var filesBeside: [URL] {
        spectra.map(\.url) + LoadTables.urls(beside: output)
            + [HistogramLog.url(beside: output), Manifest.url(beside: output)]
    }

    private var spectra: [(url: URL, writer: String)] {
        drivers.flatMap { driver in
            scenario.resultNames.map { phase in
                (
                    PercentileSpectrum.url(beside: output, driver: driver.name, phase: phase),
                    "\(phase) of \(driver.name)"
                )
            }
        }
    }
}

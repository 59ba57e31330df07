/// The figures of a sample in JSON for programs.
package struct SampleFigures: Encodable {
    var count: Int
    var min: Double
    var median: Double
    var max: Double

    package init(_ summary: SampleSummary) {
        (count, min, median, max) = (summary.count, summary.min, summary.median, summary.max)
    }
}

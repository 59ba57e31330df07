import Testing

@testable import BenchHarness

@Suite struct PercentileTextTests {
    /// What HdrHistogram_c (commit 18c7a324, `hdr_init(1, INT64_MAX, 3)`, its percentile iterator, mean and deviation)
    /// makes of the values of ``histogram``, printed with the formats of HdrHistogram's Java original and six decimals.
    private static let reference = """
               Value     Percentile TotalCount 1/(1-Percentile)

            0.001000 0.000000000000          1           1.00
            0.004001 0.100000000000          4           1.11
            0.007003 0.200000000000          7           1.25
            0.010007 0.300000000000         10           1.43
            0.013007 0.400000000000         13           1.67
            0.016007 0.500000000000         16           2.00
            0.018015 0.550000000000         18           2.22
            0.020015 0.600000000000         20           2.50
            0.021007 0.650000000000         21           2.86
            0.023007 0.700000000000         23           3.33
            0.024015 0.750000000000         24           4.00
            0.025007 0.775000000000         25           4.44
            0.026015 0.800000000000         26           5.00
            0.027007 0.825000000000         27           5.71
            0.028015 0.850000000000         28           6.67
            0.028015 0.875000000000         28           8.00
            0.029007 0.887500000000         29           8.89
            0.029007 0.900000000000         29          10.00
            0.030015 0.912500000000         30          11.43
            0.030015 0.925000000000         30          13.33
            0.030015 0.937500000000         30          16.00
            5.001215 0.943750000000         31          17.78
            5.001215 0.950000000000         31          20.00
            5.001215 0.956250000000         31          22.86
            5.001215 0.962500000000         31          26.67
            5.001215 0.968750000000         31          32.00
          123.469823 0.971875000000         32          35.56
          123.469823 1.000000000000         32
        #[Mean    =     4.028166, StdDeviation   =    21.463976]
        #[Max     =   123.469823, Total count    =           32]
        #[Buckets =           53, SubBuckets     =         2048]

        """

    private static var histogram: LatencyHistogram {
        var histogram = LatencyHistogram()
        for value in stride(from: 1_000, through: 30_000, by: 1_000) { histogram.record(value) }
        for value in [5_000_000, 123_456_789] { histogram.record(value) }
        return histogram
    }

    @Test func theFormatIsThatOfHdrHistogram() {
        #expect(PercentileText(Self.histogram).text == Self.reference)
    }

    @Test func anEmptyHistogramHasAHeaderAndAFooter() {
        let lines = PercentileText(LatencyHistogram()).text.split(separator: "\n")
        #expect(lines.count == 4)
        #expect(lines.last?.hasPrefix("#[Buckets") == true)
    }

    @Test func theLastOfManyEqualValuesIsReachedAtOnce() {
        var histogram = LatencyHistogram()
        for _ in 0..<1_000_000 { histogram.record(7) }
        let lines = PercentileText(histogram).text.split(separator: "\n")
        #expect(lines[1] == "    0.000007 0.000000000000    1000000           1.00")
        #expect(lines[2] == "    0.000007 1.000000000000    1000000")
    }
}

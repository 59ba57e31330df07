/// The limits of a scenario's numbers, for the shapes of its keys.
package enum ScenarioLimits {
    static let records = 1...1_000_000_000
    static let sizes = 2...16
    static let variants = 2...100
    static let exponent = 0.0...10.0
    static let repetitions = 1...1_000
    package static let warmups = 0...100
    static let attributes = 1...100
    static let entities = 1...40
    static let relationships = 0...20
    static let links = 0...1_000
    static let phases = 1...100
    static let drivers = 1...32
    static let sortKeys = 0...16
    static let filterOperands = 1...100

    package static let cacheSizeKiB = 1...16_777_216
    static let pageSizeBytes = [512, 1_024, 2_048, 4_096, 8_192, 16_384, 32_768, 65_536]
    static let mmapSizeBytes = 0...1_099_511_627_776
    static let walAutocheckpointPages = 0...1_000_000
    static let busyTimeoutMilliseconds = 0...600_000

    static let writers = 1...64
    static let savesPerWriter = 1...100_000
    static let perSave = 0...10_000_000

    static let operations = 1...1_000_000_000
    static let gets = 1...10_000_000
    static let fieldsPerUpdate = 0...100
    static let scanLength = 1...1_000_000
    static let weight = 0.0...1_000_000.0
    static let share = 0.0...1.0
    static let durationSeconds = 0.01...2_592_000.0
    static let sampleSeconds = 0.01...86_400.0
    static let ratePerSecond = 0.001...10_000_000.0
    static let milliseconds = 0.0...86_400_000.0
    static let throughputPerSecond = 0.0...10_000_000.0
    static let failures = 0...1_000_000_000

    static let nameLength = 64
    static let thresholdPercent = 0.0...1_000.0
    static let descriptionLength = 1_000
    static let prefixLength = 1_000
    static let textLength = 65_536
    static let randomLengthBytes = 0...65_536
    static let choices = 1...1_000
    static let words = 1...10_000
    static let vocabulary = 1...100_000

    /// The integers that a Double represents exactly (RFC 7493): generators compute in Double, and no sum of a few of
    /// them overflows.
    static let integers = -9_007_199_254_740_992...9_007_199_254_740_992
    /// Far enough below the largest Double that no sequence over a billion records reaches it.
    static let doubles = -1e100...1e100
    /// About nine thousand years.
    static let seconds = -3e11...3e11
}

import BenchHarness
import DriverSupport
import Testing

@Suite struct RecordMirrorTests {
    @Test func recordsOfAMessageAreHeldWithoutReadingAny() throws {
        var readings = 0
        let mirror = RecordMirror<Int64>(key: { $0 % 10 }, digest: { $1.add($0) }) { keys in
            readings += 1
            return keys
        }
        try mirror.load([1, 2, 3])
        mirror.merge(SavedRecords(written: [12, 15], deleted: [3]))
        #expect(readings == 1)
        var (found, expected) = (RecordDigester(), RecordDigester())
        mirror.digest(into: &found)
        for record: Int64 in [15, 1, 12] {
            expected.add(record)
            expected.endRecord()
        }
        #expect(found.digest.unordered == expected.digest.unordered)
        #expect(mirror.count == 3)
    }
}

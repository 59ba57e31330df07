import Foundation
import TestSupport

/// Values that no store writes where they are put, as SQL.
enum HostileValue {
    /// One for a column of the table `table`.
    static func draw(for column: String, of table: String, _ random: inout SeededGenerator) -> String {
        if column == "Z_PLIST", !random.oneIn(4) { return HostilePropertyList.draw(&random) }
        switch Int.random(in: 0..<6, using: &random) {
        case 0: return random.pick(extremes)
        case 1: return random.pick(texts)
        case 2: return "\(Int.random(in: -2...40, using: &random))"
        // What another row has, which may be a reference to it.
        case 3: return "(SELECT [\(column)] FROM [\(table)] ORDER BY abs(rowid % 7919 * 31 % 17) LIMIT 1)"
        case 4: return "[\(column)] + \(random.pick([-1, 1, 2, 1_000, 2_147_483_647]))"
        default: return random.pick(extremes + texts)
        }
    }

    static let extremes = [
        "NULL", "0", "-1", "1", "9223372036854775807", "-9223372036854775808", "9223372036854775806", "2147483647",
        "2147483648", "4294967296", "32767", "32768", "65536", "16777216", "9e999", "-9e999", "1.7e308", "4.9e-324",
        "0.5", "-0.0",
        "1e19", "1e400", "253402300800",
    ]
    static let texts = [
        "''", "'NaN'", "'-'", "'1e5'", "'12x'", "' 7 '", "'0x10'", "CAST(x'FFFE80' AS TEXT)", "CAST(x'C3' AS TEXT)",
        "'a' || char(0) || 'b'", "'e' || char(769)", "char(55296)", "'http://[::1'", "'x-coredata://'",
        "printf('%.*c', 70000, 'x')", "printf('%.*c', 2000000, 'x')", "x''", "x'00'", "x'FF'", "zeroblob(15)",
        "zeroblob(17)",
        "zeroblob(3000000)", "x'62706C697374303099'", "'[1,'", "CAST('{\"a\":1}' AS BLOB)",
        "'1' || printf('%.*c', 400, '0')",
    ]
}

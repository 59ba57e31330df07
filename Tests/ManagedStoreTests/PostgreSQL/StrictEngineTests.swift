import Testing

@testable import ManagedStore

/// The stand-in for other engines refuses what they refuse, so that tests with it say something.
@Suite struct StrictEngineTests {
    @Test(arguments: [
        "SELECT \"Z_PK\" FROM \"ZITEM\" WHERE EXISTS (SELECT 1 FROM \"ZTAG\" t1 WHERE t1.\"ZITEM\" = \"ZITEM\".\"Z_PK\")",
        "SELECT COALESCE((SELECT (t1.\"A\" = $1) FROM \"ZTAG\" t1 WHERE (t1.\"Z_PK\" = \"ZITEM\".\"B\")), TRUE) FROM \"ZITEM\"",
        "COPY (SELECT 1) TO STDOUT (FORMAT BINARY)", "SELECT txid_status($1)", "SET CONSTRAINTS ALL DEFERRED",
        "ALTER TABLE \"ZITEM\" ADD CONSTRAINT \"C\" UNIQUE (\"A\") DEFERRABLE", "LISTEN saves",
        "SELECT 1 FROM \"ZITEM\" ORDER BY \"Z_PK\" FOR KEY SHARE", "SELECT pg_advisory_xact_lock(1)",
        "SELECT t.\"A\" FROM \"Z_1TAGS\" j JOIN \"ZTAG\" t ON t.\"Z_PK\" = j.\"B\" WHERE j.\"A\" = $1",
    ])
    func itRefuses(_ sql: String) {
        #expect(StrictEngine.refusal(of: sql) != nil)
    }

    @Test(arguments: [
        "SELECT \"Z_PK\" FROM \"ZITEM\" WHERE \"B\" IN (SELECT t1.\"Z_PK\" FROM \"ZTAG\" t1 WHERE ((t1.\"A\" = $1)))",
        "SELECT \"Z_PK\" FROM \"ZITEM\" WHERE \"Z_PK\" IN (SELECT jt1.\"A\" FROM \"Z_1TAGS\" jt1 WHERE jt1.\"B\" IN "
            + "(SELECT t1.\"Z_PK\" FROM \"ZTAG\" t1 WHERE (t1.\"A\" = 'it''s \"ZITEM\".x (SELECT')))",
        "UPDATE \"ZITEM\" t SET \"A\" = u.c0 FROM unnest($1::bigint[]) AS u(k) WHERE t.\"Z_PK\" = u.k",
    ])
    func itLetsOthersPass(_ sql: String) {
        #expect(StrictEngine.refusal(of: sql) == nil)
    }

    /// Messages arrive in any pieces.
    @Test func onlyTheStatementIsReplaced() {
        func message(_ type: Character, _ text: String) -> [UInt8] {
            [type.asciiValue ?? 0, 0, 0, 0, UInt8(text.utf8.count + 5)] + Array(text.utf8) + [0]
        }
        let sent =
            [0, 0, 0, 8, 0, 3, 0, 0] + message("Q", "SELECT 1") + message("Q", "LISTEN a") + message("Q", "COMMIT")
            + message("Q", "COMMIT")
        let answers = [1, 3, 1_000].map { size in
            var messages = StrictMessages()
            return stride(from: 0, to: sent.count, by: size).flatMap { start in
                messages.replaced(sent[start..<min(start + size, sent.count)])
            }
        }
        let text = String(decoding: answers[0], as: UTF8.self)
        #expect(answers[1] == answers[0] && answers[2] == answers[0])
        #expect(text.contains("SELECT 1") && text.contains("\"refused: LISTEN \"()") && text.contains("'40001'"))
        #expect(answers[0].suffix(12) == message("Q", "COMMIT")[...])
    }
}

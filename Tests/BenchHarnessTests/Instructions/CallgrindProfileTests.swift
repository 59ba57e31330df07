import Foundation
import Testing

@testable import BenchHarness
@testable import BenchInstructions

@Suite struct CallgrindProfileTests {
    /// A profile as callgrind writes it.
    private static let text = """
        # callgrind format
        version: 1
        creator: callgrind-3.19.0
        pid: 27685
        cmd:  ./bench __instructions
        part: 2

        desc: I1 cache:
        desc: Timerange: Basic block 10 - 20
        desc: Trigger: Client Request: phase 3

        positions: line
        events: Ir
        summary: 1190

        ob=(1) /usr/lib/libsqlite3.so.0.8.6
        fl=(1) ???
        fn=(1) sqlite3_step
        0 100
        +3 10
        cfn=(2) sqlite3VdbeExec
        calls=7 0
        * 5000

        fn=(2)
        0 700
        fi=(2) inlined.c
        12 40
        fe=(1)
        -2 50

        ob=(2) /opt/bench
        fn=(3) $s4main4stepyyF
        0 90
        cob=(1)
        cfn=(1)
        calls=7 0
        0 5900

        fn=(1)
        0 200
        totals: 1190

        """

    private func profile(_ text: String) throws(RunError) -> CallgrindProfile {
        try CallgrindProfile(Data(text.utf8), place: "profile.1")
    }

    @Test func thePartsAreLibrariesAndModules() throws {
        #expect(try profile(Self.text).parts == ["SQLite": 1_100, "main": 90])
    }

    @Test(arguments: [
        ("sqlite3_step", "/usr/lib/libsqlite3.so.0.8.6", "SQLite"),
        ("0x0000000000035a30", "/l/libsqlite3.so.0", "SQLite"),
        ("malloc", "/lib/libc.so.6", "allocation"), ("_int_free", "/lib/libc-2.31.so", "allocation"),
        ("__memcpy_avx_unaligned_erms", "/lib/libc.so.6", "C library"), ("swift_retain", "/opt/bench", "Swift runtime"),
        ("_ZN5swift9RefCounts", "/usr/lib/libswiftCore.so", "Swift runtime"),
        ("$s12ManagedStore9RowLayoutC", "/opt/bench", "ManagedStore"),
        ("$sSS12ManagedStoreE5_load", "/opt/bench", "ManagedStore"), ("$s10Foundation4DateV", "/b", "Foundation"),
        ("$s20FoundationEssentials4DateV", "/b", "Foundation"), ("$sSS6appendyySSF", "/b", "Swift library"),
        ("$ss18_DictionaryStorageC", "/b", "Swift library"), ("_dispatch_sync_f", "/b", "Dispatch"),
        ("$s20FoundationEssentials3URLV12ManagedStoreE5_load", "/b", "ManagedStore"),
        ("$sSa12ManagedStoreAA0A6ObjectCRbzlE8_objects", "/b", "ManagedStore"),
        ("$ss15ContiguousArrayV12ManagedStoreACE17dropDerivedValues", "/b", "ManagedStore"),
        ("$sSa6appendyyxnF12ManagedStore7RowPageC_Tg5", "/b", "Swift library"), ("$s99Cut", "/b", "Swift library"),
        ("", "", "other"), ("main", "/b", "other"),
    ])
    func aFunctionBelongsToAPart(_ function: String, _ file: String, _ part: String) {
        let modules = CodePart.modules(of: ["$s12ManagedStore9RowLayoutC", "sqlite3_step", "$sSS5countSivg"])
        #expect(CodePart.name(of: function, in: file, modules) == part)
    }

    @Test func aFunctionHasItsOwnInstructionsWithoutThoseOfItsCalls() throws {
        let profile = try profile(Self.text)
        #expect(profile.title == "phase 3")
        #expect(profile.functions == ["sqlite3_step": 310, "sqlite3VdbeExec": 790, "$s4main4stepyyF": 90])
        #expect(profile.total == 1_190)
    }

    /// What Swift's runtime and a library do for the program is that of the functions that called them.
    @Test func whatAFunctionUsesCountsAsItsOwn() throws {
        #expect(try profile(Self.text).ownFunctions == ["$s4main4stepyyF": 990, "sqlite3_step": 200])
        let text = """
            events: Ir
            ob=(1) /opt/bench
            fn=(1) $s4main4stepyyF
            0 10
            cfn=(2) swift_getGenericMetadata
            calls=3 0
            0 300
            cfn=(3) $s4main5otheryyF
            calls=1 0
            0 150
            jump=4 0
            0
            fn=(3)
            0 50
            cfn=(2)
            calls=1 0
            0 100
            fn=(2)
            0 100
            cob=(2) /lib/libc.so.6
            cfn=(4) malloc
            calls=4 0
            0 300
            ob=(2)
            fn=(4)
            0 300
            cfn=(4)
            calls=1 0
            0 20
            fn=(5) start
            0 7
            totals: 467

            """
        let own = try profile(text).ownFunctions
        #expect(own == ["$s4main4stepyyF": 10 + 300, "$s4main5otheryyF": 50 + 100, "start": 7])
        #expect(try profile(text).total == own.values.reduce(0, +))
    }

    @Test func callsInACircleEnd() {
        typealias Shares = CallerShares<String>
        let calls = [
            Shares.Call(caller: "a", callee: "x"): 10, Shares.Call(caller: "x", callee: "y"): 90,
            Shares.Call(caller: "y", callee: "x"): 90,
        ]
        let costs = Shares(["a": 5, "x": 40, "y": 60], calls) { $0 == "a" }.costs
        #expect((costs["a"] ?? 0) > 90 && costs.values.reduce(0, +) <= 106)
    }

    @Test func aNameThatIsFirstCalledStandsForItsNumber() throws {
        let text = "events: Ir\nfn=(1) a\n0 1\ncfn=(2) b\ncalls=1 0\n0 9\nfn=(2)\n0 9\ntotals: 10\n"
        #expect(try profile(text).functions == ["a": 1, "b": 9])
    }

    @Test func namesWithoutNumbersAndSeveralPositionsAndEventsAreRead() throws {
        let text = "positions: instr line\nevents: Dr Ir\nfn=a\n0x40 12 3 20\n+4 * 1 5\n+8 * 7\ntotals: 11 25\n"
        #expect(try profile(text).functions == ["a": 25])
    }

    @Test func functionsWithoutNamesAreThoseOfTheirFile() throws {
        let text = """
            events: Ir
            ob=(1) /usr/lib/libz.so.1
            fn=(1) 0x00000000000a1b20
            0 3
            fn=(2) ???
            0 4
            ob=(2) /opt/libother.so
            fn=(2)
            0 5
            totals: 12

            """
        #expect(
            try profile(text).functions == [
                "a function without a name in libz.so.1": 7, "a function without a name in libother.so": 5,
            ])
    }

    @Test(arguments: [
        ("events: Ir\nfn=(1) a\n0 1\n", "profile.1: ends before its totals"),
        ("events: Ir\nfn=(1) a\n0 1\ntotals: 2\n", "profile.1: its functions have 1 instructions, not 2"),
        ("events: Ir\nfn=(1)\n", "profile.1:2: the number (1) stands for no name"),
        ("events: Ir\nfn=a\n0 many\n", "profile.1:3: \"many\" in place of a number"),
        ("fn=a\n0 1\n", "profile.1:2: a cost before the names of events"),
        ("events: Dr\n", "profile.1: counts no instructions (\"Ir\")"),
    ])
    func aDamagedProfileIsRefused(text: String, message: String) {
        let remedy = "; the profile is damaged, or of another version of valgrind: count again"
        #expect { try profile(text) } throws: { ($0 as? RunError)?.description == message + remedy }
    }
}

import Testing

@testable import BenchHarness

@Suite struct FunctionGrowthTests {
    @Test func theFunctionsThatGrewMostComeFirst() {
        let base = ["read": 100, "sort": 1_000, "free": 50, "gone": 30]
        let new = ["read": 150, "sort": 1_400, "free": 40, "hash": 400]
        #expect(
            FunctionGrowth.largest(from: base, to: new) == [
                FunctionGrowth(function: "hash", base: 0, new: 400),
                FunctionGrowth(function: "sort", base: 1_000, new: 1_400),
                FunctionGrowth(function: "read", base: 100, new: 150),
            ])
    }

    @Test func atMostFiveAreNamedAndNoneOfLittleWeight() {
        let new = Dictionary(uniqueKeysWithValues: (1...9).map { ("f\($0)", $0 * 10) })
        let five = FunctionGrowth.largest(from: [:], to: new).map(\.function)
        #expect(five == ["f9", "f8", "f7", "f6", "f5"])
        #expect(FunctionGrowth.largest(from: [:], to: ["large": 1_000, "small": 10]).map(\.function) == ["large"])
    }

    @Test func namesAreThoseOfTheSource() throws {
        let grown = try #require(FunctionGrowth.largest(from: [:], to: ["$sSS5countSivg": 5]).first)
        #expect(grown.function == "Swift.String.count.getter : Swift.Int")
        #expect(
            SymbolName(mangled: "$s4main3Box33_0FA48531784FEB988EFAB85371895A54LLC4timeSdyF").readable
                == "main.Box.time() -> Swift.Double")
        #expect(SymbolName(mangled: "_ZN5swift4findEi").readable == "swift::find(int)")
        #expect(SymbolName(mangled: "sqlite3_step").readable == "sqlite3_step")
        #expect(SymbolName(mangled: "i").readable == "i")
    }

    @Test func functionsThatOnlyCompilersTellApartAreOne() {
        // Two numbers of one closure would have two names; two symbols that read alike are one function.
        let grown = FunctionGrowth.largest(
            from: ["_ZN1AC1Ev": 10, "_ZN1AC2Ev": 10], to: ["_ZN1AC1Ev": 0, "_ZN1AC2Ev": 25])
        #expect(grown == [FunctionGrowth(function: "A::A()", base: 20, new: 25)])
    }
}

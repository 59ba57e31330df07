import Testing

@testable import BenchHarness

@Suite struct NearestNameTests {
    @Test func slipsOfTheFingerCountOnce() {
        #expect(NearestName.distance(Array("fecth"), Array("fetch")) == 1)
        #expect(NearestName.distance(Array("fetc"), Array("fetch")) == 1)
        #expect(NearestName.distance(Array("fetxh"), Array("fetch")) == 1)
        #expect(NearestName.distance(Array(""), Array("fetch")) == 5)
        #expect(NearestName.distance(Array("fetch"), Array("")) == 5)
    }

    @Test func onlyWhatIsNearIsSuggested() {
        let kinds = ["seed", "fetch", "update"]
        #expect(NearestName.among(kinds, to: "FETCH") == "fetch")
        #expect(NearestName.among(kinds, to: "sede") == "seed")
        #expect(NearestName.among(kinds, to: "delete") == nil)
        #expect(NearestName.among([], to: "x") == nil)
    }
}

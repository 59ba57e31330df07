import Testing

@testable import BenchHarness

@Suite struct TextTableFitTests {
    private static let phases = ["lists-to-items-prefetched@10000", "lists-to-items-prefetched@1000000", "seed"]

    private func table(remark: String = "") -> TextTable {
        var table = TextTable([
            .name("phase"), .right("base", dropped: 2), .right("p", dropped: 1), .left("verdict"), .remark("because"),
        ])
        for phase in Self.phases {
            table.append(TextTable.Row(cells: [phase, "123.4 ms", "0.01", "regressed", remark]))
        }
        return table.withoutEmptyColumns
    }

    private func lines(_ table: TextTable, _ width: Int?) -> [Substring] {
        table.text(isColoured: false, width: width).split(separator: "\n")
    }

    @Test func aTableThatFitsStaysAsItIs() {
        let all = table(remark: "slow").text(isColoured: false)
        #expect(table(remark: "slow").text(isColoured: false, width: 80) == all)
    }

    @Test func noRowIsWiderThanTheTerminalOrWraps() {
        for width in 30...90 {
            let lines = lines(table(), width)
            #expect(lines.allSatisfy { $0.count <= width }, "\(width)\n\(lines.joined(separator: "\n"))")
            #expect(lines.count { $0.hasSuffix("  regressed") } == Self.phases.count)
        }
    }

    @Test func columnsGoInTheOrderThatTheyState() {
        // Names are shortened to 14 characters before a column goes.
        let titles = [41, 40, 35, 34].map { lines(table(), $0)[0].split(separator: " ") }
        #expect(titles[0] == ["phase", "base", "p", "verdict"])
        #expect(titles[1] == ["phase", "base", "verdict"])
        #expect(titles[2] == ["phase", "base", "verdict"])
        #expect(titles[3] == ["phase", "verdict"])
    }

    @Test func aLineBelowTheTableNamesWhatIsLeftOutAndHowToSeeIt() {
        #expect(!table().text(isColoured: false, width: 60).contains("no room"))
        let text = table().text(isColoured: false, width: 34)
        #expect(text.hasSuffix("no room in 34 columns for base, p;\n  COLUMNS=60 shows all\n"), "\(text)")
        #expect(!table().text(isColoured: false).contains("no room"))
    }

    @Test func aNameIsShortenedInTheMiddleNoFurtherThanNeeded() {
        #expect(lines(table(), 57)[2].hasPrefix("lists-to-items…refetched@10000  "))
        #expect(lines(table(), 60)[2].hasPrefix("lists-to-items-prefetched@10000  "))
    }

    @Test func namesStayDistinctAsLongAsColumnsCanGo() {
        var table = TextTable([.name("phase"), .right("figure", dropped: 1), .left("verdict")])
        for number in 1...2 {
            let name = "a-long-beginning-\(number)-and-a-long-end"
            table.append(TextTable.Row(cells: [name, "123,456,789,012", "unchanged"]))
        }
        // At 14 characters both would be the same name.
        let lines = lines(table, 44)
        #expect(lines[0].split(separator: " ") == ["phase", "verdict"] && lines[2] != lines[3])
    }

    @Test func aLongRemarkMovesBelowItsRowBeforeAColumnGoes() {
        let remark = "all.p90_ms is 41.8, more than 5; all.p99_ms is 98.1, more than 20"
        let lines = lines(table(remark: remark), 80)
        #expect(lines[0].split(separator: " ") == ["phase", "base", "p", "verdict"])
        #expect(lines[2].hasSuffix("regressed"))
        #expect(lines[3] == "    because: \(remark)")
        #expect(self.lines(table(remark: "slow"), 70)[2].hasSuffix("regressed  slow"))
    }
}

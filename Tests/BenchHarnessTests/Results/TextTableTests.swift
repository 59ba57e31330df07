import Testing

@testable import BenchHarness

@Suite struct TextTableTests {
    private func table(style: TextTable.Style = .plain) -> TextTable {
        var table = TextTable([
            .left("name"), .right("n"), .left("remark"),
        ])
        table.append(TextTable.Row(cells: ["a", "1,000", ""]))
        table.append(TextTable.Row(cells: ["longer", "7", "a|b"], style: style, startsGroup: true))
        return table
    }

    @Test func columnsAreAlignedAndGroupsSetOff() {
        #expect(
            table().text(isColoured: false) == """
                name        n  remark
                ─────────────────────
                a       1,000

                longer      7  a|b

                """)
    }

    @Test func linesAboveAndBelowARowMayBeWiderThanItsColumns() {
        var table = table()
        table.append(
            TextTable.Row(
                cells: ["b", "8", ""], startsGroup: true, heading: "a heading of\u{7} words", note: "  a note"))
        #expect(
            table.text(isColoured: false).hasSuffix(
                "longer      7  a|b\n\na heading of\\u{7} words\nb           8\n  a note\n"))
        #expect(table.markdown.hasSuffix("| b | 8 |  |\n"))
    }

    @Test func columnsThatNoRowFillsCanBeLeftOut() {
        var table = TextTable([.left("name"), .right("n"), .left("remark")])
        table.append(TextTable.Row(cells: ["a", "", "x"]))
        table.append(TextTable.Row(cells: ["b", "", ""]))
        #expect(table.withoutEmptyColumns.markdown == "| name | remark |\n| --- | --- |\n| a | x |\n| b |  |\n")
    }

    @Test func colourIsOnlyAddedWhenWanted() {
        #expect(!table(style: .bad).text(isColoured: false).contains("\u{1B}"))
        #expect(table(style: .bad).text(isColoured: true).contains("\u{1B}[31mlonger      7  a|b\u{1B}[0m\n"))
    }

    @Test func controlCharactersOfAFileDoNotReachTheTerminal() {
        var table = TextTable([.left("driver"), .right("n")])
        table.append(TextTable.Row(cells: ["a\u{1B}[31m\nb", "1"]))
        #expect(table.text(isColoured: false).hasSuffix("\na\\u{1b}[31m\\u{a}b  1\n"))
        #expect(table.markdown.hasSuffix("| a\\\\u{1b}\\[31m b | 1 |\n"))
    }

    @Test func markdownEscapesWhatWouldEndACell() {
        #expect(
            table().markdown == """
                | name | n | remark |
                | --- | ---: | --- |
                | a | 1,000 |  |
                | longer | 7 | a\\|b |

                """)
    }
}

import Testing

@testable import BenchHarness
@testable import BenchReport

@Suite struct HTMLNodeTests {
    @Test func textCannotBecomeMarkup() {
        let hostile = "<script>alert(\"x\")</script> & ]]>"
        let node = HTMLNode.tag("p", ["title": hostile], .text(hostile))
        let escaped = "&lt;script&gt;alert(&quot;x&quot;)&lt;/script&gt; &amp; ]]&gt;"
        #expect(node.html == "<p title=\"\(escaped)\">\(escaped)</p>\n")
    }

    @Test func interpolatedTextIsEscapedToo() {
        let name = "</td><img src=x>"
        #expect(HTMLNode.tag("td", [:], "of \(name)").html == "<td>of &lt;/td&gt;&lt;img src=x&gt;</td>")
    }

    @Test func controlCharactersAreReplaced() {
        #expect(HTMLNode.text("a\u{0}b\u{1B}[31m\tc\n").html == "a\u{FFFD}b\u{FFFD}[31m\tc\n")
    }

    @Test func missingAttributesAreLeftOutAndEmptyOnesAreNot() {
        let html = HTMLNode.tag("input", ["id": nil, "checked": ""]).html
        #expect(html == "<input checked=\"\">")
    }

    @Test func attributesKeepTheirOrderWhenJoined() {
        let both: HTMLAttributes = ["b": "1"] + ["a": "2"]
        #expect(HTMLNode.tag("td", both).html == "<td b=\"1\" a=\"2\"></td>")
    }
}

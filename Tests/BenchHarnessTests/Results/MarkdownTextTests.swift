import Testing

@testable import BenchHarness

@Suite struct MarkdownTextTests {
    @Test(arguments: [
        ("fetch@all-cores of managed: cpu +5 %", "fetch@all-cores of managed: cpu +5 %"),
        ("<img src=x onerror=alert(1)> & more", "&lt;img src=x onerror=alert(1)&gt; &amp; more"),
        (
            "[a](javascript:b) `c` *d* _e_ ![f](g) | h",
            "\\[a\\](javascript:b) \\`c\\` \\*d\\* \\_e\\_ \\!\\[f\\](g) \\| h"
        ),
        ("@all #1 (@x) see#2", "&#64;all &#35;1 (&#64;x) see#2"),
        ("a\nb\u{1B}[2J\u{202E}c", "a\\\\u{a}b\\\\u{1b}\\[2J\\\\u{202e}c"),
    ])
    func textMeansNothingButItself(text: String, escaped: String) {
        #expect(text.escapedForMarkdown == escaped)
    }
}

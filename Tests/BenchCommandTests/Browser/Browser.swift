import BenchHarness
import Foundation
import Processes

/// A Chromium without a window, for pages to be looked at in.
struct Browser {
    struct Outcome {
        /// The page after it was loaded, when that was asked for.
        var document: String
        /// What the page's console says, one message a line.
        var console: [String]
    }

    /// Where the program is; nil where there is none.
    static let path = ["/usr/bin/chromium", "/usr/bin/chromium-browser", "/usr/bin/google-chrome"]
        .first { FileManager.default.isExecutableFile(atPath: $0) }

    /// Opens a page and ends, or is ended after a while. Its profile lies in `folder`.
    static func open(_ page: URL, _ options: [String], in folder: URL) throws -> Outcome {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/usr/bin/timeout")
        process.arguments =
            ["--kill-after=5", "60", path ?? "", "--headless", "--no-sandbox", "--disable-gpu", "--hide-scrollbars"]
            + [
                "--no-first-run", "--disable-dev-shm-usage", "--disable-background-networking",
                "--disable-component-update",
            ]
            + ["--user-data-dir=\(folder.path)/profile", "--enable-logging=stderr", "--v=0"] + options
            + [page.absoluteString]
        // A file takes more than a pipe does.
        let (output, errors) = (folder.appendingPathComponent("output"), folder.appendingPathComponent("errors"))
        for file in [output, errors] { try Data().write(to: file) }
        process.standardOutput = try FileHandle(forWritingTo: output)
        process.standardError = try FileHandle(forWritingTo: errors)
        process.standardInput = FileHandle.nullDevice
        try process.run()
        _ = process.awaitEnd()
        let messages = try String(contentsOf: errors, encoding: .utf8).split(whereSeparator: \.isNewline)
        return Outcome(
            document: try String(contentsOf: output, encoding: .utf8),
            console: messages.filter { $0.contains("CONSOLE") }.map(String.init))
    }
}

/// A page that holds another in a frame of a given width, and writes into its own document what came of it: a window
/// cannot be made as narrow as a phone.
enum FramedPage {
    static func html(around pages: [String], widths: [Int]) -> String {
        let frames = pages.flatMap { page in
            let escaped = page.split(separator: "&", omittingEmptySubsequences: false).joined(separator: "&amp;")
                .split(separator: "\"", omittingEmptySubsequences: false).joined(separator: "&quot;")
            return widths.map { width in
                "<iframe width=\"\(width)\" height=\"800\" style=\"border:0\" srcdoc=\"\(escaped)\"></iframe>"
            }
        }
        return """
            <!DOCTYPE html><meta charset="utf-8"><body style="margin:0">\(frames.joined())
            <script>
            addEventListener("load", () => {
                for (const frame of document.querySelectorAll("iframe")) {
                    const root = frame.contentDocument.documentElement, view = frame.contentWindow;
                    const result = document.createElement("result");
                    result.dataset.width = frame.width;
                    result.dataset.scroll = root.scrollWidth;
                    result.dataset.loaded = view.performance.getEntriesByType("resource").length;
                    result.dataset.ground = view.getComputedStyle(root.querySelector("body")).backgroundColor;
                    result.dataset.regions = [...root.querySelectorAll(".scroll")]
                        .filter(r => r.tabIndex === 0 && r.getAttribute("aria-label")).length;
                    result.dataset.overlaps = overlaps(root, view);
                    result.dataset.crossed = crossed(root);
                    result.dataset.cut = cut(root, view);
                    document.body.append(result);
                }
            });
            // How many lines of charts run through a label of the same chart.
            function crossed(root) {
                let count = 0;
                for (const chart of root.querySelectorAll("figure svg")) {
                    const boxes = [...chart.querySelectorAll("text")].map(t => t.getBoundingClientRect());
                    for (const line of chart.querySelectorAll("line:not(.interval)")) {
                        const l = line.getBoundingClientRect();
                        count += boxes.filter(b => b.left + 1 < l.right && l.left < b.right - 1
                            && b.top + 3 < l.bottom && l.top < b.bottom - 3).length;
                    }
                }
                return count;
            }
            // How many cells of tables that are stacked on a phone do not fit.
            function cut(root, view) {
                return [...root.querySelectorAll(".stack td, .stack .end")].filter(cell => {
                    const range = root.ownerDocument.createRange();
                    range.selectNodeContents(cell);
                    const hasBox = view.getComputedStyle(cell).display !== "contents";
                    return (hasBox ? cell : range).getBoundingClientRect().right > root.clientWidth;
                }).length;
            }
            // How many labels of charts touch another one of the same chart.
            function overlaps(root, view) {
                let count = 0;
                for (const chart of root.querySelectorAll("figure svg")) {
                    const boxes = [...chart.querySelectorAll("text")].map(t => t.getBoundingClientRect());
                    boxes.forEach((a, i) => boxes.slice(i + 1).forEach(b => {
                        if (a.left < b.right - 1 && b.left < a.right - 1 && a.top < b.bottom - 3 && b.top < a.bottom - 3)
                            count++;
                    }));
                }
                return count;
            }
            </script>
            """
    }

    /// What the page found for each width.
    static func results(in document: String) -> [[String: String]] {
        document.matches(of: /<result([^>]*)>/).map { PageTags.attributes(String($0.1)) }
    }
}

/// Start tags of a page.
enum PageTags {
    /// The attributes of every start tag of `name`.
    static func all(_ name: String, in document: String) throws -> [[String: String]] {
        document.matches(of: try Regex("<\(name) [^>]*>")).map { attributes(String(document[$0.range])) }
    }

    static func attributes(_ tag: String) -> [String: String] {
        let pairs = tag.matches(of: /([a-z0-9-]+)="([^"]*)"/).map { (String($0.1), String($0.2)) }
        return Dictionary(pairs) { first, _ in first }
    }
}

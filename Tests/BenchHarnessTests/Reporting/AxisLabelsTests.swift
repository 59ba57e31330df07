import Testing

@testable import BenchHarness
@testable import BenchReport

@Suite struct AxisLabelsTests {
    private func places(_ labels: AxisLabels) -> [(x: Double, text: String)] {
        labels.nodes.compactMap { node in
            let html = node.html
            let x = ReportFixture.tags("text", in: html).first?["x"].flatMap(Double.init)
            let text = html.firstMatch(of: />([^<]*)<\/text>/).map { String($0.1) }
            return x.flatMap { x in text.map { (x, $0) } }
        }
    }

    @Test(arguments: [2.0, 10, 30, 60, 100]) func numbersNeverTouch(distance: Double) {
        let labels = (0..<6).map { (Double($0) * distance, "\($0)0,000,000 ms") }
        let places = places(AxisLabels(ofSteps: labels, y: 0)).sorted { $0.x < $1.x }
        #expect(!places.isEmpty)
        for (one, next) in zip(places, places.dropFirst()) {
            let width = Double(one.text.count) * 6.7
            #expect(one.x + width / 2 <= next.x - width / 2)
        }
    }

    @Test func everyOtherNumberGoesFirst() {
        let labels = (0...4).map { (Double($0) * 30, "\($0) ms") }
        #expect(places(AxisLabels(ofSteps: labels, y: 0)).map(\.text) == ["0 ms", "4 ms", "2 ms"])
    }

    @Test func numbersAtTheEndsStayOnTheChart() {
        let places = places(AxisLabels([(0, "1,000 ms"), (Chart.width, "2,000 ms")], y: 0))
        #expect(places.count == 2 && places[0].x > 20 && places[1].x < Chart.width - 20)
    }
}

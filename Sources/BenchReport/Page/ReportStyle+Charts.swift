import BenchHarness

extension ReportStyle {
    static let charts = """
        .charts { display: grid; grid-template-columns: repeat(auto-fit, minmax(min(100%, 20rem), 1fr));
          gap: 1.5rem 2.5rem; align-items: start; margin: 1rem 0 1.25rem; }
        .chart { margin: 0; max-width: 28rem; min-width: 0; }
        .chart svg { display: block; width: 100%; height: auto; overflow: visible; }
        .chart figcaption { font-size: .875rem; font-weight: 600; margin: 0 0 .35rem; }
        .beside { display: grid; grid-template-columns: minmax(0, 26rem) minmax(0, 1fr); gap: 1rem 2.5rem;
          align-items: start; margin: 1.5rem 0; }
        .legend { display: flex; flex-wrap: wrap; gap: .25rem 1.5rem; font-size: .875rem; margin: .25rem 0 .75rem; }
        .findings { margin: 0 0 1.25rem; }
        .findings li { padding: .1rem 0; }

        """

    /// The marks of charts, on pages and in pictures.
    static let marks = """
        svg text { font-size: 11.5px; font-family: inherit; fill: var(--ink); font-variant-numeric: tabular-nums;
          paint-order: stroke; stroke: var(--ground); stroke-width: 3px; stroke-linejoin: round; }
        svg .tick { fill: var(--muted); font-size: 10.5px; }
        svg .value { font-weight: 600; }
        .grid, .guide { stroke: var(--hairline); stroke-width: 1; }
        .guide { stroke-dasharray: 1 3; }
        .axis { stroke: var(--axis); stroke-width: 1; }
        .frame { stroke: var(--alert); stroke-width: 1.25; stroke-dasharray: 5 3; }
        .bar { fill: var(--c); fill-opacity: .22; }
        .found { stroke: var(--c); stroke-width: 1.25; stroke-dasharray: 5 3; }
        .median { stroke: var(--c); stroke-width: 2.5; }
        .free { fill: var(--c); fill-opacity: .2; }
        .blocked { fill: var(--c); fill-opacity: .75; }
        .dot { fill: var(--c); stroke: var(--ground); stroke-width: .75; }
        .dot.hollow { fill: var(--ground); stroke: var(--c); stroke-width: 1.4; }
        .trace { fill: none; stroke: var(--c); stroke-width: 1.75; stroke-linejoin: round; }
        svg .value.bad { fill: var(--alert); }
        svg .value.good { fill: var(--accent); }
        .band { fill: var(--hairline); fill-opacity: .7; }
        .interval { stroke: var(--c); stroke-width: 1.75; }
        .single { fill: var(--c); fill-opacity: .55; }
        .single.hollow { fill: var(--ground); fill-opacity: 1; stroke: var(--c); stroke-width: 1; }

        """

    static let small = """
        @media (max-width: 52rem) {
          .beside { grid-template-columns: minmax(0, 1fr); }
          dl div { grid-template-columns: 6rem 1fr; }
          section { margin-top: 2.5rem; }
          .n { padding-left: .4rem; padding-right: .4rem; }
          .name { max-width: 10rem; }
          tbody th { position: sticky; left: 0; background: var(--ground); }
        }
        @media (max-width: 40rem) {
          .stack { font-size: .95rem; }
          .stack thead { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); }
          .stack tbody, .stack tr { display: block; }
          .stack tr { display: grid; gap: .1rem .9rem; padding: .55rem 0; border-bottom: 1px solid var(--hairline); }
          .stack th, .stack td { border: 0; padding: 0; min-width: 0; white-space: normal; }
          .stack th { grid-column: 1 / -1; justify-self: stretch; position: static; }
          .stack .name { max-width: 100%; }
          .glance tr { grid-template-columns: minmax(0, 1fr) auto minmax(4rem, auto); justify-items: end; }
          .glance td:not([data-column="ratio"]) { display: contents; }
          .glance td::before { content: attr(data-column); color: var(--muted); justify-self: start; text-align: left; overflow: hidden;
            text-overflow: ellipsis; }
          .glance td[data-column="ratio"]::before { content: none; }
          .glance td[data-alone]::after { content: attr(data-alone); color: var(--muted); }
          .compared tr { grid-template-columns: minmax(0, 1.5fr) minmax(0, 1fr) auto; }
          .compared td { text-align: left; }
          .compared td:is([data-column="driver"], [data-column="metric"], [data-column="verdict"]) { grid-row: 2; }
          .compared td:is([data-column="base"], [data-column="new"], [data-column="change"]) { grid-row: 3; }
          .compared td:is([data-column$="interval"], [data-column="p"], [data-column="limit"]) { grid-row: 4;
            font-size: .85rem; }
          .compared td:is([data-column="verdict"], [data-column="change"], [data-column="limit"]) { grid-column: 3;
            text-align: right; }
          .compared td:is([data-column="metric"], [data-column="new"], [data-column="p"]) { grid-column: 2; }
          .compared td[data-column="change"] { font-weight: 650; }
          .compared td:is([data-column="base"], [data-column="new"], [data-column="p"], [data-column="limit"])::before {
            content: attr(data-column) " "; color: var(--muted); }
        }
        @media (prefers-reduced-motion: no-preference) { html { scroll-behavior: smooth; } }
        @media (forced-colors: active) { svg { forced-color-adjust: none; } }

        """

    static let paper = """
        @media print {
          body { max-width: none; padding: 0; font-size: 9.5pt; }
          nav, .skip, .scheme { display: none; }
          section, .phase { margin-top: 1.25rem; }
          .chart, .phase, .beside, tr, .warning, .facts { break-inside: avoid; }
          h2, h3, h4, .lead, .kind, thead { break-after: avoid; }
          .scroll { overflow: visible; }
          .charts { grid-template-columns: repeat(3, minmax(0, 1fr)); gap: 1rem 1.5rem; }
          .name { max-width: none; }
          a { color: inherit; text-decoration: none; }
        }
        @media print { details::details-content { content-visibility: visible; } }

        """
}

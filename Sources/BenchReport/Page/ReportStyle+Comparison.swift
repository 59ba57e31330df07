import BenchHarness

extension ReportStyle {
    static let comparison = """
        .outcome { font-size: 1.2rem; font-weight: 650; margin: 1rem 0; padding: .7rem 1rem; background: var(--raised);
          border-left: 4px solid var(--axis); }
        .outcome.bad { border-color: var(--alert); }
        .outcome.good { border-color: var(--accent); }
        .outcome::first-letter { text-transform: uppercase; }
        #comparison h3 { font-size: 1.1rem; letter-spacing: 0; margin: 2rem 0 .4rem; }
        #comparison td:first-child { padding-left: .55rem; }
        #comparison tbody th { vertical-align: top; }
        .notes { color: var(--muted); font-size: .9rem; max-width: 60rem; }
        .verdict.bad, .verdict.good { font-weight: 650; }
        .verdict.bad, strong.bad { color: var(--alert); }
        .verdict.good, strong.good { color: var(--accent); }
        .verdict.plain { color: var(--muted); }

        """
}

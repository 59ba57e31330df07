import BenchHarness

/// The style sheet of the report. It is part of the program, so that no resource can be missing.
enum ReportStyle {
    /// Returns the style sheet of a page with these drivers.
    static func css(_ drivers: [DriverStyle]) -> String {
        ReportPalette.pageCSS(drivers) + layout + text + tables + charts + marks + comparison + small + paper
    }

    private static let layout = """
        * { box-sizing: border-box; }
        html { scroll-padding-top: 1rem; -webkit-text-size-adjust: 100%; }
        body { margin: 0 auto; max-width: 76rem; padding: 1.5rem clamp(1rem, 4vw, 3rem) 3rem; background: var(--ground);
          color: var(--ink); font: 1rem/1.55 system-ui, -apple-system, "Segoe UI", Roboto, "Helvetica Neue", "Liberation Sans",
          Arial, sans-serif; overflow-wrap: anywhere; }
        main:focus { outline: none; }
        a { color: var(--accent); text-underline-offset: .18em; text-decoration-thickness: 1px; }
        :focus-visible { outline: 3px solid var(--accent); outline-offset: 2px; border-radius: 2px; }
        .skip { position: absolute; left: 1rem; top: -4rem; padding: .5rem 1rem; background: var(--accent);
          color: var(--ground); border-radius: 0 0 .4rem .4rem; z-index: 1; }
        .skip:focus { top: 0; }
        .bar-top { display: flex; flex-wrap: wrap; gap: .5rem 2rem; align-items: center; justify-content: space-between; }
        nav ul, .legend, .findings, ul.warning { list-style: none; margin: 0; padding: 0; }
        nav ul { display: flex; flex-wrap: wrap; gap: .3rem 1.5rem; padding: .6rem 0 .7rem;
          border-bottom: 1px solid var(--hairline); }
        section { margin-top: 3.25rem; }
        .phase { margin-top: 2.25rem; padding-top: 1.5rem; border-top: 1px solid var(--hairline); }
        .facts { display: grid; grid-template-columns: repeat(auto-fit, minmax(min(100%, 24rem), 1fr)); gap: 0 3rem;
          margin: 1.25rem 0; }
        dl { margin: 0; }
        dl div { display: grid; grid-template-columns: 7rem 1fr; gap: 1rem; padding: .3rem 0;
          border-bottom: 1px solid var(--hairline); }
        dt { color: var(--muted); }
        dd { margin: 0; font-variant-numeric: tabular-nums; }
        summary { cursor: pointer; color: var(--accent); width: fit-content; padding: .2rem 0; }
        footer { margin-top: 4rem; padding-top: 1rem; border-top: 1px solid var(--hairline); color: var(--muted);
          font-size: .875rem; }

        """

    private static let text = """
        h1, h2, h3, h4 { line-height: 1.2; text-wrap: balance; font-weight: 650; }
        h1 { font-size: clamp(1.9rem, 1.4rem + 2vw, 2.75rem); letter-spacing: -.02em; margin: .35rem 0 .9rem; }
        h2 { font-size: 1.45rem; letter-spacing: -.01em; margin: 2.25rem 0 .5rem; }
        h3 { font-size: 1.45rem; letter-spacing: -.01em; margin: 0 0 .5rem; }
        h4 { font-size: 1.1rem; margin: 0; }
        .kicker { margin: 0; color: var(--muted); font-size: .875rem; letter-spacing: .04em; }
        .lead, .kind, .note { color: var(--muted); max-width: 46rem; }
        .lead { margin: 0 0 1rem; }
        .kind { margin: .1rem 0 .8rem; font-size: .9rem; }
        .note { font-size: .85rem; margin: .6rem 0 0; }
        .missing, .quiet { color: var(--muted); }
        code { font: .875em ui-monospace, "SF Mono", "Cascadia Mono", Menlo, Consolas, "Liberation Mono", monospace; }
        .warning { margin: 1rem 0; padding: .7rem 1rem; border-left: 4px solid var(--alert); background: var(--raised); }
        ul.warning { padding: .7rem 1rem; margin: 1rem 0; }
        .scheme { display: flex; border: 1px solid var(--axis); border-radius: .45rem; margin: 0; padding: 0;
          font-size: .85rem; }
        .scheme legend { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); }
        .scheme label { position: relative; cursor: pointer; }
        .scheme input { position: absolute; inset: 0; margin: 0; opacity: 0; cursor: pointer; }
        .scheme span { display: block; padding: .2rem .7rem; color: var(--muted); border-radius: .4rem; }
        .scheme input:checked + span { background: var(--ink); color: var(--ground); }
        .scheme input:focus-visible + span { outline: 3px solid var(--accent); outline-offset: 2px; }

        """

    private static let tables = """
        .scroll { overflow-x: auto; max-width: 100%; margin: .25rem 0 1rem; --shade: rgb(120 130 140 / .45);
          background: linear-gradient(to left, var(--ground) 40%, transparent) right / 3rem 100% no-repeat local,
            linear-gradient(to left, var(--shade), transparent) right / 1.1rem 100% no-repeat scroll; }
        table { border-collapse: separate; border-spacing: 0; width: 100%; font-size: .9rem; line-height: 1.4; overflow-wrap: normal; }
        th, td { padding: .42rem .55rem; text-align: left; vertical-align: baseline;
          border-bottom: 1px solid var(--hairline); white-space: nowrap; }
        th:first-child, td:first-child { padding-left: 0; }
        th:last-child, td:last-child { padding-right: 0; }
        thead th { color: var(--muted); font-weight: 500; font-size: .82rem; border-bottom-color: var(--axis);
          vertical-align: bottom; }
        tbody th { font-weight: 550; }
        .n { text-align: right; font-variant-numeric: tabular-nums; }
        .name { display: inline-flex; align-items: center; max-width: 18rem; overflow: hidden; vertical-align: bottom; }
        .name a { display: inline-flex; min-width: 0; }
        .name .start { min-width: 0; overflow: hidden; text-overflow: ellipsis; white-space: pre; }
        .name .end, .name .swatch { flex: none; white-space: pre; }
        td:has(code), td.reason { min-width: 18rem; }
        td code, td.reason { white-space: pre-wrap; overflow-wrap: anywhere; }
        .swatch { width: 28px; height: 12px; margin-right: .55rem; vertical-align: -.05em; overflow: visible; }

        """
}

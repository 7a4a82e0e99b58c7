"""The style sheet of HTML pages: narrow and wide screens, dark mode, and paper."""

from typing import Final

STYLE: Final = """
:root { color-scheme: light dark; --paper: #fff; --ink: #1c2024; --quiet: #5b626b; --rule: #dfe3e8; --soft: #f5f7f9;
  --link: #0b57c2; --good: #12703a; --good-soft: #e5f6ea; --bad: #b3261e; --bad-soft: #fdebe9; --open: #8a5a00; }
@media screen and (prefers-color-scheme: dark) { :root { --paper: #15181c; --ink: #e4e7eb; --quiet: #a2aab4;
  --rule: #333940; --soft: #1e2227; --link: #86b6ff; --good: #7fd79c; --good-soft: #16301f; --bad: #ff9d94;
  --bad-soft: #3a1c1a; --open: #f0c26a; } }
* { box-sizing: border-box; }
html { scroll-padding-top: 1rem; }
body { margin: 0; background: var(--paper); color: var(--ink); line-height: 1.6; overflow-wrap: anywhere;
  font-family: system-ui, -apple-system, "Segoe UI", Roboto, sans-serif; }
main { max-width: 54rem; margin: 0 auto; padding: 1.25rem 1rem 4rem; outline: none; }
a { color: var(--link); text-underline-offset: .15em; }
:focus-visible { outline: 2px solid var(--link); outline-offset: 2px; }
:target { background: var(--soft); box-shadow: -4px 0 var(--link); }
.skip { position: absolute; left: -100rem; padding: .5rem 1rem; background: var(--paper); }
.skip:focus { left: .5rem; top: .5rem; z-index: 2; }
h1, h2, h3, h4, h5, h6 { line-height: 1.25; margin: 1.6em 0 .5em; text-wrap: balance; }
h1 { font-size: 1.9rem; margin-top: .3em; letter-spacing: -.01em; }
h2 { font-size: 1.4rem; padding-top: .9em; border-top: 1px solid var(--rule); }
h3 { font-size: 1.12rem; } h4, h5, h6 { font-size: 1rem; }
p { margin: .35em 0; }
.text { white-space: pre-wrap; }
ul, ol { padding-left: 1.3rem; margin: .4em 0; }
li { margin: .25em 0; }
li::marker { color: var(--quiet); }
.labelled { margin: .7em 0; }
.label { font-weight: 600; margin-bottom: .1em; }
.labelled .labelled { margin: .35em 0; }
.text a, .label a, .cited a { white-space: nowrap; }
.cited { color: var(--quiet); font-size: .875rem; }
.good, .bad, .open { padding-left: .75rem; border-left: 3px solid var(--open); }
.good { border-color: var(--good); } .bad { border-color: var(--bad); }
.good > .label { color: var(--good); } .bad > .label { color: var(--bad); } .open > .label { color: var(--open); }
.node { margin: 1em 0; padding-left: .75rem; border-left: 2px solid var(--rule); }
pre, figure { margin: .6em 0; padding: .75rem 1rem; overflow-x: auto; background: var(--soft); border-radius: 8px;
  border: 1px solid var(--rule); }
pre, code, svg text { font-family: ui-monospace, "SF Mono", Menlo, Consolas, "DejaVu Sans Mono", monospace; }
p code { font-size: .88em; padding: .1em .3em; background: var(--soft); border-radius: 4px; }
pre { font-size: .84rem; line-height: 1.5; overflow-wrap: normal; }
pre span { display: block; }
.rich { margin: .5em 0; } .rich p { margin: .5em 0; } .rich .heading { font-weight: 600; margin-top: 1em; }
.rich :is(li, td) code { font-size: .88em; padding: .1em .3em; background: var(--soft); border-radius: 4px; }
blockquote { margin: .5em 0; padding-left: .75rem; border-left: 3px solid var(--rule); color: var(--quiet); }
table { border-collapse: collapse; margin: .6em 0; font-size: .92rem; }
th, td { padding: .3em .6em; border: 1px solid var(--rule); text-align: left; vertical-align: top; }
th { background: var(--soft); overflow-wrap: break-word; }
.added { background: var(--good-soft); color: var(--good); }
.removed { background: var(--bad-soft); color: var(--bad); }
.hunk { color: var(--link); } .file { font-weight: 600; }
svg { display: block; max-width: none; }
svg text { font-size: 13px; fill: var(--ink); }
.line { stroke: var(--quiet); stroke-width: 1.5; fill: none; stroke-linecap: square; } .head { fill: var(--quiet); }
.flow .box { fill: var(--paper); stroke: var(--quiet); } .flow .quiet { fill: var(--quiet); }
.flow .gate { stroke: var(--open); stroke-width: 2; } .flow .dispatch { stroke: var(--link); }
.rule { stroke: var(--quiet); stroke-opacity: .5; } .flow { margin: 0 auto; }
.flow .line { stroke-linecap: butt; } .flow .back { stroke-dasharray: 5 3; }
.chart { padding: .5rem .75rem; } .chart svg { width: 100%; min-width: 30rem; } .chart text { font-size: 11px; }
.chart text.head { font-weight: 600; font-size: 12px; }
.bar { fill: var(--soft); stroke: var(--quiet); padding: 0; }
.bar.good { fill: var(--good-soft); stroke: var(--good); } .bar.bad { fill: var(--bad-soft); stroke: var(--bad); }
.bar.open { stroke: var(--open); stroke-dasharray: 3 2; }
.facts { display: grid; grid-template-columns: repeat(auto-fill, minmax(min(10.5rem, 45%), 1fr)); gap: .6rem 1rem;
  margin: 1.2em 0; }
.facts dt { color: var(--quiet); font-size: .82rem; } .facts dd { margin: 0; font-weight: 600; }
main details { margin: .5em 0; } main summary { font-weight: 500; }
details[open] > summary { margin-bottom: .4em; }
.timeline { list-style: none; padding: 0; margin: .8em 0 .8em .45rem; border-left: 2px solid var(--rule); }
.timeline > li { position: relative; margin: 0; padding: 0 0 1rem 1.4rem; }
.timeline > li::before { content: ""; position: absolute; left: -7px; top: .45em; width: 12px; height: 12px;
  border-radius: 50%; background: var(--link); border: 2px solid var(--paper); }
.timeline > li > .labelled { margin: 0; }
nav { padding: .75rem 1rem; border-bottom: 1px solid var(--rule); background: var(--soft); font-size: .92rem; }
summary { cursor: pointer; font-weight: 600; }
nav ul { list-style: none; margin: .5rem 0 0; padding: 0; }
nav a { color: inherit; text-decoration: none; } nav a:hover { text-decoration: underline; }
.entry2 { margin-top: .6rem; font-weight: 600; } .entry3 { padding-left: .8rem; color: var(--quiet); }
@media (min-width: 64rem) {
  body { display: grid; grid-template-columns: 18rem minmax(0, 1fr); }
  nav { position: sticky; top: 0; height: 100vh; overflow-y: auto; border: 0; border-right: 1px solid var(--rule);
    padding: 1.75rem 1.25rem; }
  nav summary { list-style: none; }
  nav details::details-content { content-visibility: visible; block-size: auto; }
  main { width: 100%; margin: 0; padding: 2rem 3rem 6rem; grid-column: 2; }
}
@media print {
  :root { color-scheme: light; }
  body { display: block; } nav, .skip { display: none; }
  main { max-width: none; padding: 0; } pre { white-space: pre-wrap; }
  figure svg { max-width: 100%; max-height: 95vh; width: auto; height: auto; }
  pre, figure, .labelled, li { break-inside: avoid; }
  h1, h2, h3, h4 { break-after: avoid; }
}
"""

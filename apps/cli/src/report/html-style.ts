import { Html } from '#libs/html';

/** The page's own style: no script, no font, nothing from elsewhere; for light and dark screens and for paper. */
export const HTML_STYLE = new Html(`
:root {
  color-scheme: light dark;
  --ground: #f6f7f9; --sheet: #fff; --ink: #16202c; --soft: #55616f; --line: #dbe0e6; --accent: #1f5fa8;
  --critical: #8f1239; --high: #b3400a; --medium: #80610a; --low: #2c6a45; --info: #4c5a69;
}
@media (prefers-color-scheme: dark) {
  :root {
    --ground: #0f141a; --sheet: #171e26; --ink: #e6ebf0; --soft: #9caab8; --line: #2b3642; --accent: #7fb4f0;
    --critical: #ff9db5; --high: #ffb086; --medium: #ecc863; --low: #86d3a4; --info: #aebccb;
  }
}
* { box-sizing: border-box; }
body {
  margin: 0; background: var(--ground); color: var(--ink);
  font: 15px/1.5 system-ui, -apple-system, "Segoe UI", Roboto, "Helvetica Neue", Arial, sans-serif;
  font-variant-numeric: tabular-nums;
}
main { max-width: 68rem; margin: 0 auto; padding: 2.5rem 1.5rem 4rem; }
h1 { font-size: 1.9rem; line-height: 1.2; letter-spacing: -0.015em; margin: 0 0 0.35rem; }
h1 time { white-space: nowrap; }
h2 { font-size: 1.2rem; margin: 2.75rem 0 0.8rem; padding-bottom: 0.35rem; border-bottom: 1px solid var(--line); }
h3 { font-size: 1.05rem; margin: 0; overflow-wrap: anywhere; }
p { margin: 0.4rem 0; max-width: 46rem; }
.soft { color: var(--soft); }
.eyebrow { color: var(--accent); font-weight: 600; font-size: 0.82rem; letter-spacing: 0.06em; text-transform: uppercase; margin: 0 0 0.4rem; }
code { font: 0.86em/1.5 ui-monospace, SFMono-Regular, Menlo, Consolas, monospace; overflow-wrap: anywhere; }
pre { margin: 0.6rem 0; padding: 0.7rem 0.9rem; border: 1px solid var(--line); border-radius: 6px; background: var(--sheet); white-space: pre-wrap; }
.fingerprint { font-size: 1rem; font-weight: 600; }
.cards { display: grid; grid-template-columns: repeat(auto-fit, minmax(13.5rem, 1fr)); gap: 0.9rem; align-items: start; }
.card, .asset { background: var(--sheet); border: 1px solid var(--line); border-radius: 8px; padding: 0.9rem 1.1rem; }
.asset { margin: 0 0 0.9rem; }
.asset header { display: flex; flex-wrap: wrap; gap: 0.1rem 0.9rem; align-items: baseline; }
.asset header p { margin: 0; font-size: 0.88rem; }
table { width: 100%; border-collapse: collapse; font-size: 0.9rem; }
caption { text-align: left; font-weight: 600; padding: 0.2rem 0 0.35rem; }
.asset caption { padding-top: 0.9rem; }
th, td { text-align: left; vertical-align: top; padding: 0.32rem 0.9rem 0.32rem 0; border-top: 1px solid var(--line); overflow-wrap: anywhere; }
thead th { font-size: 0.78rem; color: var(--soft); font-weight: 600; border-top: 0; }
tbody th { font-weight: 400; }
.asset tbody th { font-weight: 600; }
td.number, th.number { text-align: right; padding-right: 0; white-space: nowrap; }
.partitions td.number, .partitions th.number { padding-right: 1.5rem; }
.findings { table-layout: fixed; min-width: 46rem; }
.findings th, .findings td { overflow-wrap: break-word; }
.findings .severity { width: 6.6rem; } .findings .type { width: 4.6rem; } .findings .mapped { width: 10rem; }
.findings .source { width: 8.6rem; } .findings .when { width: 7.2rem; }
.findings td.mapped span { display: block; }
.findings time { display: block; white-space: nowrap; }
.level { font-weight: 600; white-space: nowrap; }
.critical { color: var(--critical); } .high { color: var(--high); } .medium { color: var(--medium); }
.low { color: var(--low); } .info { color: var(--info); }
.rationale td { border-top: 0; padding-top: 0; }
.rationale blockquote { margin: 0 0 0.3rem; padding-left: 0.8rem; border-left: 3px solid var(--line); white-space: pre-wrap; }
.scroll { overflow-x: auto; }
@media print {
  :root { color-scheme: light; --ground: #fff; --sheet: #fff; --ink: #000; --soft: #444; --line: #bbb; --accent: #000;
    --critical: #8f1239; --high: #8a3208; --medium: #5e4705; --low: #1f4e32; --info: #333; }
  body { font-size: 10pt; }
  main { max-width: none; padding: 0; }
  .card, .asset { border-radius: 0; }
  .findings { min-width: 0; font-size: 8.5pt; }
  .scroll { overflow: visible; }
  h2, h3, caption, thead { break-after: avoid; }
  tr, .card { break-inside: avoid; }
  @page { margin: 18mm 15mm; }
}
`);

import { Html, html } from '#libs/html';

/** What every report of the service has: `posture report --check` requests it again by these. */
export interface ReportHead {
  /** Path and query that return the same report again. */
  request: string;
  /** ISO 8601. */
  at: string;
}

/**
 * One page to read and print: no script, no other file, every text escaped. Its second line names the request, which
 * cannot end the comment: it is URL-encoded.
 */
export const reportPage = (
  { request, at }: ReportHead,
  { title, subtitle, sections }: { title: string; subtitle: string; sections: Html[] },
): string =>
  html`<!doctype html>
<!-- posture-report ${new Html(request)} -->
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title} ${dayOf(at)}</title>
<style>${new Html(STYLE)}</style>
</head>
<body>
<main>
<header><h1>${title}</h1><p>${subtitle}</p></header>
${sections}
</main>
</body>
</html>
`.text;

export const NONE = '–';
/** What due dates in a report follow if the SLA has other days too. */
export const BY_SEVERITY_ONLY = 'by severity only (days by SSVC and KEV are not counted)';
export const dayOf = (time: string): string => time.slice(0, 10);
export const timeOf = (time: string): string => `${time.slice(0, 10)} ${time.slice(11, 16)} UTC`;

/** A section with a table; a remark follows it. */
export const table = (title: string, headers: string[], rows: Html[], remark = ''): Html =>
  rows.length === 0
    ? html`<section><h2>${title}</h2><p>None.</p></section>
`
    : html`<section><h2>${title}</h2>
<table><thead><tr>${headers.map((header) => html`<th scope="col">${header}</th>`)}</tr></thead>
<tbody>
${rows}</tbody></table>
<p>${remark}</p></section>
`;

const STYLE = `
:root { color-scheme: light dark; }
body { margin: 0; font: 15px/1.5 system-ui, sans-serif; overflow-wrap: anywhere; }
main { max-width: 860px; margin: 0 auto; padding: 24px 16px; }
h1 { margin: 0; font-size: 26px; }
h2 { margin: 28px 0 8px; font-size: 18px; }
dl { display: flex; flex-wrap: wrap; gap: 12px 40px; margin: 0; }
dd { margin: 0; font-weight: 600; }
dd.score { font-size: 32px; line-height: 1.2; }
table { width: 100%; border-collapse: collapse; }
th, td { padding: 5px 8px; border-bottom: 1px solid #8886; text-align: start; vertical-align: top; }
td { min-width: 4.5em; }
thead th, .when { white-space: nowrap; }
.number { text-align: end; font-variant-numeric: tabular-nums; white-space: nowrap; }
svg { width: 100%; height: auto; border-bottom: 1px solid #8886; }
polyline { fill: none; stroke: #3b5bdb; stroke-width: 2; }
h3 { margin: 24px 0 6px; font-size: 16px; }
h4 { margin: 12px 0 2px; font-size: 14px; }
.facts { gap: 6px 28px; font-size: 14px; }
.facts dt { font-size: 12px; }
.text { margin: 4px 0; white-space: pre-wrap; }
pre { margin: 4px 0; padding: 6px 8px; border: 1px solid #8886; font-size: 12px; white-space: pre-wrap; }
footer { margin-top: 32px; font-size: 13px; }
@media screen and (max-width: 600px) {
  td { min-width: 0; }
  thead th, .when, .number { white-space: normal; }
}
@media print {
  :root { color-scheme: light; }
  main { max-width: none; padding: 0; }
  h2, h3, thead { break-after: avoid; }
  tr, dl, figure, p { break-inside: avoid; }
  thead { display: table-header-group; }
  @page { size: A4; margin: 16mm; }
}
`;

import { Html, type HtmlValue, html } from '#libs/html';
import { type Chain, chainAfter, formerChainAfter } from '#libs/intake';
import { HTML_STYLE } from './html-style.ts';
import type { ReportAcceptedFinding, ReportAsset, ReportFinding, ReportSummary } from './report-content.ts';
import type { ReportFormat } from './report-format.ts';

const HEAD_START = '<!-- posture-report ';
const HEAD_END = ' -->';

/** One self-contained page: no script, nothing from elsewhere, everything that came from outside escaped. */
const htmlReportOf = (number: number, chain: Chain): ReportFormat => ({
  number,
  chain,
  beginning: (summary) => `${page(summary, number).text}\n`,
  asset: (asset) => `${assetSection(asset).text}\n`,
  end: ({ totals }) => `${totals.assets === 0 ? '<p>There was no asset.</p>\n' : ''}</section>
</main>
</body>
</html>
`,
  seal: (sha256) => `<!-- sha256 ${sha256} -->\n`,
  headOf(text) {
    const start = text.indexOf(HEAD_START) + HEAD_START.length;
    return JSON.parse(text.slice(start, text.indexOf(HEAD_END, start)));
  },
});

export const htmlReport = htmlReportOf(2, chainAfter);
export const htmlReport1 = htmlReportOf(1, formerChainAfter);

function page(summary: ReportSummary, number: number): Html {
  const { logId, asOf, fingerprint, partitions, totals } = summary;
  const records = partitions.reduce((sum, { records }) => sum + records, 0);
  return html`<!doctype html>
${headComment(summary, number)}
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">
<title>Risk posture as of ${shownTime(asOf)}</title>
<style>${HTML_STYLE}</style>
</head>
<body>
<main>
<header>
<p class="eyebrow">Risk posture report</p>
<h1>What was known at ${time(asOf)}</h1>
<p class="soft">Derived from ${records} records of log <code>${logId}</code>, and from nothing else. Report format ${number}.</p>
</header>
<section aria-labelledby="totals">
<h2 id="totals">Totals</h2>
<div class="cards">
${countTable(
  'Findings by state',
  totals.findingsByState.map(([state, count]) => [stateName(state), count]),
)}
${countTable('Open findings by severity', totals.openFindingsBySeverity, true)}
${countTable('Open findings by type', totals.openFindingsByType)}
${countTable(`Assets by type (${totals.assets} in all)`, totals.assetsByType)}
</div>
</section>
<section aria-labelledby="proof">
<h2 id="proof">Proof</h2>
<p>This fingerprint stands for every record that the report was derived from, in its order: two reports that show the same one speak of the same history.</p>
<pre class="fingerprint"><code>${fingerprint}</code></pre>
<p>Whoever has the exported log can derive the report again, without the service, and compare every byte:</p>
<pre><code>posture report --check <var>REPORT</var> <var>LOGFILE</var></code></pre>
<div class="scroll">
<table class="partitions">
<caption>Partitions of the log, up to the instant</caption>
<thead><tr><th scope="col" class="number">Partition</th><th scope="col" class="number">Records</th><th scope="col">Head of the hash chain</th></tr></thead>
<tbody>
${partitions.map(
  ({ partition, records, head }) =>
    html`<tr><td class="number">${partition}</td><td class="number">${records}</td><td><code>${head}</code></td></tr>
`,
)}</tbody>
</table>
</div>
</section>
<section aria-labelledby="assets">
<h2 id="assets">Assets, with open and accepted findings</h2>`;
}

/** For `--check`, which reads the page again; nothing in it ends the comment. */
function headComment({ logId, asOf, fingerprint, partitions }: ReportSummary, format: number): Html {
  const head = { report: 'posture', format, logId, asOf, fingerprint, partitions };
  const text = JSON.stringify(head).replace(
    /[<>-]/g,
    (character) => `\\u00${character.charCodeAt(0).toString(16)}`,
  );
  return new Html(`${HEAD_START}${text}${HEAD_END}`);
}

const countTable = (
  title: string,
  counts: [string, number][],
  isLevel = false,
): Html => html`<div class="card">
<table>
<caption>${title}</caption>
<tbody>
${
  counts.length === 0
    ? html`<tr><td>None</td></tr>
`
    : counts.map(
        ([name, count]) =>
          html`<tr><th scope="row">${isLevel ? level(name) : html`<bdi>${name}</bdi>`}</th><td class="number">${count}</td></tr>
`,
      )
}</tbody>
</table>
</div>`;

function assetSection(asset: ReportAsset): Html {
  const { id, name, open, accepted } = asset;
  return html`<article class="asset" id="asset-${id}">
<header><h3><bdi>${name}</bdi></h3><p class="soft">${described(asset)}</p></header>
<p class="soft"><code>${id}</code></p>
${
  open.length + accepted.length === 0
    ? html`<p>No open or accepted findings.</p>
`
    : ''
}${open.length > 0 ? openTable(open) : ''}${accepted.length > 0 ? acceptedTable(accepted) : ''}</article>`;
}

const described = ({ type, attackSurface, department, location, criticality }: ReportAsset): Html =>
  html`<bdi>${type}</bdi> · <bdi>${attackSurface}</bdi> · <bdi>${department}</bdi> · <bdi>${location}</bdi>${
    criticality === null ? '' : html` · criticality ${criticality}`
  }`;

const openTable = (findings: ReportFinding[]): Html =>
  findingsTable(
    `Open findings (${findings.length})`,
    ['First seen (UTC)', 'Last seen (UTC)'],
    findings.map((finding) => findingRow(finding, moment(finding.firstSeen), moment(finding.lastSeen))),
  );

const acceptedTable = (findings: ReportAcceptedFinding[]): Html =>
  findingsTable(
    `Accepted findings (${findings.length})`,
    ['Accepted since (UTC)', 'Until (UTC)'],
    findings.map(
      (finding) => html`${findingRow(
        finding,
        moment(finding.acceptedSince),
        finding.acceptedUntil === null ? 'without an end' : moment(finding.acceptedUntil),
      )}<tr class="rationale"><td></td><td colspan="6"><blockquote><bdi>${finding.rationale}</bdi></blockquote><span class="soft">Accepted by <bdi>${finding.acceptedBy}</bdi></span></td></tr>
`,
    ),
  );

const findingsTable = (
  title: string,
  times: [string, string],
  rows: Html[],
): Html => html`<div class="scroll">
<table class="findings">
<caption>${title}</caption>
<thead><tr><th scope="col" class="severity">Severity</th><th scope="col">Finding</th><th scope="col" class="type">Type</th><th scope="col" class="mapped">CVEs and techniques</th><th scope="col" class="source">Source</th>${times.map(
  (name) => html`<th scope="col" class="when">${name}</th>`,
)}</tr></thead>
<tbody>
${rows}</tbody>
</table>
</div>
`;

function findingRow(finding: ReportFinding, from: HtmlValue, to: HtmlValue): Html {
  const { severity, severityLevel, name, type, cves, techniques, source } = finding;
  const mapped = [...cves, ...techniques].map((id) => html`<span>${id}</span>`);
  return html`<tr><td>${level(severityLevel)} <span class="soft">${severity}</span></td><th scope="row"><bdi>${name}</bdi></th><td>${type}</td><td class="mapped">${mapped}</td><td><bdi>${source ?? ''}</bdi></td><td>${from}</td><td>${to}</td></tr>
`;
}

const level = (name: string): Html => html`<span class="level ${name}">${name}</span>`;

const time = (iso: string): Html => html`<time datetime="${iso}">${shownTime(iso)}</time>`;

const shownTime = (iso: string): string => `${dateOf(iso)} ${clockOf(iso)} UTC`;

/** The same in a narrow column, whose head names the zone. */
const moment = (iso: string): Html =>
  html`<time datetime="${iso}">${dateOf(iso)}<br><span class="soft">${clockOf(iso)}</span></time>`;

const dateOf = (iso: string): string => iso.slice(0, 'YYYY-MM-DD'.length);

/** To the second, or to the millisecond if there is one. */
const clockOf = (iso: string): string => iso.slice('YYYY-MM-DDT'.length, -1).replace(/\.000$/, '');

const STATE_NAMES: Record<string, string> = {
  Failed: 'Failed (open)',
  AcceptedFailed: 'Accepted',
  NotAssessed: 'Not assessed',
};

const stateName = (state: string): string => STATE_NAMES[state] ?? state;

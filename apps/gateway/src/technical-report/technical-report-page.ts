import { SEVERITY_LEVELS } from '#libs/domain';
import { type Html, html } from '#libs/html';
import type { KevEntryDto } from '../findings/finding.dto.ts';
import { BY_SEVERITY_ONLY, dayOf, NONE, reportPage, table, timeOf } from '../report-pages/report-page.ts';
import type {
  ReportedInstanceDto,
  TechnicalAssetDto,
  TechnicalFindingDto,
  TechnicalReportDto,
} from './technical-report.dto.ts';

/** The report as one page to print. */
export const technicalReportPage = (report: TechnicalReportDto): string =>
  reportPage(report, {
    title: 'Technical report',
    subtitle: `Findings as of ${timeOf(report.at)}`,
    sections: [
      selectionOf(report),
      totalsOf(report),
      assetsOf(report),
      findingsOf(report),
      html`<footer>Times are UTC.</footer>`,
    ],
  });

/** Parameters that select no findings. */
const OTHER_PARAMETERS = ['asOf', 'limit'];
const DUE_FILTERS = ['dueBefore', 'sla'];

/** Which assets the reader sees, if not all. Also of the mail with the report. */
export const limitsOf = ({
  limits: { departments, locations },
}: Pick<TechnicalReportDto, 'limits'>): [string, string][] =>
  Object.entries({ departments, locations }).flatMap(([kind, names]) =>
    names === null ? [] : [[`Only ${kind}`, names.join(', ') || 'none']],
  );

function selectionOf(report: TechnicalReportDto): Html {
  const given = [...new URL(report.request, 'http://localhost').searchParams].filter(
    ([name]) => !OTHER_PARAMETERS.includes(name),
  );
  if (report.slaBySeverityOnly && given.some(([name]) => DUE_FILTERS.includes(name)))
    given.push(['Due dates', BY_SEVERITY_ONLY]);
  const rows = [...limitsOf(report), ...given].map(
    ([name, value]) => html`<tr><th scope="row">${name}</th><td>${value}</td></tr>
`,
  );
  if (rows.length === 0)
    return html`<section><h2>Selection</h2><p>All findings.</p></section>
`;
  return table('Selection', ['Filter', 'Value'], rows);
}

const totalsOf = ({ totals }: TechnicalReportDto): Html =>
  table(
    `Findings: ${totals.total}`,
    ['By', 'Value', 'Findings'],
    [
      ...countsOf('state', totals.state, Object.keys(totals.state).sort()),
      ...countsOf(
        'severity',
        totals.severityLevel,
        SEVERITY_LEVELS.map(([level]) => level),
      ),
      ...countsOf('type', totals.type, Object.keys(totals.type).sort()),
    ],
  );

const countsOf = (kind: string, counts: Record<string, number>, order: readonly string[]): Html[] =>
  order
    .filter((value) => Object.hasOwn(counts, value))
    .map(
      (value) => html`<tr><td>${kind}</td><td>${value}</td><td class="number">${counts[value]!}</td></tr>
`,
    );

const assetsOf = ({ totals, findings, assets }: TechnicalReportDto): Html =>
  table(
    `${totals.total > findings.length ? 'Assets of the listed findings' : 'Affected assets'}: ${assets.length}`,
    ['Asset', 'Type', 'Department, location', 'Criticality', 'Score', 'Findings'],
    assets.map(
      (asset) =>
        html`<tr><td>${asset.name}<br>${addressesOf(asset)}</td><td>${asset.type}</td><td>${asset.department}, ${asset.location}</td><td>${asset.criticality ?? NONE}</td><td class="number">${asset.score === null ? NONE : asset.score.toFixed(2)}</td><td class="number">${asset.findings}</td></tr>
`,
    ),
  );

function addressesOf({ fqdn, ipAddresses, ipAddressCount }: TechnicalAssetDto): string {
  const names = [...new Set([fqdn ?? '', ...ipAddresses])].filter((name) => name !== '');
  return listed(names, names.length + ipAddressCount - ipAddresses.length);
}

const findingsOf = ({ totals, findings }: TechnicalReportDto): Html =>
  html`<section><h2>Findings, the most severe first</h2>
${findings.map(findingOf)}<p>${
    totals.total > findings.length
      ? `${totals.total - findings.length} more findings match, and are not listed.`
      : ''
  }</p></section>
`;

function findingOf(finding: TechnicalFindingDto): Html {
  const { name, description, remediation, tickets } = finding;
  return html`<article><h3>${name}</h3>
<dl class="facts">
${factsOf(finding).map(
  ([term, value]) => html`<div><dt>${term}</dt><dd>${value}</dd></div>
`,
)}</dl>
${textOf('Description', description)}${evidenceOf(finding)}${textOf('Fix', remediation?.description)}${textOf('Reference', remediation?.reference)}${textOf('Impact of the fix', remediation?.impact)}${textOf(
  'Tickets',
  tickets.map(({ url, label }) => (label ? `${label}: ${url}` : url)).join('\n'),
)}${textOf('Accepted because', finding.accepted?.rationale)}</article>
`;
}

const listed = (ids: readonly string[], count: number): string =>
  [...ids, ...(count > ids.length ? [`${count - ids.length} more`] : [])].join(', ');

/** Those that the finding has. */
function factsOf(finding: TechnicalFindingDto): [term: string, value: string][] {
  const { severity, ssvc, epss, kev, accepted, assignee, due, dueReason } = finding;
  const facts: [string, string | null | false | undefined][] = [
    ['Severity', [severity.value.toFixed(1), severity.vector].filter(Boolean).join(', ')],
    ['Asset', finding.assetName],
    ['State', finding.state],
    ['SSVC decision', ssvc?.decision],
    ['Known exploited', kev && knownExploited(kev)],
    ['EPSS, highest', epss !== null && `${(epss * 100).toFixed(2)} %`],
    ['CVEs', listed(finding.cves, finding.cveCount)],
    ['Techniques', listed(finding.techniques, finding.techniqueCount)],
    ['Owner', assignee && `${assignee.type} ${assignee.name}`],
    ['Due', due && [dayOf(due), finding.overdue && 'overdue', dueReason].filter(Boolean).join(', ')],
    [
      'Accepted',
      accepted &&
        `by ${accepted.by}, ${accepted.until ? `until ${dayOf(accepted.until)}` : 'without an end'}`,
    ],
    ['Tags', finding.tags.join(', ')],
    ['Source', finding.source],
    ['First seen', dayOf(finding.firstSeen)],
    ['Id', finding.id],
  ];
  return facts.filter((fact): fact is [string, string] => Boolean(fact[1]));
}

function knownExploited({ cve, added, due, ransomware }: KevEntryDto): string {
  const remedy = due ? `, remedy until ${due}` : '';
  return `${cve} since ${added}${remedy}${ransomware ? ', ransomware' : ''}`;
}

const textOf = (title: string, text: string | null | undefined): Html =>
  text
    ? html`<h4>${title}</h4><p class="text">${text}</p>
`
    : html``;

function evidenceOf({ instances, instanceCount }: TechnicalFindingDto): Html {
  const more = instanceCount - instances.length;
  return html`<h4>Instances: ${instanceCount}</h4>
${instances.map(instanceOf)}${
  more > 0
    ? html`<p>${more} more instances.</p>
`
    : ''
}`;
}

const instanceOf = ({ key, status, evidence }: ReportedInstanceDto): Html =>
  html`<p>${[key, status].filter(Boolean).join(': ')}</p>
${
  evidence
    ? html`<pre>${evidence}</pre>
`
    : ''
}`;

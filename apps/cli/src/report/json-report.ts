import { type Chain, chainAfter, formerChainAfter } from '#libs/intake';
import type { ReportTotals } from './report-content.ts';
import type { ReportFormat } from './report-format.ts';

/** One JSON document, with one partition and one asset a line, so that two reports can be compared line by line. */
const jsonReportOf = (number: number, chain: Chain): ReportFormat => ({
  number,
  chain,
  beginning: ({ logId, asOf, fingerprint, partitions, totals }) => `{
"report": "posture",
"format": ${number},
"logId": ${JSON.stringify(logId)},
"asOf": ${JSON.stringify(asOf)},
"fingerprint": ${JSON.stringify(fingerprint)},
"partitions": [
${partitions.map(listed).join('')}],
"totals": {
${totalLines(totals).join(',\n')}
},
"assets": [
`,
  asset: listed,
  end: () => '],\n',
  seal: (sha256) => `"sha256": ${JSON.stringify(sha256)}\n}\n`,
  headOf(text) {
    const end = text.indexOf('\n],\n');
    return JSON.parse(`${text.slice(0, end)}\n]}`);
  },
});

export const jsonReport = jsonReportOf(2, chainAfter);
export const jsonReport1 = jsonReportOf(1, formerChainAfter);

/** The comma is before an item, so that a line does not change with what follows it. */
function listed(item: object, index: number): string {
  return `${index === 0 ? ' ' : ','}${JSON.stringify(item)}\n`;
}

const totalLines = (totals: ReportTotals): string[] =>
  Object.entries(totals).map(
    ([name, counts]) =>
      `${JSON.stringify(name)}: ${JSON.stringify(typeof counts === 'number' ? counts : Object.fromEntries(counts))}`,
  );

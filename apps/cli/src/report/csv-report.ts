import { stringify } from 'csv-stringify/sync';
import { csvList, csvRows } from '#libs/csv';
import { type Chain, chainAfter, formerChainAfter } from '#libs/intake';
import type { ReportAcceptedFinding, ReportFinding } from './report-content.ts';
import type { ReportFormat } from './report-format.ts';

/** The columns of all kinds of rows; `kind` is the kind of a row. */
export const CSV_COLUMNS = [
  'kind',
  'name',
  'value',
  'partition',
  'records',
  'chainHead',
  'assetId',
  'assetName',
  'assetType',
  'attackSurface',
  'department',
  'location',
  'criticality',
  'findingId',
  'findingType',
  'findingName',
  'state',
  'severity',
  'severityLevel',
  'cves',
  'techniques',
  'source',
  'firstSeen',
  'lastSeen',
  'expiresAt',
  'acceptedBy',
  'acceptedSince',
  'acceptedUntil',
  'rationale',
] as const;

type Row = Partial<Record<(typeof CSV_COLUMNS)[number], string | number | null>>;

/** A line break within a cell is one, whichever it is; the library looks for the one that ends rows. */
const LINE_BREAK = /[\r\n]/;

/**
 * CSV in UTF-8: rows of kind `report`, `partition`, `total`, `asset` and `finding`, a finding's asset named again in its
 * row.
 */
const csvReportOf = (number: number, chain: Chain, rows: (all: Row[]) => string): ReportFormat => ({
  number,
  chain,
  beginning: ({ logId, asOf, fingerprint, partitions, totals }) =>
    rows([
      Object.fromEntries(CSV_COLUMNS.map((column) => [column, column])),
      fact('format', number),
      fact('logId', logId),
      fact('asOf', asOf),
      fact('fingerprint', fingerprint),
      ...partitions.map(
        ({ partition, records, head }): Row => ({
          kind: 'partition',
          partition,
          records,
          chainHead: head,
        }),
      ),
      total('assets', totals.assets),
      ...totals.assetsByType.map(([type, count]) => total(`assets of type ${type}`, count)),
      ...totals.findingsByState.map(([state, count]) => total(`findings ${state}`, count)),
      ...totals.openFindingsByType.map(([type, count]) => total(`open findings of type ${type}`, count)),
      ...totals.openFindingsBySeverity.map(([level, count]) => total(`open findings ${level}`, count)),
    ]),
  asset({ open, accepted, ...asset }) {
    const named: Row = { assetId: asset.id, assetName: asset.name };
    const { type, attackSurface, department, location, criticality } = asset;
    return rows([
      { kind: 'asset', ...named, assetType: type, attackSurface, department, location, criticality },
      ...open.map((finding): Row => ({ ...named, ...findingCells(finding), state: 'Failed' })),
      ...accepted.map(
        (finding): Row => ({ ...named, ...findingCells(finding), ...acceptanceCells(finding) }),
      ),
    ]);
  },
  end: () => '',
  seal: (sha256) => rows([fact('sha256', sha256)]),
  headOf(text) {
    const lines = text.split('\r\n').map((line) => line.split(','));
    // Cells after it contain texts of senders, whose line breaks can look like further rows.
    const end = lines.findIndex(([kind]) => kind === 'total');
    const beginning = lines.slice(0, end);
    const facts = Object.fromEntries(
      beginning.filter(([kind]) => kind === 'report').map(([, name, value]) => [name, value]),
    );
    return {
      report: 'posture',
      ...facts,
      format: Number(facts.format),
      partitions: beginning
        .filter(([kind]) => kind === 'partition')
        .map(([, , , partition, records, head]) => ({
          partition: Number(partition),
          records: Number(records),
          head,
        })),
    };
  },
});

const fact = (name: string, value: string | number): Row => ({ kind: 'report', name, value });
const total = (name: string, value: number): Row => ({ kind: 'total', name, value });

const findingCells = (finding: ReportFinding): Row => ({
  kind: 'finding',
  findingId: finding.id,
  findingType: finding.type,
  findingName: finding.name,
  severity: finding.severity,
  severityLevel: finding.severityLevel,
  cves: csvList(finding.cves),
  techniques: csvList(finding.techniques),
  source: finding.source,
  firstSeen: finding.firstSeen,
  lastSeen: finding.lastSeen,
  expiresAt: finding.expiresAt,
});

const acceptanceCells = (finding: ReportAcceptedFinding): Row => ({
  state: 'AcceptedFailed',
  acceptedBy: finding.acceptedBy,
  acceptedSince: finding.acceptedSince,
  acceptedUntil: finding.acceptedUntil,
  rationale: finding.rationale,
});

const presentRows = (all: Row[]): string =>
  csvRows(all.map((row) => CSV_COLUMNS.map((column) => row[column])));

export const csvReport = csvReportOf(3, chainAfter, presentRows);
export const csvReport2 = csvReportOf(2, formerChainAfter, presentRows);

/** Here only the beginning of a cell is no formula, and semicolons are not quoted. */
export const csvReport1 = csvReportOf(1, formerChainAfter, (all) =>
  stringify(all, {
    columns: [...CSV_COLUMNS],
    record_delimiter: 'windows',
    quoted_match: LINE_BREAK,
    escape_formulas: true,
  }),
);

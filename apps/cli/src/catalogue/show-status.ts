import { ATTACK_VERSIONS, attackTechniques } from '#libs/catalogue';
import {
  type CatalogueImport,
  type CatalogueStatus,
  catalogueStatus,
  type StagedImport,
} from '#libs/catalogue-store';
import { printable } from '../printable.ts';
import type { Terminal } from '../terminal.ts';
import { onSite } from './on-site.ts';

/** Prints what is in force of each catalogue. @throws CliError as `onSite` */
export async function showStatus(json: boolean, { env, stdout }: Terminal): Promise<void> {
  const catalogues = await onSite(env, ({ database }) => catalogueStatus(database.db));
  stdout.write(
    json
      ? `${JSON.stringify({ ok: true, catalogues: catalogues.map(documentOf), attack: attack() })}\n`
      : [...catalogues.flatMap(linesOf), attackLine(), ''].join('\n'),
  );
}

const TITLES = { cve: 'CVE states (cve)', epss: 'EPSS forecasts (epss)', kev: 'Known exploited (kev)' };

const isoOf = (ms: number) => new Date(ms).toISOString();

/** Each matrix of ATT&CK that ships with the service. */
const attack = () =>
  Object.entries(ATTACK_VERSIONS).map(([domain, version]) => ({
    domain,
    version,
    techniques: attackTechniques().filter((technique) => technique.domain === domain).length,
  }));

const documentOf = ({ catalogue, rows, lastImport, unfinished }: CatalogueStatus) => ({
  catalogue,
  rows,
  lastImport: lastImport && importDocument(lastImport),
  unfinished: unfinished.map(({ id, source, startedAt, stagedRows }) => ({
    importId: id,
    source,
    startedAt: isoOf(startedAt),
    stagedRows,
  })),
});

const importDocument = ({ id, catalogue: _, validFrom, ...last }: CatalogueImport) => ({
  importId: id,
  ...last,
  inForceFrom: isoOf(validFrom),
});

function linesOf({ catalogue, rows, lastImport, unfinished }: CatalogueStatus): string[] {
  return [
    `${TITLES[catalogue]}: ${rows} CVEs in force`,
    ...(lastImport ? importLines(lastImport) : ['  never imported']),
    ...unfinished.map(unfinishedLine),
  ];
}

const importLines = (last: CatalogueImport): string[] => [
  `  imported ${isoOf(last.validFrom)} from ${printable(last.source)}: ${last.rows} rows, ` +
    `${last.added} CVEs added, ${last.changed} changed, ${last.removed} removed`,
  `  SHA-256 ${last.contentHash}`,
];

const unfinishedLine = ({ source, startedAt, stagedRows }: StagedImport): string =>
  `  not finished: ${printable(source)}, begun ${isoOf(startedAt)}, ${stagedRows} rows staged; import it again to go on`;

const attackLine = (): string =>
  `ATT&CK, shipped with the service: ${attack()
    .map(({ domain, version, techniques }) => `${domain} ${version} (${techniques} techniques)`)
    .join(', ')}`;

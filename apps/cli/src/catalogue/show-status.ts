import { ATTACK_VERSIONS, attackTechniques } from '#libs/catalogue';
import {
  type CatalogueImport,
  type CatalogueKind,
  type CatalogueStatus,
  catalogueStatus,
  type UnfinishedImport,
} from '#libs/catalogue-store';
import { isoTime, isoTimeOrNull } from '#libs/domain';
import { printable } from '../printable.ts';
import type { Terminal } from '../terminal.ts';
import { entriesOf } from './entries-of.ts';
import { onSite } from './on-site.ts';

/** Prints the data in force of each catalogue. @throws CliError as `onSite` */
export async function showStatus(json: boolean, { env, stdout }: Terminal): Promise<void> {
  const catalogues = await onSite(env, ({ database }) => catalogueStatus(database.db));
  stdout.write(
    json
      ? `${JSON.stringify({ ok: true, catalogues: catalogues.map(documentOf), attack: attack() })}\n`
      : [...catalogues.flatMap(linesOf), attackLine(), ''].join('\n'),
  );
}

const TITLES: Record<CatalogueKind, string> = {
  attack: 'ATT&CK techniques (attack)',
  ctid: 'Techniques of CVEs (ctid)',
  cve: 'CVE states (cve)',
  epss: 'EPSS forecasts (epss)',
  kev: 'Known exploited (kev)',
};

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
  unfinished: unfinished.map(({ id, source, startedAt, stagedRows, validFrom }) => ({
    importId: id,
    source,
    startedAt: isoTime(startedAt),
    stagedRows,
    inForceFrom: isoTimeOrNull(validFrom),
  })),
});

const importDocument = ({ id, catalogue: _, validFrom, nextFrom: _next, ...last }: CatalogueImport) => ({
  importId: id,
  ...last,
  inForceFrom: isoTime(validFrom),
});

function linesOf({ catalogue, rows, lastImport, unfinished }: CatalogueStatus): string[] {
  return [
    `${TITLES[catalogue]}: ${rows} ${entriesOf(catalogue)} in force`,
    ...(lastImport ? importLines(lastImport) : ['  never imported']),
    ...unfinished.map(unfinishedLine),
  ];
}

const importLines = (last: CatalogueImport): string[] => [
  `  in force since ${isoTime(last.validFrom)}, from ${printable(last.source)}: ${last.rows} rows, ` +
    `${last.added} ${entriesOf(last.catalogue)} added, ${last.changed} changed, ${last.removed} removed`,
  `  SHA-256 ${last.contentHash}`,
];

const unfinishedLine = ({ source, startedAt, stagedRows, validFrom }: UnfinishedImport): string =>
  `  not finished: ${printable(source)}, started ${isoTime(startedAt)}, ` +
  (validFrom === null
    ? `${stagedRows} rows staged; run the import again to resume`
    : 'in force; assets are still being marked for scoring');

const attackLine = (): string =>
  `ATT&CK, shipped with the service: ${attack()
    .map(({ domain, version, techniques }) => `${domain} ${version} (${techniques} techniques)`)
    .join(', ')}`;

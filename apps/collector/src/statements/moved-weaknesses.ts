import { sql } from 'kysely';
import { partitionOf } from '#libs/contracts';
import { nameForSignals } from '#libs/integration-store';
import { type PulledSignal, pulledSignalId } from '#libs/integrations';
import { usable } from '#libs/sealing';
import type { Site } from '../append-ends.ts';
import type { KeyedAsset, NamedAsset } from '../opened-assets.ts';

/** Findings that are read at once. */
const FINDINGS_MAX = 500;
/** Signals of a page; the last page may have fewer. */
const SIGNALS_MIN = 500;
/** Instances of one signal, as in signals of the scanner. */
const INSTANCES_MAX = 100;

interface Weakness {
  findingNo: number;
  name: string;
  instances: { key: string; cves: string[] }[];
}

/**
 * Signals that revoke all weaknesses that a source has reported of assets, in pages. An erased asset has none.
 * @throws KeysUnavailableError, SubjectKeyError
 */
export async function* revokedWeaknesses(
  site: Pick<Site, 'db' | 'log' | 'sealer'>,
  assets: readonly NamedAsset[],
  source: string,
): AsyncGenerator<PulledSignal[]> {
  let page: PulledSignal[] = [];
  for (const { asset, stored } of assets) {
    const host = asset.erasedAt ? null : nameForSignals(asset);
    if (host === null) continue;
    for await (const weaknesses of weaknessesOf(site, stored, source)) {
      page.push(...weaknesses.flatMap((weakness) => revocationsOf(weakness, host, source)));
      if (page.length < SIGNALS_MIN) continue;
      yield page;
      page = [];
    }
  }
  if (page.length > 0) yield page;
}

async function* weaknessesOf(
  { db, log, sealer }: Pick<Site, 'db' | 'log' | 'sealer'>,
  { assetNo, entityKey }: KeyedAsset,
  source: string,
): AsyncGenerator<Weakness[]> {
  const partition = partitionOf(entityKey, log.partitions);
  for (let after = -1; ; ) {
    const { rows } = await sql<Weakness>`
      select finding_no as "findingNo", name, array(
        select json_build_object('key', instance -> 'key', 'cves', instance -> 'cves')
        from json_array_elements(body -> 'instances') as instance) as instances
      from findings
      where partition = ${partition} and asset_no = ${assetNo} and finding_no > ${after}
        and type = 'va' and source = ${source} and state <> 'Retired'
      order by finding_no limit ${FINDINGS_MAX}`.execute(db);
    yield await usable(rows, (some) => sealer.open(some));
    if (rows.length < FINDINGS_MAX) return;
    after = rows.at(-1)!.findingNo;
  }
}

function revocationsOf({ name, instances }: Weakness, host: string, source: string): PulledSignal[] {
  const named = instances.filter(({ key }) => key !== '');
  const signals: PulledSignal[] = [];
  for (let from = 0; from < named.length; from += INSTANCES_MAX) {
    const some = named.slice(from, from + INSTANCES_MAX);
    signals.push({
      id: pulledSignalId(source, 'moved', host, name, ...some.map(({ key }) => key)),
      name,
      source: { name: source },
      entity: { type: 'machine', name: host },
      revoked: true,
      onlyKnown: true,
      securityContexts: some.map(({ key, cves }) => ({
        type: 'va',
        detectionId: key,
        status: { complianceStatus: 'fail' },
        severity: { level: 'info' },
        ...(cves.length > 0 && { cves }),
      })),
    });
  }
  return signals;
}

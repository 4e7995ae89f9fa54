import { sql } from 'kysely';
import { partitionOf } from '#libs/contracts';
import { type Asset, entityKey } from '#libs/domain';
import { type PulledSignal, pulledSignalId } from '#libs/integrations';
import { usable } from '#libs/sealing';
import type { Site } from '../append-ends.ts';
import type { NamedAsset } from '../opened-assets.ts';

/** Findings that are read at once. */
const FINDINGS_MAX = 500;
/** Instances of one signal, as in signals of the scanner. */
const INSTANCES_MAX = 100;

interface Weakness {
  findingNo: number;
  name: string;
  instances: { key: string; cves: string[] }[];
}

/**
 * Signals that revoke all weaknesses that a source has reported of an asset, in pages. An erased asset has no name by
 * which a signal could mean it.
 * @throws KeysUnavailableError, SubjectKeyError
 */
export async function* revokedWeaknesses(
  { db, log, sealer }: Pick<Site, 'db' | 'log' | 'sealer'>,
  { asset, stored }: NamedAsset,
  source: string,
): AsyncGenerator<PulledSignal[]> {
  const host = nameOf(asset);
  const partition = partitionOf(stored.entityKey, log.partitions);
  for (let after = -1; !asset.erasedAt; ) {
    const { rows } = await sql<Weakness>`
      select finding_no as "findingNo", name, array(
        select json_build_object('key', instance -> 'key', 'cves', instance -> 'cves')
        from json_array_elements(body -> 'instances') as instance) as instances
      from findings
      where partition = ${partition} and asset_no = ${stored.assetNo} and finding_no > ${after}
        and type = 'va' and source = ${source} and state <> 'Retired'
      order by finding_no limit ${FINDINGS_MAX}`.execute(db);
    const opened = await usable(rows, (some) => sealer.open(some));
    yield opened.flatMap((weakness) => revocationsOf(weakness, host, source));
    if (rows.length < FINDINGS_MAX) return;
    after = rows.at(-1)!.findingNo;
  }
}

/** The FQDN, if it names the same entity: several assets may have the name (R-ASSET-1). */
function nameOf({ name, fqdn }: Asset): string {
  const isOwn = fqdn !== null && entityKey('machine', fqdn) === entityKey('machine', name);
  return isOwn ? fqdn : name;
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

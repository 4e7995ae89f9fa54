import { collapseWhiteSpace, entityKey } from '#libs/domain';
import { SortedRuns } from '../../sorted-runs.ts';
import type { Finding, FoundAsset } from '../format.ts';
import {
  assetRecordKey,
  byKeyAndSequence,
  entityKeyOfRecord,
  type FoundRecord,
  findingRecordKey,
} from './found-record.ts';

/** Of one batch in memory. */
const BATCH_CHARS = 4 * 1_048_576;
/** Descriptions of assets that are remembered, so that each is not written again with every finding. */
const REMEMBERED_MAX = 10_000;

/** The findings of one asset, in the order of their identity. */
export interface AssetGroup {
  entityKey: string;
  /** All that the reports say of it. */
  asset: FoundAsset;
  findings: AsyncGenerator<Extract<FoundRecord, { asset: null }>>;
}

/**
 * Gathers findings by asset, whatever the order of the reports: they wait in temporary files, sorted, so that memory
 * holds one batch and not the reports.
 */
export class SpilledFindings {
  private batch: FoundRecord[] = [];
  private batchChars = 0;
  private sequence = 0;
  private readonly described = new Map<string, string>();

  private constructor(private readonly runs: SortedRuns<FoundRecord>) {}

  static async create(): Promise<SpilledFindings> {
    return new SpilledFindings(await SortedRuns.create(byKeyAndSequence));
  }

  async addFinding(file: string, finding: Finding & { asset: FoundAsset }): Promise<void> {
    const { asset, type, name } = finding;
    await this.addAsset(file, asset);
    const entity = entityKeyOf(asset);
    const identity = `${type} ${collapseWhiteSpace(name).toLowerCase()}`;
    const key = findingRecordKey(entity, identity);
    const bare = { ...finding, asset: { name: asset.name } };
    await this.add({ key, sequence: this.sequence++, file, asset: null, finding: bare }, charsOf(finding));
  }

  async addAsset(file: string, asset: FoundAsset): Promise<void> {
    const entity = entityKeyOf(asset);
    const description = JSON.stringify(asset);
    if (this.described.get(entity) === description) return;
    if (this.described.size >= REMEMBERED_MAX) this.described.clear();
    this.described.set(entity, description);
    const key = assetRecordKey(entity);
    await this.add({ key, sequence: this.sequence++, file, asset, finding: null }, description.length);
  }

  private async add(record: FoundRecord, chars: number): Promise<void> {
    this.batch.push(record);
    this.batchChars += chars;
    if (this.batchChars >= BATCH_CHARS) await this.spill();
  }

  private async spill(): Promise<void> {
    await this.runs.add(this.batch);
    this.batch = [];
    this.batchChars = 0;
  }

  /** Each asset once. A group's findings are to be taken to their end before the next group. */
  async *groups(): AsyncGenerator<AssetGroup> {
    await this.spill();
    const records = this.runs.merged();
    let head = (await records.next()).value as FoundRecord | undefined;
    const next = async () => {
      head = (await records.next()).value as FoundRecord | undefined;
    };
    try {
      while (head) {
        const entity = entityKeyOfRecord(head);
        const descriptions: FoundAsset[] = [];
        while (head?.asset && entityKeyOfRecord(head) === entity) {
          descriptions.push(head.asset);
          await next();
        }
        const findings = (async function* () {
          while (head?.finding && entityKeyOfRecord(head) === entity) {
            yield head;
            await next();
          }
        })();
        yield { entityKey: entity, asset: mergedAsset(descriptions), findings };
      }
    } finally {
      await records.return(undefined);
    }
  }

  async remove(): Promise<void> {
    await this.runs.remove();
  }
}

/** The divider of keys is none of a name's. */
const entityKeyOf = ({ name }: FoundAsset): string => entityKey('machine', name.replaceAll('\0', '\uFFFD'));

const FIXED_CHARS = 500;

const charsOf = ({ name, description, evidence, remediation, impact }: Finding): number =>
  [name, description, evidence, remediation, impact].reduce(
    (sum, text) => sum + (text?.length ?? 0),
    FIXED_CHARS,
  );

const VALUES_MAX = 100;

/** What is told last stands, lists are joined. The name that comes with a domain is the better one (D3). */
function mergedAsset(descriptions: FoundAsset[]): FoundAsset {
  const merged: FoundAsset = {
    name: descriptions[0]?.name ?? '',
    ipAddresses: [],
    macAddresses: [],
    tags: {},
  };
  for (const { name, ipAddresses = [], macAddresses = [], hostname, fqdn, os, tags = {} } of descriptions) {
    if (!merged.name.includes('.') && name.includes('.')) merged.name = name;
    merged.ipAddresses = joined(merged.ipAddresses, ipAddresses);
    merged.macAddresses = joined(merged.macAddresses, macAddresses);
    merged.hostname = hostname ?? merged.hostname;
    merged.fqdn = fqdn ?? merged.fqdn;
    merged.os = os ?? merged.os;
    for (const [key, values] of Object.entries(tags)) merged.tags![key] = joined(merged.tags![key], values);
  }
  return merged;
}

const joined = (known: string[] = [], more: string[] = []): string[] =>
  [...new Set([...known, ...more])].slice(0, VALUES_MAX);

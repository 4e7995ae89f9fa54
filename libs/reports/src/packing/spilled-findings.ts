import { collapseWhiteSpace, entityKey } from '#libs/domain';
import { SortedRuns } from '#libs/sorted-runs';
import type { Finding, FoundAsset } from '../format.ts';
import { type AssetMatching, EntityAssets, fqdnOf } from './entity-assets.ts';
import {
  assetRecordKey,
  byKeyAndSequence,
  entityKeyOfRecord,
  type FindingRecord,
  type FoundRecord,
  findingRecordKey,
} from './found-record.ts';

/** Of one batch in memory. */
const BATCH_CHARS = 4 * 1_048_576;
/** Descriptions of assets that are remembered, so that each is not written again with every finding. */
const REMEMBERED_MAX = 10_000;

/** What the reports become is larger than the caller allows. */
export class TooManySignals extends Error {
  override name = 'TooManySignals';
}

/** The unit that the service processes in order (R-ENT-5): an asset, or one for each FQDN. */
export interface EntityGroup {
  entityKey: string;
  assets: EntityAssets;
  /** In the order of their identity, each with its own of the assets. */
  findings: AsyncGenerator<FindingRecord>;
}

/**
 * Groups findings by asset, for any order of the reports: they are in sorted temporary files, so that one batch is in
 * memory and not the reports.
 */
export class SpilledFindings {
  private batch: FoundRecord[] = [];
  private batchChars = 0;
  private chars = 0;
  private sequence = 0;
  private readonly described = new Map<string, string>();

  private readonly runs: SortedRuns<FoundRecord>;

  /**
   * @param folder an empty one for the temporary files, which whoever made it removes
   * @param charsMax of all findings, about as many bytes
   */
  constructor(
    folder: string,
    private readonly matching: AssetMatching,
    private readonly charsMax = Number.POSITIVE_INFINITY,
  ) {
    this.runs = new SortedRuns(folder, byKeyAndSequence);
  }

  async addFinding(file: string, finding: Finding & { asset: FoundAsset }): Promise<void> {
    const { asset, type, name } = finding;
    await this.addAsset(file, asset);
    const entity = entityKeyOf(asset);
    const identity = `${type} ${collapseWhiteSpace(name).toLowerCase()}`;
    const key = findingRecordKey(entity, identity);
    const fqdn = this.matching === 'fqdn' ? fqdnOf(asset.name) : '';
    const bare = { ...finding, asset: { name: asset.name } };
    const record = { key, fqdn, sequence: this.sequence++, file, asset: null, finding: bare };
    await this.add(record, charsOf(finding));
  }

  async addAsset(file: string, asset: FoundAsset): Promise<void> {
    const description = JSON.stringify(asset);
    if (this.described.get(asset.name) === description) return;
    if (this.described.size >= REMEMBERED_MAX) this.described.clear();
    this.described.set(asset.name, description);
    const key = assetRecordKey(entityKeyOf(asset));
    const record = { key, fqdn: '', sequence: this.sequence++, file, asset, finding: null };
    await this.add(record, description.length);
  }

  private async add(record: FoundRecord, chars: number): Promise<void> {
    this.batch.push(record);
    this.batchChars += chars;
    this.chars += chars;
    if (this.chars > this.charsMax) throw new TooManySignals();
    if (this.batchChars >= BATCH_CHARS) await this.spill();
  }

  private async spill(): Promise<void> {
    await this.runs.add(this.batch);
    this.batch = [];
    this.batchChars = 0;
  }

  /** Each entity once. Read a group's findings to their end before the next group. */
  async *groups(): AsyncGenerator<EntityGroup> {
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
        const assets = new EntityAssets(descriptions, this.matching);
        const findings = (async function* () {
          while (head?.finding && entityKeyOfRecord(head) === entity) {
            const asset = assets.called(head.finding.asset.name);
            yield { ...head, finding: { ...head.finding, asset } };
            await next();
          }
        })();
        yield { entityKey: entity, assets, findings };
      }
    } finally {
      await records.return(undefined);
    }
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

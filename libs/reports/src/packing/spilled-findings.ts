import { collapseWhiteSpace, entityKey } from '#libs/domain';
import { SortedRuns } from '#libs/sorted-runs';
import type { Finding, FoundAsset } from '../format.ts';
import { TEXT_CHARS_MAX } from '../signal/clip.ts';
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
  private bytes = 0;
  private sequence = 0;
  private readonly described = new Map<string, string>();

  private readonly runs: SortedRuns<FoundRecord>;

  /**
   * @param folder an empty one for the temporary files, which whoever made it removes
   * @param bytesMax of all that is written to the files
   */
  constructor(
    folder: string,
    private readonly matching: AssetMatching,
    private readonly bytesMax = Number.POSITIVE_INFINITY,
  ) {
    this.runs = new SortedRuns(folder, byKeyAndSequence, (bytes) => this.count(bytes));
  }

  private count(bytes: number): void {
    this.bytes += bytes;
    if (this.bytes > this.bytesMax) throw new TooManySignals();
  }

  async addFinding(file: string, finding: Finding & { asset: FoundAsset }): Promise<void> {
    const { asset, type, name } = finding;
    await this.addAsset(file, asset);
    const entity = entityKeyOf(asset);
    const identity = `${type} ${collapseWhiteSpace(name).toLowerCase()}`;
    const key = findingRecordKey(entity, identity);
    const fqdn = this.matching === 'fqdn' ? fqdnOf(asset.name) : '';
    const bare = { ...bounded(finding), asset: { name: asset.name } };
    await this.add({ key, fqdn, sequence: this.sequence++, file, asset: null, finding: bare });
  }

  async addAsset(file: string, asset: FoundAsset): Promise<void> {
    const description = JSON.stringify(asset);
    if (this.described.get(asset.name) === description) return;
    if (this.described.size >= REMEMBERED_MAX) this.described.clear();
    this.described.set(asset.name, description);
    const key = assetRecordKey(entityKeyOf(asset));
    await this.add({ key, fqdn: '', sequence: this.sequence++, file, asset, finding: null });
  }

  private async add(record: FoundRecord): Promise<void> {
    this.batch.push(record);
    this.batchChars += FIXED_CHARS + charsOf(record);
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

/** Findings may share a text, which is written with each of them: no more of it than is needed for a signal. */
const bounded = (finding: Finding): Finding => ({
  ...finding,
  description: beginningOf(finding.description),
  impact: beginningOf(finding.impact),
  evidence: beginningOf(finding.evidence),
  remediation: beginningOf(finding.remediation),
  references: (finding.references ?? []).map((each) => each.slice(0, TEXT_CHARS_MAX)),
});

const beginningOf = (text: string | null | undefined): string | null =>
  text?.slice(0, TEXT_CHARS_MAX) ?? null;

/** Of a record beside its texts. */
const FIXED_CHARS = 500;

/** The length of all texts in a value. */
function charsOf(value: unknown): number {
  if (typeof value === 'string') return value.length;
  if (typeof value !== 'object' || value === null) return 0;
  return Object.values(value).reduce<number>((sum, each) => sum + charsOf(each), 0);
}

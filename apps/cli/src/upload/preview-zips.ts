import { type ApiClient, type Foreseen, RefusedError, type ZipPreview } from '../api-client.ts';
import { failure } from '../cli-error.ts';
import { printable } from '../printable.ts';
import type { Phase } from '../progress.ts';
import { entityKeysOf } from './entity-keys.ts';
import { remarkLine, type TotalOutcome, totalOutcome } from './outcome.ts';
import type { PlannedZip } from './send-zips.ts';
import { SharedEntities } from './shared-entities.ts';

/** Findings that are held for the output, of all ZIPs together. */
const HELD_MAX = 10_000;

/** What several ZIPs would come to, each on top of what there is now. */
export interface ForeseenZips extends TotalOutcome {
  zips: (Pick<ZipPreview, 'accepted' | 'ignored' | 'rejected' | 'errors'> & { zip: string })[];
  findings: Foreseen[];
  /** Not listed, by the service or here. */
  findingsLeftOut: number;
  /** Entities in more than one of the ZIPs: for these the outcome may differ from the previews. */
  sharedEntities: string[];
}

/**
 * Has the service fold ZIPs one by one on top of what is, storing nothing (D16).
 * @throws CliError exit 1 at the first ZIP that the service would refuse
 */
export async function previewZips(
  client: ApiClient,
  zips: PlannedZip[],
  skipInvalid: boolean,
  phase: Phase,
): Promise<ForeseenZips> {
  const foreseen: ForeseenZips = {
    ...totalOutcome([]),
    zips: [],
    findings: [],
    findingsLeftOut: 0,
    sharedEntities: [],
  };
  const shared = new SharedEntities();
  for (const [index, { label, bytes }] of zips.entries()) {
    const content = await bytes();
    const preview = await client.previewZip(content, skipInvalid).catch((error: unknown) => {
      throw error instanceof RefusedError ? refusal(error, label) : error;
    });
    add(foreseen, label, preview);
    if (zips.length > 1) shared.add(await entityKeysOf(content));
    phase.reach(index + 1);
  }
  return { ...foreseen, sharedEntities: shared.keys };
}

function add(foreseen: ForeseenZips, zip: string, preview: ZipPreview): void {
  const { accepted, ignored, rejected, errors, findings, findingsLeftOut } = preview;
  foreseen.zips.push({ zip, accepted, ignored, rejected, errors });
  Object.assign(foreseen, totalOutcome([foreseen, preview]));
  const listed = findings.slice(0, HELD_MAX - foreseen.findings.length);
  foreseen.findings.push(...listed);
  foreseen.findingsLeftOut += findingsLeftOut + findings.length - listed.length;
}

const refusal = (error: RefusedError, label: string) =>
  failure(
    `${printable(label)} would be refused (${error.status}): ${printable(error.message)}`,
    error.errors.map(remarkLine),
  );

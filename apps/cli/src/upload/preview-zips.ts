import { ApiError, type PostureClient, type Schemas } from '#client';
import { failure } from '../cli-error.ts';
import { printable } from '../printable.ts';
import type { Phase } from '../progress.ts';
import { entityKeysOf } from './entity-keys.ts';
import { remarkLine, type TotalOutcome, totalOutcome } from './outcome.ts';
import type { PlannedZip } from './send-zips.ts';
import { SharedEntities } from './shared-entities.ts';

/** Limit of findings in memory for the output, over all ZIPs. */
const HELD_MAX = 10_000;

/** The preview of several ZIPs, each on top of the current state. */
export interface ZipsPreview extends TotalOutcome {
  zips: (Pick<Schemas['ZipPreviewDto'], 'accepted' | 'ignored' | 'rejected' | 'errors'> & { zip: string })[];
  findings: Schemas['WouldDto'][];
  /** Not listed, by the service or here. */
  findingsLeftOut: number;
  /** Entities in more than one of the ZIPs: for these the outcome may differ from the previews. */
  sharedEntities: string[];
}

/**
 * Has the service fold ZIPs one by one on top of the current state, without storing anything.
 * @throws CliError exit 1 at the first ZIP that the service would refuse
 */
export async function previewZips(
  client: PostureClient,
  zips: PlannedZip[],
  skipInvalid: boolean,
  phase: Phase,
): Promise<ZipsPreview> {
  const previewed: ZipsPreview = {
    ...totalOutcome([]),
    zips: [],
    findings: [],
    findingsLeftOut: 0,
    sharedEntities: [],
  };
  const shared = new SharedEntities();
  for (const [index, { label, bytes }] of zips.entries()) {
    const content = await bytes();
    const preview = await client.previewZip(content, { skipInvalid }).catch((error: unknown) => {
      throw error instanceof ApiError ? refusal(error, label) : error;
    });
    add(previewed, label, preview);
    if (zips.length > 1) shared.add(await entityKeysOf(content));
    phase.reach(index + 1);
  }
  return { ...previewed, sharedEntities: shared.keys };
}

function add(previewed: ZipsPreview, zip: string, preview: Schemas['ZipPreviewDto']): void {
  const { accepted, ignored, rejected, errors, findings, findingsLeftOut } = preview;
  previewed.zips.push({ zip, accepted, ignored, rejected, errors });
  Object.assign(previewed, totalOutcome([previewed, preview]));
  const listed = findings.slice(0, HELD_MAX - previewed.findings.length);
  previewed.findings.push(...listed);
  previewed.findingsLeftOut += findingsLeftOut + findings.length - listed.length;
}

const refusal = (error: ApiError, label: string) =>
  failure(
    `${printable(label)} would be rejected (${error.status}): ${printable(error.message)}`,
    error.problems.map(remarkLine),
  );

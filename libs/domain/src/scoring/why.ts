import { KEV_PROBABILITY } from './exploit-probability.ts';
import type { CarriedExposure, Exposure } from './weaknesses.ts';

/** CVEs of one finding that are said one by one; further ones are counted. */
const CVES_MAX = 10;

/** Why a finding has the probability and the share that it has, in words with all inputs: for its contribution. */
export function whyExposures(findingId: string, exposures: readonly CarriedExposure[]): string {
  const sentences = exposures
    .slice(0, CVES_MAX)
    .map(
      ({ exposure, carrier }) => `${whatSays(exposure)}${carrier === findingId ? '' : elsewhere(carrier)}`,
    );
  const more = exposures.length - sentences.length;
  if (more > 0) sentences.push(`${more} more CVEs`);
  return `${sentences.join('; ')}. ${whySeverity(exposures[0]!.exposure)}`;
}

const elsewhere = (carrier: string) => ` (counted once on this asset, with finding ${carrier})`;

function whatSays({ cve, technique, exploit: { probability, epss, kev, row } }: Exposure): string {
  const said: string[] = [];
  if (epss) said.push(`EPSS of ${epss.date} says ${epss.probability}`);
  if (kev) said.push(`in KEV since ${kev.dateAdded}: at least ${KEV_PROBABILITY}`);
  if (row) {
    const unknown = cve === null ? 'no forecast exists for techniques' : 'neither EPSS nor KEV knows it';
    said.push(`${unknown}; the table says ${row.probability} for severity ${row.rating}`);
  }
  const what = cve ?? `ATT&CK ${technique}`;
  return `${what}: ${probability} within 30 days (${said.join(', ')})`;
}

function whySeverity({ severity: { value, vector, isVectorMalformed } }: Exposure): string {
  if (isVectorMalformed) return `Severity ${value} as sent; its CVSS vector is malformed.`;
  return vector === null ? `Severity ${value} as sent.` : `Severity ${value} by ${vector}.`;
}

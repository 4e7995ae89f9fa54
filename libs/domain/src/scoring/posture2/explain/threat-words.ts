import { assetWords } from '../../explain/cause-words.ts';
import { AGE_STEP_MS } from '../evidence.ts';
import type { AssessedFinding, ThreatCatalogue, ThreatenedAsset } from '../facts.ts';
import { isPublicAddress } from '../reach.ts';
import { controlVerdict } from '../susceptibility.ts';
import type { Sides, ThreatMoment } from './mixed-asset.ts';

type MaybeFinding = AssessedFinding | undefined;

/** What changed of an asset that posture-2 depends on. */
export const threatenedAssetWords = (from: ThreatenedAsset, to: ThreatenedAsset): string =>
  assetWords(from, to, [
    ['attack surface', from.attackSurface, to.attackSurface],
    ['public address', hasPublicAddress(from), hasPublicAddress(to)],
    ['managed by EDR', yesOrNo(from.isEdrManaged), yesOrNo(to.isEdrManaged)],
  ]);

const yesOrNo = (is: boolean): string => (is ? 'yes' : 'no');
const hasPublicAddress = ({ ipAddresses }: ThreatenedAsset) => yesOrNo(ipAddresses.some(isPublicAddress));

export function controlWords([from, to]: Sides<MaybeFinding>, [begin, end]: Sides<ThreatMoment>): string {
  const before = verdictWords(from, begin.at);
  const after = verdictWords(to, end.at);
  return before === after ? `${after} as before, for other techniques` : `${before} → ${after}`;
}

function verdictWords(finding: MaybeFinding, at: number): string {
  const verdict = finding && controlVerdict(finding, at);
  if (!verdict) return 'neither passes nor fails';
  return verdict === 'failing' ? 'fails' : 'passes';
}

/** Of the detection that was closed last. */
export function ageWords({ detections }: AssessedFinding, [begin, end]: Sides<ThreatMoment>): string {
  const closedAt = Math.max(...detections.flatMap(({ closedAt }) => closedAt ?? []));
  const weeks = ({ at }: ThreatMoment) => Math.max(0, Math.floor((at - closedAt) / AGE_STEP_MS));
  return `closed ${weeks(begin)} → ${weeks(end)} weeks ago`;
}

/** The data of the catalogues about a CVE or a technique before and after. */
export const threatWords = (id: string, [from, to]: Sides<ThreatMoment>): string =>
  `${knownWords(id, from.catalogue)} → ${knownWords(id, to.catalogue)}`;

function knownWords(id: string, catalogue: ThreatCatalogue): string {
  const epss = catalogue.epssOf(id);
  const kev = catalogue.kevOf(id);
  const state = catalogue.cveStateOf(id);
  const technique = catalogue.techniqueOf(id);
  const techniques = catalogue.techniquesOfCve?.(id) ?? [];
  const mitigations = catalogue.mitigationsOf?.(id) ?? [];
  const said = [
    ...(state === undefined ? [] : [`state ${state}`]),
    ...(epss ? [`EPSS ${epss.probability} of ${epss.date}`] : []),
    ...(kev ? [`in KEV since ${kev.dateAdded}`] : []),
    ...(kev?.isUsedByRansomware ? ['used by ransomware'] : []),
    ...(techniques.length > 0 ? [`techniques ${[...techniques].sort().join(' ')}`] : []),
    ...(technique ? [`technique ${technique.revoked ? 'revoked' : 'valid'}`] : []),
    ...(technique?.tactics?.length ? [`tactics ${[...technique.tactics].sort().join(' ')}`] : []),
    ...(mitigations.length > 0 ? [`mitigations ${[...mitigations].sort().join(' ')}`] : []),
  ];
  return said.join(', ') || 'unknown';
}

/** Whether the catalogues state something else that scores depend on. */
export const isOtherwiseKnown = (id: string, [from, to]: Sides<ThreatMoment>): boolean =>
  factsOf(id, from.catalogue) !== factsOf(id, to.catalogue);

function factsOf(id: string, catalogue: ThreatCatalogue): string {
  const technique = catalogue.techniqueOf(id);
  const kev = catalogue.kevOf(id);
  return JSON.stringify([
    catalogue.epssOf(id)?.probability,
    kev && (kev.isUsedByRansomware ?? false),
    catalogue.cveStateOf(id),
    [...(catalogue.techniquesOfCve?.(id) ?? [])].sort(),
    technique && [technique.revoked ?? false, [...(technique.tactics ?? [])].sort()],
    [...(catalogue.mitigationsOf?.(id) ?? [])].sort(),
  ]);
}

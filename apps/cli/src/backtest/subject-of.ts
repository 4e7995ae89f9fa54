import { type AssetState, posture2 } from '#libs/domain';

/**
 * An asset as the models see it, with its findings that have a mapping.
 *
 * The log states neither since when a detection is closed, nor the verdict on a finding before it was not assessed: a
 * closed detection counts as if it was closed just now, and such a finding is no control.
 */
export const subjectOf = ({ asset, findings }: AssetState): posture2.ThreatenedSubject => ({
  asset: posture2.threatenedAssetOf(asset),
  findings: [...findings.values()]
    .map(({ finding, seen }) => posture2.assessedFindingOf(finding, seen))
    .filter(({ cves, techniques }) => cves.length + techniques.length > 0),
});

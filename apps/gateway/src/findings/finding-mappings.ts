import { attackTechnique } from '#libs/catalogue';
import type { ScoringCatalogue } from '#libs/domain';
import type { FindingMappingsDto } from './finding.dto.ts';

/** What the catalogues say of a finding's CVEs and techniques, as they were at the instant of `catalogue`. */
export const findingMappings = (
  { cves, techniques }: { cves: string[]; techniques: string[] },
  catalogue: ScoringCatalogue,
): FindingMappingsDto => ({
  cves: cves.map((id) => {
    const epss = catalogue.epssOf(id);
    return {
      id,
      state: catalogue.cveStateOf(id) ?? null,
      epss: epss ? { probability: epss.probability, date: epss.date } : null,
      knownExploitedSince: catalogue.kevOf(id)?.dateAdded ?? null,
    };
  }),
  techniques: techniques.map((id) => {
    const technique = attackTechnique(id);
    return {
      id,
      name: technique?.name ?? null,
      tactics: technique?.tactics ?? [],
      revoked: technique?.revoked ?? false,
    };
  }),
});

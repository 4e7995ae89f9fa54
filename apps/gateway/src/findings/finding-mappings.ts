import type { CatalogueAt } from '#libs/catalogue-store';
import type { FindingMappingsDto } from './finding.dto.ts';

/** The data of the catalogues about a finding's CVEs and techniques, as of the instant of `catalogue`. */
export const findingMappings = (
  { cves, techniques }: { cves: string[]; techniques: string[] },
  catalogue: CatalogueAt,
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
    const technique = catalogue.techniqueOf(id);
    return {
      id,
      name: technique?.name ?? null,
      tactics: technique?.tactics ?? [],
      revoked: technique?.revoked ?? false,
    };
  }),
});

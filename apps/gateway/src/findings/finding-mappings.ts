import type { CatalogueAt } from '#libs/catalogue-store';
import { type Finding, posture2 } from '#libs/domain';
import type { FindingDto, FindingMappingsDto } from './finding.dto.ts';

/** EPSS and KEV of a finding, as of the instant of `catalogue`. */
export function findingThreats(
  finding: Pick<Finding, 'instances'>,
  catalogue: CatalogueAt,
): Pick<FindingDto, 'epss' | 'kev'> {
  const { epss, kev } = posture2.cveThreats(finding, catalogue);
  return {
    epss,
    kev: kev && {
      cve: kev.cve,
      added: kev.dateAdded,
      due: kev.dueDate ?? null,
      ransomware: kev.isUsedByRansomware ?? false,
    },
  };
}

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

/** Returns a technique by its id; undefined if the catalogue has none. */
export type TechniqueLookup = (id: string) => { revoked?: boolean } | undefined;

/** The state that the CVE's publisher gives it; undefined if unknown, which is valid (R-CAT-6). */
export type CveStateLookup = (id: string) => string | undefined;

/** The mappings of a finding. */
export interface Mappings {
  /** Canonical CVE ids. */
  cves: readonly string[];
  /** ATT&CK technique ids, and vendors' own. */
  techniques: readonly string[];
}

const WELL_FORMED_CVE = /^CVE-\d{4}-\d{4,}$/;
const INVALID_CVE_STATES = new Set(['reserved', 'disputed', 'rejected']);

/**
 * Those of a finding's mappings that count for scoring: well-formed CVEs that are not Reserved, Disputed or Rejected,
 * and ATT&CK techniques that exist and are not revoked (R-SCORE-1). Without repeats, sorted.
 */
export function validMappings(
  { cves, techniques }: Mappings,
  techniqueOf: TechniqueLookup,
  cveStateOf: CveStateLookup,
): { cves: string[]; techniques: string[] } {
  const isValidCve = (id: string) =>
    WELL_FORMED_CVE.test(id) && !INVALID_CVE_STATES.has(cveStateOf(id)?.toLowerCase() ?? '');
  const isValidTechnique = (id: string) => {
    const technique = techniqueOf(id);
    return technique !== undefined && !technique.revoked;
  };
  return {
    cves: [...new Set(cves.filter(isValidCve))].sort(),
    techniques: [...new Set(techniques.filter(isValidTechnique))].sort(),
  };
}

import type { ObservedInstance } from '../events.ts';
import type { RawSecurityContext, Signal } from './signal.ts';

export type Mappings = Pick<ObservedInstance, 'cves' | 'techniques' | 'standards'>;

const CVE = /(?<![\w-])CVE-\d{4}-\d{4,}(?![\w-])/gi;
const TECHNIQUE = /(?<![\w.])T\d{4}(?:\.\d{3})?(?!\w|\.\d)/gi;
const SAYS_SOMETHING = /[\p{L}\p{N}]/u;

/** How senders name the two mappings that count for scoring, without case, spaces and signs. */
const CVE_NAMES = new Set(['cve', 'cves', 'cveid', 'cveids']);
const TECHNIQUE_NAMES = new Set(['ttp', 'ttps', 'mitre', 'attack', 'attck', 'mitreattack', 'mitreattck']);

/** The CVE ids of a signal outside its contexts, and what else the values say. */
export function readSignalCves({ cves = [] }: Pick<Signal, 'cves'>): Mappings {
  const found = new FoundMappings();
  for (const cve of cves) found.addCve(cve);
  return found.result();
}

/**
 * The mappings of a context: CVE ids from `standardsMapping` and `cves` (several in one value are taken apart), ATT&CK
 * techniques from `attackPattern` and `standardsMapping`, in capitals and without repeats; everything else, and ids
 * that are not well-formed, as mappings to other standards (R-SIG-9).
 * @param signalCves are mappings of every context
 */
export function readMappings(
  { standardsMapping = [], attackPattern = [], cves = [] }: RawSecurityContext,
  signalCves: Mappings,
): Mappings {
  const found = new FoundMappings();
  for (const { name, value } of standardsMapping) {
    for (const text of Array.isArray(value) ? value : [value ?? '']) found.addStandard(name, String(text));
  }
  for (const cve of cves) found.addCve(cve);
  for (const id of signalCves.cves) found.cves.add(id);
  for (const { name, value } of signalCves.standards) found.addOther(name, value);
  for (const { name, sourceName, mapping } of attackPattern) {
    if (mapping?.techniqueId !== undefined) found.addTechnique(mapping.techniqueId);
    else found.addOther(sourceName ?? 'attackPattern', mapping?.techniqueName ?? name ?? '');
  }
  return found.result();
}

class FoundMappings {
  readonly cves = new Set<string>();
  private readonly techniques = new Set<string>();
  private readonly standards = new Map<string, { name: string; value: string }>();

  addStandard(name: string, value: string): void {
    const word = name.toLowerCase().replace(/[^a-z]/g, '');
    if (CVE_NAMES.has(word)) this.addIds(name, value, CVE, this.cves);
    else if (TECHNIQUE_NAMES.has(word)) this.addIds(name, value, TECHNIQUE, this.techniques);
    else this.addOther(name, value);
  }

  addCve(cve: string | { id?: string }): void {
    this.addIds('cve', (typeof cve === 'string' ? cve : cve.id) ?? '', CVE, this.cves);
  }

  /** The ids in a value; what else it says stays as a mapping under the sender's name. */
  addIds(name: string, value: string, pattern: RegExp, ids: Set<string>): void {
    for (const id of value.match(pattern) ?? []) ids.add(id.toUpperCase());
    this.addOther(name, value.replace(pattern, ' ').replace(/[\s,;|]+/g, ' '));
  }

  /** Vendors use their own ids: an id that is not one of ATT&CK is kept as a technique and does not count (R-EDR-2). */
  addTechnique(value: string): void {
    const known = value.match(TECHNIQUE);
    for (const id of known ?? [value.trim()]) if (id !== '') this.techniques.add(id.toUpperCase());
  }

  addOther(name: string, text: string): void {
    const value = text.trim();
    if (SAYS_SOMETHING.test(value)) this.standards.set(`${name}\n${value}`, { name, value });
  }

  result(): Mappings {
    return {
      cves: [...this.cves],
      techniques: [...this.techniques],
      standards: [...this.standards.values()],
    };
  }
}

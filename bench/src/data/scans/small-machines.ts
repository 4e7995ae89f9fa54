import { createRandom } from '#libs/sample-data';
import type { ScannedMachine } from './machines.ts';

/** Machines with one finding each, in as few words as a scored one takes: 10,000 of them fit into a ZIP of 5 MB. */
export function smallMachines(count: number, seed = 'small'): ScannedMachine[] {
  const random = createRandom(seed);
  return Array.from({ length: count }, (_, i) => {
    const name = `pc-${String(i + 1).padStart(6, '0')}`;
    const cve = `CVE-2024-${random.integer(10_000, 10_999)}`;
    const signal = {
      id: random.uuid(),
      name: `Outdated library (${cve})`,
      entity: { type: 'machine', name },
      securityContext: {
        type: 'va',
        status: { complianceStatus: 'fail' },
        severity: { value: random.integer(31, 98) / 10 },
        standardsMapping: [{ name: 'cve', value: cve }],
      },
    };
    return { name, signals: [{ entryName: `${name}.json`, content: Buffer.from(JSON.stringify(signal)) }] };
  });
}

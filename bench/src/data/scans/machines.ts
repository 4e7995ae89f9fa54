import { isoTime } from '#libs/domain';
import { createRandom, type Random, type SampleSignal, severityLevel } from '#libs/sample-data';
import { VULNERABILITY_COUNT, type Vulnerability, vulnerabilities } from './vulnerabilities.ts';

/** A machine and its findings. */
export interface ScannedMachine {
  name: string;
  signals: SampleSignal[];
}

/** How many findings a machine has, both bounds included. */
export interface Spread {
  findingsMin: number;
  findingsMax: number;
}

const USUAL: Spread = { findingsMin: 20, findingsMax: 60 };
const DATA_SEED = 'bench';
const OPERATING_SYSTEMS = [
  'Ubuntu 22.04',
  'Ubuntu 24.04',
  'Windows Server 2019',
  'Windows Server 2022',
  'Debian 12',
  'Red Hat Enterprise Linux 9',
];
const SITES = ['Oslo', 'Hamburg', 'Leeds', 'Porto', 'Gdansk'];
const DEPARTMENTS = ['Sales', 'Finance', 'Research', 'Operations', 'Support'];
const LEVELS = ['low', 'medium', 'high'];
const PORTS = [22, 80, 443, 445, 3306, 3389, 5432, 8080, 8443, 9200];

/**
 * Machines with 20 to 60 findings each, about 40 on average, unless another range is given; one signal of about 2 KB a
 * finding: the first scan of a vulnerability scanner. The same seed and time give the same bytes.
 * @param findings minimum number of findings in total; the last machine is complete
 * @param scannedAt epoch ms; findings expire by it
 */
export function* scannedMachines(
  findings: number,
  scannedAt: number,
  seed = DATA_SEED,
  spread: Spread = USUAL,
): Generator<ScannedMachine> {
  const random = createRandom(seed);
  const known = vulnerabilities(random);
  for (let made = 0, number = 1; made < findings; number++) {
    const machine = scanned(random, known, { number, scannedAt, spread });
    made += machine.signals.length;
    yield machine;
  }
}

/** Names of the default seed's machines, to search and filter by. */
export const knownVulnerabilities = (): Vulnerability[] => vulnerabilities(createRandom(DATA_SEED));

function scanned(
  random: Random,
  known: Vulnerability[],
  { number, scannedAt, spread }: { number: number; scannedAt: number; spread: Spread },
): ScannedMachine {
  const site = random.pick(SITES);
  const name = `${site.slice(0, 3).toLowerCase()}-srv-${String(number).padStart(6, '0')}.halden.example`;
  const os = random.pick(OPERATING_SYSTEMS);
  const entity = {
    type: 'machine',
    name,
    entityAttributes: {
      ipAddresses: [
        {
          name: 'eth0',
          ipv4: `10.${random.integer(0, 255)}.${random.integer(0, 255)}.${random.integer(1, 254)}`,
        },
      ],
      type: os,
      criticality: random.pick(LEVELS),
      confidentialityRequirement: random.pick(LEVELS),
      integrityRequirement: random.pick(LEVELS),
      availabilityRequirement: random.pick(LEVELS),
      tags: { location: [site], dept: [random.pick(DEPARTMENTS)], os: [os] },
    },
  };
  const first = random.integer(0, VULNERABILITY_COUNT - 1);
  const step = 2 * random.integer(0, 200) + 1;
  const lastSeen = isoTime(scannedAt - random.integer(0, 3_600_000));
  const count = random.integer(spread.findingsMin, spread.findingsMax);
  const signals = Array.from({ length: count }, (_, i) => {
    // An odd step never meets the same one twice in a lap, as the count is a power of two.
    const found = inLap(
      known[(first + i * step) % VULNERABILITY_COUNT]!,
      Math.floor(i / VULNERABILITY_COUNT),
    );
    return {
      entryName: `${name}/${i < VULNERABILITY_COUNT ? found.cve : `${found.cve}-${i}`}.json`,
      content: Buffer.from(JSON.stringify(signalOf(random, entity, found, lastSeen))),
    };
  });
  return { name, signals };
}

/** Of a machine with more findings than there are vulnerabilities, the next ones have other names. */
const inLap = (found: Vulnerability, lap: number): Vulnerability =>
  lap === 0 ? found : { ...found, title: `${found.title}, place ${lap + 1}` };

function signalOf(random: Random, entity: object, found: Vulnerability, lastSeen: string): object {
  const port = random.pick(PORTS);
  const build = `${random.integer(1, 12)}.${random.integer(0, 30)}.${random.integer(0, 9000)}`;
  const technique = { techniqueName: found.attack, techniqueId: found.technique };
  return {
    version: '1.0',
    id: random.uuid(),
    type: 'default',
    name: found.title,
    description: found.description,
    source: { name: 'vulnerability-scanner', nextSubmissionIntervalInMins: 1440 },
    entity,
    securityContext: {
      type: 'va',
      status: { complianceStatus: random.chance(0.9) ? 'fail' : 'pass' },
      severity: {
        type: 'cvss',
        value: found.score,
        level: severityLevel(found.score),
        cvss: { version: '3.1', vector: found.vector, baseScore: found.score },
      },
      standardsMapping: [{ name: 'cve', value: found.cve }],
      attackPattern: [{ name: found.attack, sourceName: 'ATT&CK', mapping: technique }],
      evidence: {
        observationText: `${found.product} ${build} answers on port ${port}; fixed in ${found.fixedIn}`,
      },
      remediation: {
        description: `Update ${found.product} to ${found.fixedIn} or later`,
        reference: `https://nvd.nist.gov/vuln/detail/${found.cve}`,
      },
      controlType: 'detection',
    },
    tags: { port: [`${port}`], protocol: ['tcp'] },
    lastSeen,
  };
}

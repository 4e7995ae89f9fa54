import type { Remarks } from './remarks.ts';

type Json = { [key: string]: unknown };

/** Property names that the reading has a place for: a shape below, or a leaf that it reads whole. */
type Shape = ReadonlyMap<string, Shape>;

const LEAF: Shape = new Map();
const leaves = (...names: string[]): [string, Shape][] => names.map((name) => [name, LEAF]);
const shape = (names: string, nested: Record<string, Shape> = {}): Shape =>
  new Map([...leaves(...names.split(' ')), ...Object.entries(nested)]);

const CVES = shape('id');
const INTERFACE = shape('name ipv4 ipv6 macAddress');

const SECURITY_CONTEXT = shape('type subType controlType detectionId port protocol tags', {
  status: shape('complianceStatus workflowStatus'),
  complianceStatus: shape('status'),
  severity: shape('type value level', {
    cvss: shape('version vector baseScore temporalScore environmentalScore'),
  }),
  standardsMapping: shape('name value'),
  attackPattern: shape('name sourceName', { mapping: shape('techniqueId techniqueName') }),
  cves: CVES,
  evidence: shape('observationText'),
  remediation: shape('description reference impact'),
  description: shape('technical businessImpact'),
});

/** What `readSignal` reads, or knows and has no use for: version, type and the times of writing. */
const SIGNAL = shape(
  'version id type entityOnly name description tags detectionId port protocol confidence revoked firstSeen ' +
    'lastSeen openSince createdAt modifiedAt expiresAt',
  {
    source: shape('name nextSubmissionIntervalInMins'),
    cves: CVES,
    entity: shape('type name', {
      entityAttributes: shape(
        'type criticality confidentialityRequirement integrityRequirement availabilityRequirement fqdn department ' +
          'location tags',
        { ipAddresses: INTERFACE, networkInterface: INTERFACE },
      ),
    }),
    securityContext: SECURITY_CONTEXT,
    securityContexts: SECURITY_CONTEXT,
  },
);

/** Fields in which senders put credentials of machines: never stored, at any place (R-SIG-17). */
const SECRETS = new Set([
  'connectionattributes',
  'connectionstring',
  'password',
  'privilegedpassword',
  'sshkey',
  'sshpassphrase',
]);

/**
 * The properties of a signal that the service does not know, as JSON of an object nested like the signal (items
 * of lists under their index), keys sorted; null if there are none (R-SIG-16). Credentials are left out and named.
 */
export function readExtra(signal: object, remarks: Remarks): string | null {
  const extra = unknownIn(signal as Json, SIGNAL, '', remarks);
  return extra === null ? null : JSON.stringify(extra);
}

function unknownIn(value: Json, known: Shape, path: string, remarks: Remarks): Json | null {
  let extra: Json | null = null;
  for (const key of Object.keys(value)) {
    const below = known.get(key);
    if (below === LEAF) continue;
    const child = value[key];
    const found =
      below === undefined
        ? kept(child, key, path, remarks)
        : unknownBelow(child, below, fieldOf(path, key), remarks);
    if (found !== null && found !== undefined && key !== '__proto__') {
      extra ??= {};
      extra[key] = found;
    }
  }
  return extra && sorted(extra);
}

function unknownBelow(value: unknown, known: Shape, path: string, remarks: Remarks): Json | null {
  if (typeof value !== 'object' || value === null) return null;
  if (!Array.isArray(value)) return unknownIn(value as Json, known, path, remarks);
  let extra: Json | null = null;
  for (let i = 0; i < value.length; i++) {
    const found = unknownBelow(value[i], known, `${path}[${i}]`, remarks);
    if (found) {
      extra ??= {};
      extra[i] = found;
    }
  }
  return extra;
}

/** A value as it was sent, keys sorted, without possible credentials; undefined if it is one. */
function kept(value: unknown, key: string, path: string, remarks: Remarks): unknown {
  const field = fieldOf(path, key);
  if (SECRETS.has(key.toLowerCase())) {
    remarks.warn(field, 'is not stored: it may contain credentials');
    return undefined;
  }
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map((item, i) => kept(item, '', `${field}[${i}]`, remarks));
  const copy: Json = {};
  for (const name of Object.keys(value)) {
    const child = kept((value as Json)[name], name, field, remarks);
    if (child !== undefined && name !== '__proto__') copy[name] = child;
  }
  return sorted(copy);
}

const sorted = (object: Json): Json => {
  const copy: Json = {};
  for (const key of Object.keys(object).sort()) copy[key] = object[key];
  return copy;
};

const SHOWN_NAME_MAX = 100;

/** Dotted path; a sender's own property names are cut to a length that can be shown. */
function fieldOf(path: string, key: string): string {
  if (key === '') return path;
  const name = key.length > SHOWN_NAME_MAX ? `${key.slice(0, SHOWN_NAME_MAX)}…` : key;
  return path === '' ? name : `${path}.${name}`;
}

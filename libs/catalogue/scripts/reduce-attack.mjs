// Reduces a STIX 2 bundle of MITRE ATT&CK to the rows of libs/catalogue/data: id, name, tactics, revoked, deprecated.
//   node libs/catalogue/scripts/reduce-attack.mjs mobile mobile-attack.json > libs/catalogue/data/attack-techniques-mobile.json
// data/NOTICE says which bundles the rows come from.
import { readFileSync } from 'node:fs';

const KILL_CHAINS = { enterprise: 'mitre-attack', mobile: 'mitre-mobile-attack', ics: 'mitre-ics-attack' };
const ID = /^T\d{4}(\.\d{3})?$/;
// A bundle that was cut off or of another kind has fewer.
const TECHNIQUES_MIN = 50;

const [domain, path] = process.argv.slice(2);
const killChain = KILL_CHAINS[domain];
if (killChain === undefined || path === undefined) {
  fail(`usage: reduce-attack.mjs ${Object.keys(KILL_CHAINS).join('|')} BUNDLE.json`);
}

const { type, objects } = JSON.parse(readFileSync(path, 'utf8'));
if (type !== 'bundle' || !Array.isArray(objects)) fail(`${path} is no STIX bundle`);
const rows = objects.filter((object) => object.type === 'attack-pattern').map(reduce);
if (rows.length < TECHNIQUES_MIN)
  fail(`${path} has ${rows.length} techniques; at least ${TECHNIQUES_MIN} were expected`);
if (!rows.some(({ revoked, deprecated }) => !revoked && !deprecated)) fail(`${path} has no valid technique`);

const byId = new Map();
for (const row of rows) {
  const known = byId.get(row.id);
  // An id that was taken up again after it was revoked is valid.
  if (known === undefined || known.revoked) byId.set(row.id, row);
}
const sorted = [...byId.values()].sort((a, b) => (a.id < b.id ? -1 : 1));
process.stdout.write(`[\n${sorted.map((row) => JSON.stringify(row)).join(',\n')}\n]\n`);

function reduce(object) {
  const references = object.external_references ?? [];
  const id = references.find(({ external_id }) => ID.test(external_id ?? ''))?.external_id;
  if (id === undefined || typeof object.name !== 'string')
    fail(`${object.id} has no technique id or no name`);
  const phases = (object.kill_chain_phases ?? []).filter(
    ({ kill_chain_name }) => kill_chain_name === killChain,
  );
  const tactics = [...new Set(phases.map(({ phase_name }) => phase_name))].sort();
  return {
    id,
    name: object.name,
    tactics,
    ...(object.revoked && { revoked: true }),
    ...(object.x_mitre_deprecated && { deprecated: true }),
  };
}

function fail(message) {
  process.stderr.write(`${message}\n`);
  process.exit(1);
}

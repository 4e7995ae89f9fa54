import { encodeIntake } from '#libs/contracts';
import { assetId, entityKey, type IntakeEvent, type IntakePayload } from '#libs/domain';
import type { LogRecord } from '#libs/event-log';
import { DAY_MS, entity, event, instance, observation, signal, T0, upload } from '../../support/scenario.ts';

/** Ids of further assets, revocations and verdicts on controls, in one partition under rules 6, in the other under 7. */
export function namesApart(): LogRecord[][] {
  return [6, 7].map((rules) => {
    const idle = { type: 'EntitySwept', deleteIdleSince: T0 + 5 * DAY_MS } as const;
    const key = `machine:removed-${rules}`;
    const deleted = { type: 'AssetDeleted', assetId: assetId(key), seenVersion: null } as const;
    const events = [
      ...furtherAssets(`apart-${rules}`, rules),
      ...bareName(`renamed-${rules}`, rules),
      ...revoked(`revoked-${rules}`, rules),
      ...deletedControls(`idle-${rules}`, rules, 4, idle),
      ...deletedControls(`removed-${rules}`, rules, 20, deleted),
    ];
    return events.map(({ envelope, payload }, i) => {
      const id = `f4000000-0000-5000-8000-${String(rules * 1_000 + i).padStart(12, '0')}`;
      return { key: envelope.entityKey, value: encodeIntake({ envelope: { ...envelope, id }, payload }) };
    });
  });
}

let uploads = 0;
function sent(name: string, rules: number, day: number, payload: IntakePayload): IntakeEvent[] {
  uploads += 1;
  const at = T0 + day * DAY_MS;
  return upload(uploads, at, [payload], { entityKey: entityKey('machine', name), rules });
}

const named = (name: string, rules: number, day: number, fqdn: string | null = null): IntakeEvent[] =>
  sent(
    name,
    rules,
    day,
    signal('a', 'fail', {
      entity: entity({ name, fqdn }),
      assetRules: { matching: 'fqdn', importAssets: true, updateMetadata: true },
    }),
  );

/** The last one is an entity with the key that the id of the second asset was made of. */
const furtherAssets = (host: string, rules: number): IntakeEvent[] =>
  [`${host}.a.com`, `${host}.b.com`, `${host}|${host}.b.com`].flatMap((name) => named(name, rules, 0));

/** A bare name that is an asset of its own, gets an FQDN, and is sent again. */
const bareName = (host: string, rules: number): IntakeEvent[] => [
  ...named(`${host}.a.com`, rules, 0),
  ...named(`${host}.b.com`, rules, 0),
  ...named(host, rules, 1, `${host}.c.com`),
  ...named(`${host}.c.com`, rules, 2),
  ...named(host, rules, 3),
];

/** One of three detections, then the others. */
function revoked(host: string, rules: number): IntakeEvent[] {
  const detections = (day: number, isRevoked: boolean, ...keys: string[]) =>
    sent(
      host,
      rules,
      day,
      signal('a', 'fail', {
        entity: entity({ name: host }),
        revoked: isRevoked,
        observations: [
          observation(
            'edr',
            keys.map((key) => instance('fail', { key })),
          ),
        ],
      }),
    );
  return [
    ...detections(0, false, 'd1', 'd2', 'd3'),
    ...detections(1, true, 'd1'),
    ...detections(2, true, 'd2', 'd3'),
  ];
}

/** Controls that passed and have expired when their asset is deleted, and a vulnerability; then the asset returns. */
function deletedControls(host: string, rules: number, day: number, deletion: IntakePayload): IntakeEvent[] {
  const given = { entity: entity({ name: host }), expiresAt: T0 + (day + 1) * DAY_MS };
  const passed = (['ca', 'uba', 'va'] as const).flatMap((type) =>
    sent(
      host,
      rules,
      day,
      signal('a', 'pass', { ...given, observations: [observation(type, [instance('pass')])] }),
    ),
  );
  const entityKey = `machine:${host}`;
  return [
    ...passed,
    event(deletion, T0 + (day + 10) * DAY_MS, { kind: 'system', user: null }, { entityKey, rules }),
    ...sent(host, rules, day + 11, signal('b', 'fail', { entity: entity({ name: host }) })),
  ];
}

import { encodeIntake } from '#libs/contracts';
import { assetId as assetIdOf, type IntakeEvent, type IntakePayload } from '#libs/domain';
import type { LogRecord } from '#libs/event-log';
import { entity, event, signal, T0, upload } from '../../support/scenario.ts';

/** Events with a different meaning under rules 2, each next to the same under rules 1. */
export function changedMeanings(): LogRecord[][] {
  const events = [1, 2].flatMap((rules) => [
    ...joinedNames(`joined-${rules}`, rules),
    ...hostnames(`named-${rules}`, rules),
    ...retypedAfterDeletion(`gone-${rules}`, rules),
  ]);
  return [
    events.map(({ envelope, payload }, i) => {
      const id = `e0000000-0000-5000-8000-${String(i + 1).padStart(12, '0')}`;
      return { key: envelope.entityKey, value: encodeIntake({ envelope: { ...envelope, id }, payload }) };
    }),
  ];
}

let uploads = 0;
function uploaded(host: string, rules: number, payloads: IntakePayload[]): IntakeEvent[] {
  uploads += 1;
  return upload(uploads, T0 + uploads, payloads, { entityKey: `machine:${host}`, rules });
}

/** Another FQDN than one that only joined a bare name. */
const joinedNames = (host: string, rules: number) =>
  uploaded(
    host,
    rules,
    [host, `${host}.a.com`, `${host}.b.com`].map((name) =>
      signal('a', 'fail', {
        entity: entity({ name, hostname: host, fqdn: name === host ? null : name }),
        assetRules: { matching: 'fqdn', importAssets: true, updateMetadata: false },
      }),
    ),
  );

/** A tag for an asset that is named by its FQDN, and the next signal without one. */
const hostnames = (host: string, rules: number) =>
  uploaded(
    host,
    rules,
    [host, 'tagged', host].map((hostname) =>
      signal('a', 'fail', { entity: entity({ name: `${host}.a.com`, fqdn: `${host}.a.com`, hostname }) }),
    ),
  );

function retypedAfterDeletion(host: string, rules: number): IntakeEvent[] {
  const entityKey = `machine:${host}`;
  const assetId = assetIdOf(entityKey);
  const typing = { type: 'Legacy', attackSurface: 'Servers', supports: ['va' as const] };
  const created = uploaded(host, rules, [signal('a', 'fail', { entity: entity({ name: host }) })]);
  const at = created[0]!.envelope.at;
  return [
    ...created,
    event({ type: 'AssetDeleted', assetId, seenVersion: null }, at, { kind: 'user' }, { entityKey, rules }),
    event(
      { type: 'AssetRetyped', assetId, typing },
      at,
      { kind: 'system', user: null },
      { entityKey, rules, settingsVersion: 1 },
    ),
  ];
}

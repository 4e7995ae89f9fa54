import { secretsOfFile } from '#libs/config';
import { type KeyStatus, NOTHING_SEALED, readKeyStatus, readSessionKeys } from '#libs/key-rotation';
import { wrappingKeyId } from '#libs/vault';
import type { Terminal } from '../terminal.ts';
import { tableLines } from '../text-table.ts';
import { type KeyRole, roleOf, SEALED_KINDS, type SealedKind, sumOf } from './key-words.ts';
import { withKeys } from './with-keys.ts';

type ShownKey = KeyStatus & { role: KeyRole };

const ORDER: readonly KeyRole[] = ['present', 'previous', 'unknown', 'damaged'];

/** @throws CliError as `withKeys` */
export const showStatus = (json: boolean, terminal: Terminal): Promise<void> =>
  withKeys(terminal, async (db, vault, secrets) => {
    const stored = await readKeyStatus(db);
    // No operator has configured them: they are shown if something is encrypted with them.
    const hidden = secretsOfFile(secrets).map(wrappingKeyId);
    const unused = vault.keyIds.filter(
      (id) => !hidden.includes(id) && stored.every(({ keyId }) => keyId !== id),
    );
    const keys = [...stored, ...unused.map((keyId) => ({ keyId, ...NOTHING_SEALED }))]
      .map((status): ShownKey => ({ ...status, role: roleOf(status.keyId, vault) }))
      .sort((a, b) => ORDER.indexOf(a.role) - ORDER.indexOf(b.role));
    const sessions = (await readSessionKeys(db))
      .filter(({ keyId }) => roleOf(keyId, vault) === 'previous')
      .reduce((sum, { count }) => sum + count, 0);
    const isRotated = sessions === 0 && keys.every((key) => key.role === 'present' || sumOf(key) === 0);
    terminal.stdout.write(
      json
        ? `${JSON.stringify({ ok: true, isRotated, keys, sessions })}\n`
        : [...tableOf(keys), ...adviceOf(keys, sessions), ''].join('\n'),
    );
  });

const HEADINGS: Record<SealedKind, string> = {
  subjectKeys: 'Keys of subjects',
  integrationSecrets: 'Secrets of integrations',
  webhookSecrets: 'Secrets of webhooks',
  secondFactors: 'Second factors',
  identityProviders: 'Identity providers',
  reportSchedules: 'Report schedules',
  notificationAddresses: 'Addresses of notifications',
  notificationSettings: 'Settings of notifications',
};

const tableOf = (keys: readonly ShownKey[]): string[] =>
  tableLines([
    ['Wrapping key', 'Is', ...SEALED_KINDS.map((kind) => HEADINGS[kind])],
    ...keys.map((key) => [key.keyId ?? '', key.role, ...SEALED_KINDS.map((kind) => String(key[kind]))]),
  ]);

/** @param sessions whose refresh tokens the previous secret encrypts */
function adviceOf(keys: readonly ShownKey[], sessions: number): string[] {
  const [previous, unknown, damaged] = (['previous', 'unknown', 'damaged'] as const).map((role) =>
    keys.filter((key) => key.role === role).reduce((sum, key) => sum + sumOf(key), 0),
  );
  const advice = [
    ...(previous ? [`${previous} require the previous secret: run posture keys rotate`] : []),
    ...(unknown ? [`${unknown} require another secret: set POSTURE_PREVIOUS_SECRET_KEY to it`] : []),
    ...(sessions
      ? [
          `${sessions} sessions require the previous secret until their next check by the identity provider: without it, they end`,
        ]
      : []),
    ...(damaged ? [`${damaged} are damaged: posture keys rotate names them`] : []),
  ];
  if (advice.length > 0) return advice;
  return keys.some(({ role }) => role === 'previous')
    ? [
        'No stored key requires the previous secret. Access tokens can require it for one hour after the last program got the present one; then remove it',
      ]
    : ['All stored keys and secrets are encrypted with the present wrapping key'];
}

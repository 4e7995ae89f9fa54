import { setTimeout } from 'node:timers/promises';
import { backOffMs } from '#libs/back-off';
import { EgressError, type OutgoingAnswer, openEgress } from '#libs/egress';
import { jsonOrNull, oneLine } from '#libs/readers';
import { type KeyWrapper, KeyWrapperError } from './key-wrapper.ts';

/** Before every ciphertext of the transit engine, then its version. */
export const VAULT_PREFIX = 'vault:v';
/** Of a secret of 512 characters, which are at most 1,536 bytes. */
const CIPHERTEXT = /^vault:v\d{1,9}:[A-Za-z0-9+/]{1,2100}={0,2}$/;

const ATTEMPTS_MAX = 3;
const ATTEMPT_MS_MAX = 5_000;
const RETRIES = { firstMs: 500, longestMs: 2_000 };
const ANSWER_BYTES_MAX = 65_536;
const REASON_CHARACTERS_MAX = 300;
/** As the database, it is a system of the operator: any address is allowed. */
const EVERY_ADDRESS = ['0.0.0.0/0', '::/0'];

export interface VaultTransit {
  /** Such as `https://vault.example:8200`. */
  address: string;
  token: string;
  namespace?: string | undefined;
  /** Path of the engine, without slashes at its ends. */
  mount: string;
  /** Name of the key. */
  key: string;
}

/** The transit secrets engine of HashiCorp Vault or OpenBao, over its HTTP API. Not through EGRESS_PROXY. */
export function openVaultTransit({ address, token, namespace, mount, key }: VaultTransit): KeyWrapper {
  const egress = openEgress({ allow: () => EVERY_ADDRESS });
  const { host } = new URL(address);
  const who = `Vault at ${host}`;

  async function request(action: Action, body: object): Promise<Record<string, unknown>> {
    const send = () =>
      egress.request({
        method: 'POST',
        url: `${address.replace(/\/$/, '')}/v1/${mount}/${action}/${key}`,
        headers: {
          'content-type': 'application/json',
          'x-vault-token': token,
          'x-vault-request': 'true',
          ...(namespace && { 'x-vault-namespace': namespace }),
        },
        body: JSON.stringify(body),
        timeoutMs: ATTEMPT_MS_MAX,
        bytesMax: ANSWER_BYTES_MAX,
      });
    const answer = await retried(action, send);
    const content = parsed(answer.body);
    if (answer.status === 200) return (content.data ?? {}) as Record<string, unknown>;
    throw new KeyWrapperError(
      `${who} does not ${action} with the key ${mount}/${key}: ${answer.status} ${reasonOf(content)}. ${HINTS[answer.status] ?? 'Check VAULT_ADDR, VAULT_TRANSIT_MOUNT and VAULT_TRANSIT_KEY'}`,
    );
  }

  async function retried(action: Action, send: () => Promise<OutgoingAnswer>): Promise<OutgoingAnswer> {
    for (let attempt = 1; ; attempt++) {
      const failed = await send().then(
        (answer) => (isTransient(answer) ? answer : { answer }),
        (error: Error) => error,
      );
      if ('answer' in failed) return failed.answer;
      if (failed instanceof Error && !(failed instanceof EgressError)) throw failed;
      if (attempt === ATTEMPTS_MAX) {
        const why =
          failed instanceof Error ? failed.message : `${failed.status} ${reasonOf(parsed(failed.body))}`;
        throw new KeyWrapperError(
          `${who} is unavailable (${why}): the secret key cannot be ${DONE[action]}. Check VAULT_ADDR, and whether Vault is unsealed`,
        );
      }
      await setTimeout(backOffMs(attempt, RETRIES, Math.random()));
    }
  }

  return {
    wrap: async (secret) => {
      const { ciphertext } = await request('encrypt', { plaintext: secret.toString('base64') });
      if (typeof ciphertext === 'string' && CIPHERTEXT.test(ciphertext)) return ciphertext;
      throw new KeyWrapperError(`${who} returned no ciphertext: check VAULT_ADDR`);
    },
    unwrap: async (wrapped) => {
      if (!CIPHERTEXT.test(wrapped)) {
        throw new KeyWrapperError(
          'the wrapped secret key is damaged: it must be vault:v, a version, a colon and base64, as posture keys wrap prints it',
        );
      }
      const { plaintext } = await request('decrypt', { ciphertext: wrapped });
      if (typeof plaintext === 'string' && plaintext !== '') return Buffer.from(plaintext, 'base64');
      throw new KeyWrapperError(`${who} returned no plaintext: check VAULT_ADDR`);
    },
    close: () => egress.close(),
  };
}

/** Routes of the transit engine, and what they do to a secret key. */
const DONE = { encrypt: 'wrapped', decrypt: 'unwrapped' };
type Action = keyof typeof DONE;

const HINTS: Record<number, string> = {
  400: 'The secret key was changed, or another key has wrapped it',
  403: 'Check VAULT_TOKEN, VAULT_NAMESPACE, and the policy of the token',
};

/** Sealed, standby, overloaded. */
const isTransient = ({ status }: OutgoingAnswer): boolean =>
  status >= 500 || status === 429 || status === 412;

function parsed(body: Buffer): Record<string, unknown> {
  const content = jsonOrNull(body.toString('utf8'));
  return content !== null && typeof content === 'object' ? (content as Record<string, unknown>) : {};
}

/** What Vault says, in one line. */
function reasonOf({ errors }: Record<string, unknown>): string {
  const reasons = Array.isArray(errors) ? errors.filter((one) => typeof one === 'string') : [];
  return oneLine(reasons.join('; '), REASON_CHARACTERS_MAX) || 'without a reason';
}

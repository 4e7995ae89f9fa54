import { oneLine } from '#libs/readers';
import { type KeyWrapper, KeyWrapperError } from './key-wrapper.ts';

/** Before the base64 of a ciphertext of AWS KMS. */
export const AWS_KMS_PREFIX = 'aws-kms:';
/** KMS returns 6,144 bytes at most. */
const WRAPPED = /^aws-kms:[A-Za-z0-9+/]{1,8192}={0,2}$/;

const ATTEMPTS_MAX = 3;
const ATTEMPT_MS_MAX = 5_000;
/** Of all attempts, with the search for credentials. */
const TOTAL_MS_MAX = 30_000;
const REASON_CHARACTERS_MAX = 300;
/** Authenticated: a ciphertext that the same key has made for another purpose is not accepted. */
const CONTEXT = { service: 'posture', purpose: 'secret-key' };

export interface AwsKms {
  /** Id, alias or ARN of a symmetric key. */
  key: string;
  region?: string | undefined;
  endpoint?: string | undefined;
}

/** What the client throws, of which this is read. */
interface ClientError extends Error {
  $metadata?: { httpStatusCode?: number };
  $retryable?: unknown;
}

/** AWS KMS, by its own client: credentials are found as in all programs for AWS. Not through EGRESS_PROXY. */
export function openAwsKms({ key, region, endpoint }: AwsKms): KeyWrapper {
  const where = endpoint === undefined ? '' : ` at ${new URL(endpoint).host}`;
  const client = openClient();

  async function openClient() {
    // Loaded on demand: most sites have no AWS KMS, and it takes a tenth of a second.
    const { DecryptCommand, EncryptCommand, KMSClient } = await import('@aws-sdk/client-kms');
    const kms = new KMSClient({
      ...(region !== undefined && { region }),
      ...(endpoint !== undefined && { endpoint }),
      maxAttempts: ATTEMPTS_MAX,
      requestHandler: {
        connectionTimeout: ATTEMPT_MS_MAX,
        requestTimeout: ATTEMPT_MS_MAX,
        throwOnRequestTimeout: true,
      },
    });
    return { DecryptCommand, EncryptCommand, kms };
  }

  async function attempt<T>(
    action: keyof typeof DONE,
    send: (abortSignal: AbortSignal) => Promise<T>,
  ): Promise<T> {
    try {
      return await send(AbortSignal.timeout(TOTAL_MS_MAX));
    } catch (error) {
      throw new KeyWrapperError(sentenceOf(error as ClientError, action));
    }
  }

  function sentenceOf(error: ClientError, action: keyof typeof DONE): string {
    const reason = oneLine(`${error.name}: ${error.message}`, REASON_CHARACTERS_MAX).replace(/\.$/, '');
    const status = error.$metadata?.httpStatusCode;
    return status === undefined || status >= 500 || status === 429 || error.$retryable !== undefined
      ? `AWS KMS${where} is unavailable (${reason}): the secret key cannot be ${DONE[action]}. Check AWS_REGION, the credentials and the network`
      : `AWS KMS${where} does not ${action} with the key ${key}: ${status} ${reason}. ${HINTS[error.name] ?? 'Check AWS_KMS_KEY and the rights of the credentials'}`;
  }

  return {
    wrap: (secret) =>
      attempt('encrypt', async (abortSignal) => {
        const { EncryptCommand, kms } = await client;
        const command = new EncryptCommand({ KeyId: key, Plaintext: secret, EncryptionContext: CONTEXT });
        const { CiphertextBlob } = await kms.send(command, { abortSignal });
        return `${AWS_KMS_PREFIX}${Buffer.from(CiphertextBlob ?? []).toString('base64')}`;
      }),
    unwrap: async (wrapped) => {
      if (!WRAPPED.test(wrapped)) {
        throw new KeyWrapperError(
          'the wrapped secret key is damaged: it must be aws-kms: and base64, as posture keys wrap prints it',
        );
      }
      return attempt('decrypt', async (abortSignal) => {
        const { DecryptCommand, kms } = await client;
        const CiphertextBlob = Buffer.from(wrapped.slice(AWS_KMS_PREFIX.length), 'base64');
        const command = new DecryptCommand({ KeyId: key, CiphertextBlob, EncryptionContext: CONTEXT });
        const { Plaintext } = await kms.send(command, { abortSignal });
        return Buffer.from(Plaintext ?? []);
      });
    },
    close: async () => (await client).kms.destroy(),
  };
}

/** Operations, and what they do to a secret key. */
const DONE = { encrypt: 'wrapped', decrypt: 'unwrapped' };

const HINTS: Record<string, string> = {
  InvalidCiphertextException: 'The secret key was changed, or another key has wrapped it',
  IncorrectKeyException: 'Another key has wrapped the secret key: check AWS_KMS_KEY',
  AccessDeniedException: 'The credentials require kms:Decrypt, for posture keys wrap kms:Encrypt',
};

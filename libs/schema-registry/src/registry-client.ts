import { jsonOrNull, oneLine } from '#libs/readers';
import { SchemaRegistryError } from './registry-error.ts';

const ANSWER_MS_MAX = 5_000;
/** Newer registries repeat the schema in their answers. */
const ANSWER_BYTES_MAX = 1024 * 1024;
const REASON_CHARACTERS_MAX = 300;
const SCHEMA_ID_MAX = 2 ** 31 - 1;
const MEDIA_TYPE = 'application/vnd.schemaregistry.v1+json';

export interface RegistryClientOptions {
  /** Bounds one call, from the connection to the end of its answer. Default: 5 s. */
  answerMsMax?: number;
}

/**
 * A schema registry that speaks Confluent's API (Confluent, Karapace, Apicurio under `/apis/ccompat/v7`). Publishing
 * needs only one call, so it uses `fetch`: the client libraries depend on Protobuf and JSON Schema, have their own
 * retries, and set a subject's compatibility, which its operator chooses.
 */
export class RegistryClient {
  /** Without credentials and without a slash at the end: the name of the registry in the database and in messages. */
  readonly address: string;
  private readonly authorization: string | undefined;
  private readonly answerMsMax: number;

  /** @param url http or https, with `user:password@` if the registry asks for them (HTTP Basic) */
  constructor(url: string, { answerMsMax = ANSWER_MS_MAX }: RegistryClientOptions = {}) {
    const { username, password, origin, pathname } = new URL(url);
    this.address = `${origin}${pathname.replace(/(?<!\/)\/+$/, '')}`;
    this.authorization = username || password ? basic(username, password) : undefined;
    this.answerMsMax = answerMsMax;
  }

  /**
   * Ensures that the subject has the schema; returns the id that the registry knows it under, the same each time.
   * @throws SchemaRegistryError if the registry does not answer within 5 s, or refuses
   */
  async register(subject: string, schema: object): Promise<number> {
    const { status, text } = await this.post(`/subjects/${encodeURIComponent(subject)}/versions`, {
      schema: JSON.stringify(schema),
    });
    if (status !== 200) {
      throw new SchemaRegistryError(
        `the schema registry at ${this.address} rejected ${subject}: ${reasonOf(text)} (${status})`,
      );
    }
    const id = (jsonOrNull(text) as { id?: unknown } | null)?.id;
    if (!Number.isInteger(id) || (id as number) < 1 || (id as number) > SCHEMA_ID_MAX) {
      throw new SchemaRegistryError(`${this.address} returned no schema id: it is not a schema registry`);
    }
    return id as number;
  }

  private async post(path: string, body: object): Promise<{ status: number; text: string }> {
    try {
      const response = await fetch(`${this.address}${path}`, {
        method: 'POST',
        headers: {
          accept: MEDIA_TYPE,
          'content-type': MEDIA_TYPE,
          ...(this.authorization && { authorization: this.authorization }),
        },
        body: JSON.stringify(body),
        // Followed, some would turn the POST into a GET.
        redirect: 'manual',
        signal: AbortSignal.timeout(this.answerMsMax),
      });
      return { status: response.status, text: await boundedText(response) };
    } catch (error) {
      throw new SchemaRegistryError(
        `the schema registry at ${this.address} does not respond (${this.whyOf(error as Error)})`,
        { cause: error },
      );
    }
  }

  private whyOf(error: Error): string {
    if (error.name === 'TimeoutError') return `no response within ${this.answerMsMax} ms`;
    const { code, message } = (error.cause ?? error) as { code?: string; message: string };
    return code ?? message;
  }
}

const basic = (username: string, password: string): string =>
  `Basic ${Buffer.from(`${decodeURIComponent(username)}:${decodeURIComponent(password)}`).toString('base64')}`;

async function boundedText(response: Response): Promise<string> {
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  for await (const chunk of response.body ?? []) {
    bytes += chunk.length;
    if (bytes > ANSWER_BYTES_MAX) throw new Error(`a response of more than ${ANSWER_BYTES_MAX} bytes`);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString('utf8');
}

/** A registry's reason for a rejection, in one line; proxies before it respond in other forms. */
function reasonOf(text: string): string {
  const { message } = (jsonOrNull(text) ?? {}) as { message?: unknown };
  if (typeof message !== 'string') return 'without a reason';
  return oneLine(message, REASON_CHARACTERS_MAX);
}

/** The registry that a configuration names; null if it names none. */
export const schemaRegistryOf = ({
  schemaRegistryUrl,
}: {
  schemaRegistryUrl?: string;
}): RegistryClient | null => (schemaRegistryUrl ? new RegistryClient(schemaRegistryUrl) : null);

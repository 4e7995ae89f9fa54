import type { KeySource } from './key-source.ts';
import { hasSealedText, openText, SEALED_TEXTS } from './sealed-text.ts';

/** In place of a text whose key was destroyed, and of one whose key cannot be read. */
export const ERASED = 'erased';
const UNAVAILABLE = 'unavailable';

type Keys = Awaited<ReturnType<KeySource['read']>>;

const SEALED = 'sealed';

/**
 * A value with "sealed" in place of each sealed text, for files that no erasure reaches and that must be the same with and
 * without keys.
 * @param onHidden receives the subject of each
 */
export function hideSealed<T>(value: T, onHidden: (subject: string) => void = () => {}): T {
  const document = JSON.stringify(value);
  if (!hasSealedText(document)) return value;
  return JSON.parse(
    document.replace(SEALED_TEXTS, (_, subject: string) => {
      onHidden(subject);
      return SEALED;
    }),
  );
}

/** Opens sealed texts in what a reader returns. Texts without any cost one look. */
export class TextOpener {
  /** @param failed receives why keys cannot be read: of several, the first, and their number */
  constructor(
    private readonly keys: Pick<KeySource, 'read'>,
    private readonly failed: (error: Error, count?: number) => void,
  ) {}

  /** In JSON text: a document, lines, or a part of one; the opened texts are escaped. */
  json(document: string): Promise<string> {
    return this.opened(document, (text) => JSON.stringify(text).slice(1, -1));
  }

  /** In plain text. */
  text(text: string): Promise<string> {
    return this.opened(text, (opened) => opened);
  }

  /** In the strings and property names of a value that is the same in JSON. */
  async value<T>(value: T): Promise<T> {
    const document = JSON.stringify(value);
    return document !== undefined && hasSealedText(document) ? JSON.parse(await this.json(document)) : value;
  }

  private async opened(text: string, written: (opened: string) => string): Promise<string> {
    if (!hasSealedText(text)) return text;
    const keys = await this.read(new Set([...text.matchAll(SEALED_TEXTS)].map(([, subject]) => subject!)));
    return text.replace(SEALED_TEXTS, (_, subject: string, bytes: string) =>
      written(this.open(bytes, keys.get(subject))),
    );
  }

  private async read(subjects: ReadonlySet<string>): Promise<Keys> {
    try {
      return await this.keys.read([...subjects], this.failed);
    } catch (error) {
      this.failed(error as Error);
      return new Map();
    }
  }

  private open(bytes: string, key: ReturnType<Keys['get']>): string {
    if (key === undefined) return UNAVAILABLE;
    if (key === null) return ERASED;
    try {
      return openText(bytes, key);
    } catch (error) {
      this.failed(error as Error);
      return UNAVAILABLE;
    }
  }
}

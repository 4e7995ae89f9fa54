import sax from 'sax';
import { DEPTH_MAX, TOO_DEEP } from '#libs/readers';
import type { Evidence } from './evidence.ts';
import type { ReportFile } from './report-file.ts';
import { UnreadableReport } from './unreadable-report.ts';
import { XmlCursor } from './xml-cursor.ts';

/** An element with all that is in it. */
export interface XmlElement {
  name: string;
  attributes: Record<string, string>;
  /** Its own text and that of CDATA sections, without its children's. */
  text: string;
  children: XmlElement[];
  /** Its first line, from 1. */
  line: number;
}

export type XmlEvent =
  | { kind: 'begin'; name: string; attributes: Record<string, string>; line: number }
  | { kind: 'end'; name: string }
  /** @property path names from the root: `/scan/hosts/host` */
  | { kind: 'element'; path: string; element: XmlElement };

/** The reported parts of a document; each as `parent/name`, the parent being the element right around it. */
export interface XmlParts {
  /** Reported as a whole, when they end. */
  elements: string[];
  /** Called when they begin and when they end: they may be as large as the document. */
  marks: string[];
}

/** No finding of any scanner comes near it; a broken tag must not gather the file in memory. */
const ELEMENT_CHARS_MAX = 64 * 1_048_576;

/** The parser gathers attributes and comments character by character, which needs 32 bytes for each. */
const MARKUP_CHARS_MAX = 1_048_576;
const MARKUP_TOO_LONG = 'a tag, comment or declaration is longer than 1 MB';

// Beyond its own limit of 64 KB the parser fails or not, by where a chunk of the file ends.
Object.assign(sax, { MAX_BUFFER_LENGTH: MARKUP_CHARS_MAX });

/**
 * Parts of an XML document that may be larger than memory, as they come. Entities that the document defines are not
 * resolved, and nothing outside it is read.
 * @throws UnreadableReport if it is no XML, ends too early, is nested too deep or has a larger element or tag
 */
export async function* xmlEvents(
  file: ReportFile,
  parts: XmlParts,
  onProgress?: (bytes: number) => void,
): AsyncGenerator<XmlEvent> {
  const reader = new XmlReader(file.name, parts, file.evidence);
  for await (const text of file.text(onProgress)) yield* reader.write(text);
  yield* reader.close();
}

class XmlReader {
  private readonly parser = sax.parser(true, { position: true });
  private readonly elements: Set<string>;
  private readonly marks: Set<string>;
  /** Names of the open elements around an element that is reported as a whole. */
  private readonly around: string[] = [];
  /** Open elements of one that is reported as a whole, the outermost first. */
  private readonly open: XmlElement[] = [];
  private readonly cursor: XmlCursor | null;
  /** Start of the outermost of them, in characters. */
  private openedAt = 0;
  private events: XmlEvent[] = [];
  /** The parser reports errors at the end without throwing them. */
  private isBroken = false;

  constructor(
    private readonly fileName: string,
    parts: XmlParts,
    evidence?: Evidence,
  ) {
    this.cursor = evidence ? new XmlCursor(evidence) : null;
    this.elements = new Set(parts.elements);
    this.marks = new Set(parts.marks);
    this.parser.onopentag = ({ name, attributes }) => this.begin(name, attributes as Record<string, string>);
    this.parser.onclosetag = (name) => this.end(name);
    this.parser.ontext = (text) => this.text(text);
    this.parser.onerror = ({ message }) => {
      if (message.startsWith('Max buffer length exceeded')) throw this.unreadable(MARKUP_TOO_LONG);
      this.isBroken = true;
    };
    this.parser.oncdata = (text) => this.text(text);
    this.parser.onattribute = () => this.assertMarkupBounded();
    this.parser.oncomment = () => this.assertMarkupBounded();
  }

  write(text: string): XmlEvent[] {
    return this.step(() => this.parser.write(text));
  }

  close(): XmlEvent[] {
    // The parser resets its position when it closes.
    const end = this.line();
    return this.step(
      () => this.parser.close(),
      () => end,
    );
  }

  private step(parse: () => void, place = () => this.line()): XmlEvent[] {
    try {
      parse();
      if (this.isBroken) throw new Error('XML');
    } catch (error) {
      if (error instanceof UnreadableReport) throw error;
      // The parser's own words may quote the file.
      throw new UnreadableReport(this.fileName, place(), 'is not valid XML or is truncated');
    }
    const { events } = this;
    this.events = [];
    return events;
  }

  private begin(name: string, attributes: Record<string, string>): void {
    if (this.around.length + this.open.length >= DEPTH_MAX) throw this.unreadable(TOO_DEEP);
    this.cursor?.begin(name, attributes);
    const outer = this.open.at(-1);
    const place = `${this.around.at(-1) ?? ''}/${name}`;
    const line = this.parser.line + 1;
    if (outer || this.elements.has(place)) {
      if (!outer) this.openedAt = this.parser.position;
      this.assertBounded();
      const element: XmlElement = { name, attributes, text: '', children: [], line };
      outer?.children.push(element);
      this.open.push(element);
      return;
    }
    if (this.marks.has(place)) this.events.push({ kind: 'begin', name, attributes, line });
    this.around.push(name);
  }

  private end(name: string): void {
    this.cursor?.end();
    const element = this.open.pop();
    if (element) {
      if (this.open.length > 0) return;
      this.events.push({ kind: 'element', path: `/${[...this.around, name].join('/')}`, element });
      return;
    }
    this.around.pop();
    if (this.marks.has(`${this.around.at(-1) ?? ''}/${name}`)) this.events.push({ kind: 'end', name });
  }

  private text(text: string): void {
    this.cursor?.text(text);
    const element = this.open.at(-1);
    if (!element) return;
    this.assertBounded();
    element.text += text;
  }

  private assertBounded(): void {
    if (this.parser.position - this.openedAt <= ELEMENT_CHARS_MAX) return;
    throw this.unreadable('an element is longer than 64 MB');
  }

  private assertMarkupBounded(): void {
    if (this.parser.position - this.parser.startTagPosition <= MARKUP_CHARS_MAX) return;
    throw this.unreadable(MARKUP_TOO_LONG);
  }

  private unreadable(problem: string): UnreadableReport {
    return new UnreadableReport(this.fileName, this.line(), problem);
  }

  private line(): string {
    return `line ${this.parser.line + 1}`;
  }
}

/** The first child of a name. */
export const childOf = (element: XmlElement | undefined, name: string): XmlElement | undefined =>
  element?.children.find((child) => child.name === name);

export const childrenOf = (element: XmlElement | undefined, name: string): XmlElement[] =>
  element?.children.filter((child) => child.name === name) ?? [];

/** Text of the first child of a name, trimmed; null if it is missing or empty. */
export function textIn(element: XmlElement | undefined, name: string): string | null {
  const text = childOf(element, name)?.text.trim() ?? '';
  return text === '' ? null : text;
}

/** Texts of all children of a name, trimmed, without empty ones. */
export const textsIn = (element: XmlElement | undefined, name: string): string[] =>
  childrenOf(element, name)
    .map(({ text }) => text.trim())
    .filter((text) => text !== '');

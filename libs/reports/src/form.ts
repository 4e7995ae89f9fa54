/** A kind of file that a format comes in: how it is recognized, and where its findings are. */
export type Form = MarkedForm | TableForm;

/**
 * A document of JSON or XML. A mark is a place in it, and may name the text there: `$.version=2.1.0`, `$.runs[]` (a
 * list), `$.findings[].title`, `/SCAN/IP`, `/bom@xmlns=http://cyclonedx.org/*` (an attribute, and how it begins),
 * `//v:vulnerabilities` (at any depth), `/scan@status!=finished` (any other text).
 */
export interface MarkedForm {
  syntax: 'json' | 'xml';
  /** The first 64 KB of every such file show all of them. Those in an element of a list apply if it has elements. */
  marks: string[];
  /** Paths of findings. A file without any of these contains no assessment. */
  lists: string[];
  /** Marks that may come later than 64 KB. */
  later?: string[];
  /** Marks of other tools' files that look alike. */
  foreign?: string[];
  /** Marks of a report that lacks findings: one page of several, an unfinished scan. Without a text, any text. */
  partial?: string[];
  /** Places with the number of all elements of `lists`: a report with fewer lacks findings. */
  totals?: string[];
  /** XML: the elements that `totals` count. */
  counted?: string[];
  /** The only members that objects at a place have. */
  members?: { at: string; names: string[] };
}

/** Rows below a header of named columns. */
interface TableForm {
  syntax: 'text';
  /** @param columns trimmed fields of a row in lower case */
  isHeader(columns: string[]): boolean;
}

/** A message to a person that is about no single ticket: plain text, which channels show without markup. */
export interface PlainMessage {
  title: string;
  lines: readonly string[];
  /** Of the page that it is about; null: it is not known. */
  url: string | null;
}

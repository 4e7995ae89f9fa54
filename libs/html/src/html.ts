/** Text that is HTML already. */
export class Html {
  constructor(readonly text: string) {}
}

/** Values of a template: HTML unchanged, any other text with its special characters escaped. */
export type HtmlValue = Html | string | number | readonly HtmlValue[];

const ESCAPES: Record<string, string> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

/** A template of HTML: every value that is not HTML itself is escaped, for text and quoted attributes alike. */
export const html = (strings: TemplateStringsArray, ...values: HtmlValue[]): Html =>
  new Html(strings.reduce((text, next, i) => text + textOf(values[i - 1]!) + next));

function textOf(value: HtmlValue): string {
  if (value instanceof Html) return value.text;
  if (typeof value === 'object') return value.map(textOf).join('');
  return String(value).replace(/[&<>"']/g, (character) => ESCAPES[character]!);
}

import ts from 'typescript';

/** A rule of docs/specification.md, or a record of docs/decisions. */
const CITATION = /\b(?:R-[A-Z]+-\d+|ADR-\d{4})\b/g;

/** How texts cited lists that are in no file of the project. */
const OLD_CITATION =
  /\bD\d{1,2}\b|\b[Ss]pec §[^,;)]*|\([Rr]ules? \d|\b[Rr]ule \d\b|\bdesign "[^"]*"|\b(?:api|design|falcon|axonius|spec\/decisions)\.md\b/g;

/** Every citation in a text, in order. */
export const citationsIn = (text: string): string[] => text.match(CITATION) ?? [];

/** Every citation of a list that is not in the project, in order. */
export const oldCitationsIn = (text: string): string[] => text.match(OLD_CITATION) ?? [];

/** Identifiers of the rules that a specification defines, in order. */
export const rulesOf = (specification: string): string[] =>
  [...specification.matchAll(/^- \*\*(R-[A-Z]+-\d+)\*\* /gm)].map(([, id]) => id!);

/** Identifiers of the records with these file names. */
export const decisionsOf = (files: readonly string[]): string[] =>
  files.flatMap((file) => (/^\d{4}-/.test(file) ? [`ADR-${file.slice(0, 4)}`] : []));

/** Texts of a program that its users may see: every string and piece of JSX, without comments. */
export function shownTexts(path: string, source: string): string[] {
  const texts: string[] = [];
  const visit = (node: ts.Node): void => {
    if (ts.isStringLiteralLike(node) || ts.isTemplateHead(node) || ts.isTemplateMiddleOrTemplateTail(node)) {
      texts.push(node.text);
    } else if (ts.isJsxText(node)) texts.push(node.text);
    ts.forEachChild(node, visit);
  };
  visit(ts.createSourceFile(path, source, ts.ScriptTarget.Latest));
  return texts;
}

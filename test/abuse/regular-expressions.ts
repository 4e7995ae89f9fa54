import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import ts from 'typescript';

/** A regular expression literal. */
export interface FoundExpression {
  file: string;
  source: string;
  flags: string;
}

/** A regular expression that the program builds at run time. */
export interface BuiltExpression {
  file: string;
}

const PROGRAM = /\.tsx?$/;
const NO_PROGRAM = /\.spec\.tsx?$|(^|\/)node_modules\//;

/** Every regular expression of the programs under these folders; specs and their helpers are excluded. */
export function expressionsUnder(...folders: string[]): {
  found: FoundExpression[];
  built: BuiltExpression[];
} {
  const found: FoundExpression[] = [];
  const built: BuiltExpression[] = [];
  for (const file of folders.flatMap(programFiles)) {
    const root = ts.createSourceFile(file, readFileSync(file, 'utf8'), ts.ScriptTarget.Latest);
    const visit = (node: ts.Node): void => {
      if (ts.isRegularExpressionLiteral(node)) found.push({ file, ...partsOf(node.text) });
      if (isBuilt(node, root)) built.push({ file });
      ts.forEachChild(node, visit);
    };
    visit(root);
  }
  return { found, built };
}

const programFiles = (folder: string): string[] =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((file) => PROGRAM.test(file) && !NO_PROGRAM.test(file))
    .map((file) => join(folder, file))
    .sort();

const isBuilt = (node: ts.Node, root: ts.SourceFile): boolean =>
  (ts.isNewExpression(node) || ts.isCallExpression(node)) && node.expression.getText(root) === 'RegExp';

function partsOf(literal: string): Pick<FoundExpression, 'source' | 'flags'> {
  const end = literal.lastIndexOf('/');
  return { source: literal.slice(1, end), flags: literal.slice(end + 1) };
}

/** Every `pattern` of a JSON schema, at any depth; each is applied to sent texts. */
export function patternsOf(schema: unknown): string[] {
  if (typeof schema !== 'object' || schema === null) return [];
  const own = 'pattern' in schema && typeof schema.pattern === 'string' ? [schema.pattern] : [];
  return [...own, ...Object.values(schema).flatMap(patternsOf)];
}

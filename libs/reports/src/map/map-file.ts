import { readFileSync, statSync } from 'node:fs';
import { Ajv2020, type AnySchemaObject, type ErrorObject, type ValidateFunction } from 'ajv/dist/2020.js';
import { findNodeAtLocation, type Node, parseTree } from 'jsonc-parser';
import { parseJson } from '#libs/contracts';
import { projectFile } from '#libs/project-files';
import type { Format } from '../format.ts';
import { formatOfMap, type MapProblem } from './map-format.ts';
import type { ReportMap } from './report-map.ts';
import { WrongMap } from './wrong-map.ts';

/** No map comes near it. */
const MAP_BYTES_MAX = 262_144;
const PROBLEMS_SHOWN_MAX = 10;

/**
 * A map file as a format.
 * @throws WrongMap with lines and paths in the file if it cannot be read or is no map
 */
export function readMapFile(path: string): Format {
  try {
    const { size } = statSync(path);
    if (size > MAP_BYTES_MAX) throw new WrongMap(`${path} is no map: it is longer than 256 KB`);
    return formatOfContent(path, readFileSync(path));
  } catch (error) {
    if (error instanceof WrongMap) throw error;
    const { code } = error as NodeJS.ErrnoException;
    if (code === undefined) throw error;
    throw new WrongMap(code === 'ENOENT' ? `${path} does not exist` : `cannot read ${path} (${code})`);
  }
}

function formatOfContent(path: string, content: Buffer): Format {
  const parsed = parseJson(content);
  if (!parsed.ok) throw new WrongMap(`${path}, ${parsed.message}`);
  const { value } = parsed;
  const text = content.toString('utf8').replace(/^\uFEFF+/, '');
  const check = validator();
  if (!check(value)) throw notAMap(path, text, problemsOf(check.errors ?? []));
  const format = formatOfMap(value as ReportMap);
  if (Array.isArray(format)) throw notAMap(path, text, format);
  return format;
}

/** Most calls read no map. */
let compiled: ValidateFunction | null = null;
function validator(): ValidateFunction {
  if (compiled === null) {
    const ajv = new Ajv2020({
      allErrors: true,
      verbose: true,
      strict: true,
      strictTypes: false,
      strictRequired: false,
    });
    ajv.addKeyword({ keyword: 'expected', schemaType: 'string' });
    compiled = ajv.compile(JSON.parse(readFileSync(projectFile('schemas/report-map.schema.json'), 'utf8')));
  }
  return compiled;
}

/** Words of the schema's errors; `if` only repeats those of its branches. */
function problemsOf(errors: ErrorObject[]): MapProblem[] {
  return errors
    .filter(({ keyword }) => keyword !== 'if')
    .map(({ keyword, instancePath, params, parentSchema, message }) => {
      const at = instancePath.split('/').slice(1).map(stepOf);
      return { at, problem: wordsOf(keyword, params, parentSchema ?? {}, message ?? 'is not valid') };
    });
}

const stepOf = (part: string): string | number =>
  /^\d+$/.test(part) ? Number(part) : part.replaceAll('~1', '/').replaceAll('~0', '~');

function wordsOf(
  keyword: string,
  params: ErrorObject['params'],
  schema: AnySchemaObject,
  message: string,
): string {
  if (keyword === 'required') return `has no ${params.missingProperty}`;
  if (keyword === 'additionalProperties') {
    const known = Object.keys(schema.properties ?? {}).filter((name) => !name.startsWith('$'));
    return `has an unknown member ${JSON.stringify(String(params.additionalProperty).slice(0, 60))}: known are ${known.join(', ')}`;
  }
  if (keyword === 'enum') return `must be one of ${(schema.enum as string[]).join(', ')}`;
  if (schema.expected) return `must be ${schema.expected}`;
  return message;
}

function notAMap(path: string, text: string, problems: MapProblem[]): WrongMap {
  const tree = parseTree(text);
  const located = problems
    .map(({ at, problem }) => ({
      line: lineOf(text, tree, at),
      text: `${placeOf(at)} ${problem}`,
    }))
    .sort((a, b) => a.line - b.line);
  const lines = [...new Set(located.map(({ line, text: words }) => `${path}, line ${line}: ${words}`))];
  const [first, ...more] = lines;
  const shown = more.slice(0, PROBLEMS_SHOWN_MAX - 1);
  return new WrongMap(
    first ?? `${path} is no map`,
    more.length > shown.length ? [...shown, `… and ${more.length - shown.length} more`] : shown,
  );
}

/** Of the part, or of the nearest one around it. */
function lineOf(text: string, tree: Node | undefined, at: (string | number)[]): number {
  const node = tree && (findNodeAtLocation(tree, at) ?? tree);
  return text.slice(0, node?.offset ?? 0).split('\n').length;
}

/** `finding.name[0]` */
const placeOf = (at: (string | number)[]): string =>
  at.length === 0
    ? 'the map'
    : at
        .map((part) => (typeof part === 'number' ? `[${part}]` : `.${part}`))
        .join('')
        .replace(/^\./, '');

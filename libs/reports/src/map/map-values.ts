import { TEXT_CHARS_MAX } from '../signal/clip.ts';
import { type MapPath, readPath } from './map-path.ts';
import type { MapCondition, MapList, MapValue } from './report-map.ts';
import type { Scope } from './scope.ts';

/** Reads a text of a record; null if it has none. */
export type ReadText = (scope: Scope) => string | null;
export type ReadTexts = (scope: Scope) => string[];
type Test = (scope: Scope) => boolean;

/** Members and indexes that lead to a place in the map file. */
export type Location = (string | number)[];

/** Turns the values of a map into functions; collects their paths and what is wrong with them. */
export class ValueCompiler {
  readonly paths: MapPath[] = [];
  readonly problems: { at: Location; problem: string }[] = [];

  text(value: MapValue | undefined, at: Location): ReadText {
    if (value === undefined) return () => null;
    if (typeof value === 'string') return this.template(value, at);
    if (Array.isArray(value)) {
      const candidates = value.map((each, i) => this.text(each, [...at, i]));
      return (scope) => firstText(candidates, scope);
    }
    if ('join' in value) {
      const parts = value.join.map((each, i) => this.text(each, [...at, 'join', i]));
      return (scope) =>
        bounded(
          parts.map((part) => part(scope)).filter((text) => text !== null),
          value.with ?? '\n\n',
        );
    }
    const read = this.text(value.value, [...at, 'value']);
    const test = value.when === undefined ? null : this.condition(value.when, [...at, 'when']);
    const words = value.words && wordsOf(value.words);
    const otherwise = value.otherwise ?? null;
    return (scope) => {
      if (test?.(scope) === false) return null;
      const text = beforeLast(read(scope), value.before);
      if (!words) return text ?? otherwise;
      return (text === null ? undefined : words.get(text.toLowerCase())) ?? otherwise ?? text;
    };
  }

  list(list: MapList | undefined, at: Location): ReadTexts {
    const parts = typeof list === 'string' ? [list] : (list ?? []);
    const reads = parts.map((part, i) => {
      const here = typeof list === 'string' ? at : [...at, i];
      if (typeof part === 'string') return this.templates(part, here);
      const { split, when } = part;
      const read = this.templates(part.value, [...here, 'value']);
      const test = when === undefined ? null : this.condition(when, [...here, 'when']);
      return (scope: Scope) => {
        if (test?.(scope) === false) return [];
        return split === undefined ? read(scope) : read(scope).flatMap((text) => text.split(split));
      };
    });
    return (scope) => reads.flatMap((read) => read(scope));
  }

  lists(
    lists: Record<string, MapList> | undefined,
    at: Location,
  ): (scope: Scope) => Record<string, string[]> {
    const reads = Object.entries(lists ?? {}).map(
      ([name, list]) => [name, this.list(list, [...at, name])] as const,
    );
    return (scope) => Object.fromEntries(reads.map(([name, read]) => [name, read(scope)]));
  }

  condition(condition: MapCondition, at: Location): Test {
    if (Array.isArray(condition)) {
      const tests = condition.map((each, i) => this.condition(each, [...at, i]));
      return (scope) => tests.every((test) => test(scope));
    }
    if ('any' in condition) {
      const tests = condition.any.map((each, i) => this.condition(each, [...at, 'any', i]));
      return (scope) => tests.some((test) => test(scope));
    }
    const { exists, beginsWith } = condition;
    const read = this.template(condition.value, [...at, 'value']);
    const is = lowered(condition.is);
    const isNot = lowered(condition.isNot);
    const beginning = beginsWith?.toLowerCase();
    return (scope) => {
      const text = read(scope)?.toLowerCase() ?? null;
      if (exists !== undefined && (text !== null) !== exists) return false;
      if (is && (text === null || !is.has(text))) return false;
      if (isNot && text !== null && isNot.has(text)) return false;
      return beginning === undefined || text?.startsWith(beginning) === true;
    };
  }

  /** One text; several values of a path are joined. null if a path of it gives none. */
  private template(template: string, at: Location): ReadText {
    const parts = this.partsOf(template, at);
    return (scope) => {
      const texts: string[] = [];
      for (const part of parts) {
        const text = typeof part === 'string' ? part : bounded(scope.textsOf(part), ', ');
        if (text === null) return null;
        texts.push(text);
      }
      return bounded(texts, '')?.trim() || null;
    };
  }

  /** A text for each value of the only path. */
  private templates(template: string, at: Location): ReadTexts {
    const parts = this.partsOf(template, at);
    const paths = parts.filter((part) => typeof part !== 'string');
    if (paths.length === 1) {
      return (scope) =>
        scope
          .textsOf(paths[0]!)
          .map((text) => parts.map((part) => (typeof part === 'string' ? part : text)).join(''));
    }
    const whole = this.template(template, at);
    return (scope) => [whole(scope)].filter((text) => text !== null);
  }

  private partsOf(template: string, at: Location): (string | MapPath)[] {
    const parts: (string | MapPath)[] = [];
    for (const [piece] of template.matchAll(/\{\{|\}\}|\{[^{}]*\}|[{}]|[^{}]+/g)) {
      if (piece === '{{' || piece === '}}') parts.push(piece[0]!);
      else if (piece === '{' || piece === '}')
        this.reject(at, `has a single ${piece}: write ${piece}${piece} for a brace`);
      else if (!piece.startsWith('{')) parts.push(piece);
      else {
        const path = readPath(piece.slice(1, -1));
        if (path === null) this.reject(at, `has no valid path in ${piece.slice(0, 100)}`);
        else {
          parts.push(path);
          this.paths.push(path);
        }
      }
    }
    return parts;
  }

  private reject(at: Location, problem: string): void {
    this.problems.push({ at, problem });
  }
}

const lowered = (words: string[] | undefined): Set<string> | undefined =>
  words && new Set(words.map((word) => word.toLowerCase()));

const wordsOf = (words: Record<string, string>): Map<string, string> =>
  new Map(Object.entries(words).map(([word, meaning]) => [word.toLowerCase(), meaning]));

/** The text before the last occurrence of a separator; the whole without one. */
function beforeLast(text: string | null, separator: string | undefined): string | null {
  const at = separator === undefined || text === null ? -1 : text.lastIndexOf(separator);
  return at > 0 ? text!.slice(0, at) : text;
}

function firstText(candidates: ReadText[], scope: Scope): string | null {
  for (const candidate of candidates) {
    const text = candidate(scope);
    if (text !== null) return text;
  }
  return null;
}

/** Joined, as far as it fits; null without texts. */
function bounded(texts: string[], separator: string): string | null {
  if (texts.length === 0) return null;
  let joined = '';
  for (const [i, text] of texts.entries()) {
    joined += i === 0 ? text : separator + text;
    if (joined.length > TEXT_CHARS_MAX) return joined.slice(0, TEXT_CHARS_MAX);
  }
  return joined;
}

import { beforeAll, describe, expect, it } from '@jest/globals';
import { textFiles, textOf } from './project-texts.ts';

interface Term {
  name: string;
  types: string[];
  tables: string[];
}

const DECLARED = /^(?:export )?(?:abstract |async )?(?:class|interface|type|const|function) (\w+)/gm;
const CREATED = /^create table (?:if not exists )?(\w+)/gim;

let terms: Term[];
let types: Set<string>;
let tables: Set<string>;

beforeAll(async () => {
  const rows = (await textOf('docs/glossary.md')).match(/^\| .* \|$/gm)!.slice(1);
  terms = rows.map((row) => {
    const [name, , type, table] = row.slice(1, -1).split('|');
    const namesIn = (cell: string) => [...cell.matchAll(/`(\w+)`/g)].map(([, name]) => name!);
    // Between parentheses: a member of the type.
    return {
      name: name!.trim(),
      types: namesIn(type!.replace(/\([^)]*\)/g, '')),
      tables: namesIn(table!),
    };
  });
  const files = await textFiles();
  types = await allIn(files, /^(apps|libs)\/.*\.tsx?$/, DECLARED);
  tables = await allIn(files, /^migrations\//, CREATED);
});

async function allIn(files: string[], path: RegExp, pattern: RegExp): Promise<Set<string>> {
  const texts = await Promise.all(files.filter((file) => path.test(file)).map(textOf));
  return new Set(texts.flatMap((text) => [...text.matchAll(pattern)].map(([, name]) => name!)));
}

describe('docs/glossary.md', () => {
  it('is in alphabetical order', () => {
    const names = terms.map(({ name }) => name.toLowerCase());
    expect(names.length).toBeGreaterThan(70);
    expect(names).toEqual(names.toSorted());
  });

  it('names types and tables that exist', () => {
    expect(types.size).toBeGreaterThan(500);
    expect(tables.size).toBeGreaterThan(30);
    const unknown = terms.flatMap(({ name, ...of }) => [
      ...of.types.filter((type) => !types.has(type)).map((type) => `${name}: ${type}`),
      ...of.tables.filter((table) => !tables.has(table)).map((table) => `${name}: ${table}`),
    ]);
    expect(unknown).toEqual([]);
  });
});

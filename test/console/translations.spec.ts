import { fileURLToPath } from 'node:url';
import { describe, expect, it } from '@jest/globals';
import { getCatalogs } from '@lingui/cli/api';
import { getConfig } from '@lingui/conf';
import { parse, type Token } from '@messageformat/parser';
import { projectFile } from '#libs/project-files';

/** Every text of the console in every language that the menu offers. */

const config = getConfig({ configPath: fileURLToPath(projectFile('apps/console/lingui.config.mjs')) });
const catalog = (await getCatalogs(config))[0]!;
const texts = await catalog.collect();

describe.each(config.locales)('%s', (language) => {
  const translated = catalog.read(language);

  it('has a translation of each text, and no other', async () => {
    const known = (await translated) ?? {};
    const missing = Object.keys(texts!).filter((id) => !known[id]?.translation);
    const unused = Object.keys(known).filter((id) => !texts![id]);
    expect([missing.map((id) => texts![id]!.message), unused.map((id) => known[id]!.message)]).toEqual([
      [],
      [],
    ]);
  });

  it('has the values, the elements and the plural forms of its language', async () => {
    const forms = new Intl.PluralRules(language).resolvedOptions().pluralCategories;
    const problems = Object.entries((await translated) ?? {}).flatMap(([id, { message, translation }]) => {
      const [wanted, given] = [shapeOf(message!), shapeOf(translation)];
      const lacks = given.plurals.flatMap((plural) => forms.filter((form) => !plural.includes(form)));
      const isSame = wanted.values === given.values && wanted.elements === given.elements;
      return isSame && lacks.length === 0 ? [] : [{ id, message, translation, lacks }];
    });
    expect(problems).toEqual([]);
  });
});

/** Names of values, placeholders of elements, and the forms of each plural of a message in ICU format. */
function shapeOf(message: string) {
  const values = new Set<string>();
  const plurals: string[][] = [];
  const walk = (tokens: readonly Token[]): void => {
    for (const token of tokens) {
      if ('arg' in token) values.add(token.arg);
      if (!('cases' in token)) continue;
      if (token.type === 'plural') plurals.push(token.cases.map(({ key }) => key));
      for (const { tokens } of token.cases) walk(tokens);
    }
  };
  walk(parse(message));
  const elements = new Set(message.match(/<\/?\d+\/?>/g));
  return { values: [...values].sort().join(), elements: [...elements].sort().join(), plurals };
}

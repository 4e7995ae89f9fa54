import type { Page } from 'playwright-core';

/** An action of a user on a table. */
export interface TableAction {
  name: string;
  /** Page of the console that it begins on. */
  from: string;
  /** Name of the table. */
  table: string;
  act: (page: Page) => Promise<void>;
}

const press = (name: string) => (page: Page) => page.getByRole('button', { name, exact: true }).click();

/** Common pages and sort orders, with common and rare values. Enter submits a search. */
export const ACTIONS: TableAction[] = [
  { name: 'findings: next page', from: '/findings', table: 'Findings', act: press('Next page') },
  { name: 'findings: by name', from: '/findings', table: 'Findings', act: press('Finding') },
  { name: 'findings: by asset', from: '/findings', table: 'Findings', act: press('Asset') },
  { name: 'findings: only failed', from: '/findings', table: 'Findings', act: choose('State', /^Failed/) },
  {
    name: 'findings: only critical',
    from: '/findings',
    table: 'Findings',
    act: choose('Severity', /^Critical/),
  },
  { name: 'findings: search', from: '/findings', table: 'Findings', act: search('overflow parser') },
  {
    name: 'findings: next page of a search',
    from: '/findings?q=bypass',
    table: 'Findings',
    act: press('Next page'),
  },
  { name: 'assets: next page', from: '/assets', table: 'Assets', act: press('Next page') },
  { name: 'assets: by name', from: '/assets', table: 'Assets', act: press('Asset') },
  {
    name: 'assets: of a department',
    from: '/assets',
    table: 'Assets',
    act: choose('Department', /^Finance/),
  },
  { name: 'assets: search', from: '/assets', table: 'Assets', act: search('halden') },
];

function choose(filter: string, option: RegExp) {
  return async (page: Page) => {
    // The menu is before the table, whose header may have the same name.
    await page
      .getByRole('button', { name: new RegExp(`^${filter}`) })
      .first()
      .click();
    await page.getByLabel(option).click();
  };
}

function search(text: string) {
  return async (page: Page) => {
    await page.getByRole('searchbox').fill(text);
    await page.keyboard.press('Enter');
  };
}

import { access } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { textOf } from './project-texts.ts';

/** Relative links of a Markdown page, without those in blocks of code. */
export const linksIn = (page: string): string[] =>
  [...withoutCode(page).matchAll(/\]\(([^)\s]+)\)/g)]
    .map(([, target]) => target!)
    .filter((target) => !/^[a-z]+:/.test(target));

/** Anchors of a page's headings, as GitHub and GitLab make them. */
export const anchorsIn = (page: string): string[] =>
  [...withoutCode(page).matchAll(/^#+ (.+)$/gm)].map(([, heading]) =>
    heading!
      .toLowerCase()
      .replace(/[^\p{L}\p{N} _-]/gu, '')
      .trim()
      .replaceAll(' ', '-'),
  );

/** Why a link of a page leads nowhere; null if it resolves. */
export async function problemOf(path: string, link: string): Promise<string | null> {
  const [target, anchor] = link.split('#');
  const file = target === '' ? path : join(dirname(path), target!);
  const exists = await access(file).then(
    () => true,
    () => false,
  );
  if (!exists) return `${path}: ${link}: there is no ${file}`;
  if (anchor === undefined || !file.endsWith('.md')) return null;
  return anchorsIn(await textOf(file)).includes(anchor)
    ? null
    : `${path}: ${link}: ${file} has no such heading`;
}

const withoutCode = (page: string): string => page.replace(/^( *)```[\s\S]*?^\1```$/gm, '');

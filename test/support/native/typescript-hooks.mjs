import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { transform } from '@swc/core';
import { SWC_OPTIONS } from './swc-options.mjs';

const GLOBALS = new URL('./globals.mjs', import.meta.url).href;

/** Jest's own module refuses to be loaded outside of Jest's module loader. */
export const resolve = (specifier, context, next) =>
  specifier === '@jest/globals'
    ? { url: GLOBALS, format: 'module', shortCircuit: true }
    : next(specifier, context);

export async function load(url, context, next) {
  if (!/^file:.*\.ts$/.test(url) || url.includes('/node_modules/')) return next(url, context);
  const filename = fileURLToPath(url);
  const { code } = await transform(await readFile(filename, 'utf8'), { ...SWC_OPTIONS, filename });
  return { format: 'module', source: code, shortCircuit: true };
}

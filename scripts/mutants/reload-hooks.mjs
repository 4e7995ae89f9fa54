// Node loads each module only once. A spec file imported with `?generation=N` imports the project's modules with the
// same N, so a new N loads all of them again. `&again=M` loads only the spec file again.
const sources = new Map();

export async function resolve(specifier, context, next) {
  const found = await next(specifier, context);
  const generation = context.parentURL && new URL(context.parentURL).searchParams.get('generation');
  if (!generation || !isSource(found.url)) return found;
  return { ...found, url: `${found.url}?generation=${generation}` };
}

/** Compiles each file once for all generations. */
export async function load(url, context, next) {
  const [file] = url.split('?');
  if (!isSource(file)) return next(url, context);
  if (!sources.has(file)) sources.set(file, inShort(await next(file, context)));
  return sources.get(file);
}

/** Limits each property to 100 runs, as thousands of mutants are tried. */
const inShort = ({ source, ...rest }) => ({
  ...rest,
  source: `${source}`.replaceAll(/\bnumRuns: ([\d_]+)/g, 'numRuns: Math.min(100, $1)'),
});

const isSource = (url) => /^file:.*\.ts$/.test(url) && !url.includes('/node_modules/');

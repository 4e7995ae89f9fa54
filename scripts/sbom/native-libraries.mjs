// Recognizes native libraries by the names of their files, and reads their version from the files.

/**
 * `said` matches the version in the first file that contains it: all files of a library come from one build.
 * @type {readonly {name: string, files: RegExp, said: RegExp, versionOf?: (found: string) => string,
 *   licence: (version: string) => string, cpe?: string}[]}
 */
const LIBRARIES = [
  {
    name: 'openssl',
    files: /(^|\/)lib(crypto|ssl)\b/,
    said: /\0OpenSSL (\d+\.\d+\.\d+[a-z]?) /,
    licence: (version) => (version.startsWith('1.') ? 'OpenSSL' : 'Apache-2.0'),
    cpe: 'openssl:openssl',
  },
  {
    name: 'icu4c',
    files: /(^|\/)(libicu(data|i18n|uc|io|tu)|icu(dt|in|uc|io|tu)\d)/,
    // In libicuuc, next to the name of its data.
    said: /\0(\d\d\.\d(?:\.\d)?)\0/,
    licence: () => 'Unicode-DFS-2016',
    cpe: 'unicode:international_components_for_unicode',
  },
  {
    name: 'libxml2',
    files: /(^|\/)libxml2\b/,
    // 20904 is 2.9.4. Tables of numbers may precede it.
    said: /\D(2[01]\d{3})(?:-GIT[^\0]*)?\0/,
    versionOf: dotted,
    licence: () => 'MIT',
    cpe: 'xmlsoft:libxml2',
  },
  {
    name: 'libxslt',
    files: /(^|\/)libxslt\b/,
    said: /\D(101\d{2})(?:-GIT[^\0]*)?\0/,
    versionOf: dotted,
    licence: () => 'MIT',
    cpe: 'xmlsoft:libxslt',
  },
  {
    name: 'zlib',
    files: /(^|\/)(libz\b(?!std)|zlib1\.)/,
    said: / (?:de|in)flate (\d+(?:\.\d+)+) Copyright/,
    licence: () => 'Zlib',
    cpe: 'zlib:zlib',
  },
  {
    name: 'xz',
    files: /(^|\/)liblzma\b/,
    said: /\0(5\.\d+\.\d+)\0/,
    // According to COPYING of xz, for liblzma before 5.6.
    licence: () => 'LicenseRef-public-domain',
    cpe: 'tukaani:xz',
  },
  {
    name: 'lz4',
    files: /(^|\/)liblz4\b/,
    said: /\0(1\.\d+\.\d+)\0/,
    licence: () => 'BSD-2-Clause',
    cpe: 'lz4_project:lz4',
  },
  {
    name: 'zstd',
    files: /(^|\/)libzstd\b/,
    said: /\0(1\.\d+\.\d+)\0/,
    licence: () => 'BSD-3-Clause',
    cpe: 'facebook:zstandard',
  },
  {
    name: 'ossp-uuid',
    files: /(^|\/)libossp-uuid\b/,
    said: /OSSP uuid (\d+\.\d+\.\d+) /,
    licence: () => 'MIT',
  },
  {
    name: 'postgresql',
    files:
      /(^|\/)(bin\/(postgres|initdb|pg_ctl)(\.exe)?$|lib(pq|ecpg|ecpg_compat|pgtypes|pgcommon|pgport|pgfeutils)(_shlib)?\.|lib\/postgresql\/)/,
    said: /\0PostgreSQL (\d+\.\d+) on /,
    licence: () => 'PostgreSQL',
    cpe: 'postgresql:postgresql',
  },
];

function dotted(number) {
  return [number.slice(0, -4), number.slice(-4, -2), number.slice(-2)].map(Number).join('.');
}

/**
 * The libraries that files belong to.
 * @param {{path: string, text: string, sha256: string}[]} files as of `nativeFilesOf`
 * @returns {{libraries: {name: string, version: string | undefined, licence: string | undefined,
 *   cpe: string | undefined, files: object[]}[], others: object[]}} `version` and `licence` are undefined if no file
 *   contains a version; `others` belong to no known library
 */
export function librariesOf(files) {
  const libraries = LIBRARIES.flatMap((library) => {
    const own = files.filter(({ path }) => library.files.test(path));
    return own.length > 0 ? [described(library, own)] : [];
  });
  return { libraries, others: files.filter(({ path }) => !LIBRARIES.some((one) => one.files.test(path))) };
}

function described({ name, said, versionOf = (found) => found, licence, cpe }, files) {
  const found = files.map(({ text }) => said.exec(text)?.[1]).find((one) => one !== undefined);
  const version = found && versionOf(found);
  return {
    name,
    version,
    licence: version && licence(version),
    cpe: version && cpe && `cpe:2.3:a:${cpe}:${version}:*:*:*:*:*:*:*`,
    files,
  };
}

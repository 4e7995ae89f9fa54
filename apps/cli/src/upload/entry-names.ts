/**
 * Names of ZIP entries for files that may share a name: the second `a.json` becomes `a-2.json`, so that the answer's
 * remarks distinguish them. A leading dot is removed, because the service skips dot-files (R-ZIP-2); a backslash is no separator.
 */
export function uniqueNames(): (name: string) => string {
  const taken = new Set<string>();
  return (fileName) => {
    const name = fileName.replace(/^\.+/, '').replaceAll('\\', '_');
    const stem = name.replace(/\.json$/i, '');
    let unique = name;
    for (let n = 2; taken.has(unique.toLowerCase()); n++) unique = `${stem}-${n}.json`;
    taken.add(unique.toLowerCase());
    return unique;
  };
}

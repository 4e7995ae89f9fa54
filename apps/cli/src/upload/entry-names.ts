/**
 * Names of ZIP entries for files that may share a name: the second `a.json` becomes `a-2.json`, so that the answer's
 * remarks tell them apart. A leading dot goes, as the service skips dot-files (D18); a backslash is no separator.
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

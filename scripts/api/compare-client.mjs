// Compares two reports of the client's exported types, line by line: a line that is gone may have been used.
import { added, incompatible } from './changes.mjs';

/** @returns {Generator<import('./changes.mjs').Change>} */
export function* compareClient(before, after) {
  const [old, now] = [linesOf(before), linesOf(after)];
  for (const line of without(old, now)) yield incompatible('client', `removed or changed: ${line.trim()}`);
  for (const line of without(now, old)) yield added('client', `new: ${line.trim()}`);
}

/** Lines of code, each with the declaration that it belongs to. */
function linesOf(report) {
  let declaration = '';
  return report.split('\n').flatMap((line) => {
    if (line.trim() === '' || /^\s*(\/\/|\}$)/.test(line)) return [];
    if (/^\S/.test(line)) declaration = line;
    return [{ key: `${declaration} ${line}`, line }];
  });
}

function without(lines, others) {
  const keys = new Set(others.map(({ key }) => key));
  return lines.filter(({ key }) => !keys.has(key)).map(({ line }) => line);
}

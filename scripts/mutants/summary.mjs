import { dirname } from 'node:path';

const isOf =
  (...statuses) =>
  (mutant) =>
    statuses.includes(mutant.status);
const isKilled = isOf('Killed', 'Timeout');
const counts = isOf('Killed', 'Timeout', 'Survived', 'NoCoverage');

/** Counts Stryker's report by folder, without the mutants that are not in the sample. */
export function summaryOf({ files }) {
  const folders = new Map();
  for (const [file, { mutants }] of Object.entries(files)) {
    for (const folder of [dirname(file), 'all'])
      folders.set(folder, [...(folders.get(folder) ?? []), ...mutants.filter(counts)]);
  }
  return [HEAD, ...[...folders].map(([folder, all]) => row(folder, all))].join('\n');
}

const HEAD =
  '| folder | mutants | killed | of them by time | survived | run by no test | score |\n|---|--:|--:|--:|--:|--:|--:|';

function row(folder, all) {
  const killed = all.filter(isKilled).length;
  // Also a machine that is too busy can be the reason.
  const byTime = all.filter(({ status, statusReason }) => status === 'Timeout' && !statusReason).length;
  const [survived, unrun] = [isOf('Survived'), isOf('NoCoverage')].map((is) => all.filter(is).length);
  const score = all.length === 0 ? '' : `${((100 * killed) / all.length).toFixed(1)} %`;
  return `| ${folder} | ${all.length} | ${killed} | ${byTime} | ${survived} | ${unrun} | ${score} |`;
}

import { aimLines, aimsCell, memoryAim } from '../aim.ts';
import type { BenchReport } from '../benchmark.ts';
import { cellsOf, type Row, rate, sizeRows, table, whole } from '../growth/growth-report.ts';
import type { SizeFigures } from '../growth/measure-size.ts';
import type { Machine } from '../machine.ts';
import { peaksInWords } from '../report.ts';
import { type ProcessUse, totalCpuSeconds } from '../run/process-use.ts';
import type { DiskUse } from './disk.ts';
import type { Upkeep } from './upkeep.ts';

const RATIO_MIN = 0.85;
const GB = 1e9;

/** A site of one size. */
export interface SiteFigures {
  size: SizeFigures;
  /** Its findings when disk and upkeep were measured. */
  stored: number;
  disk: DiskUse;
  upkeep: Upkeep[];
}

export function largeSiteReport(sites: readonly SiteFigures[], begun: Date, machine: Machine): BenchReport {
  const sizes = sites.map(({ size }) => size);
  const ratio = rate(sizes.at(-1)!.ingest) / rate(sizes[0]!.ingest);
  const commands = sites.flatMap(({ upkeep }) => upkeep.flatMap(({ run }) => run?.processes ?? []));
  const peaks = sizes.flatMap((size) => [...size.peaks, ...size.fillPeaks]);
  const aims = [{ text: `ingest ratio ≥ ${RATIO_MIN}`, isMet: ratio >= RATIO_MIN }, memoryAim(peaks)];
  const rows = [...fillRows(sites), ...sizeRows(sizes), ...diskRows(sites), ...upkeepRows(sites)];
  return {
    name: 'large-site',
    machine,
    figures: { sites, aims },
    lines: [
      ...table(rows),
      '',
      `  ratio     ${ratio.toFixed(2)} of the rate at ${whole(sizes[0]!.findings)} findings`,
      ...aimLines(aims),
    ],
    cells: {
      begun: begun.toISOString().slice(0, 16).replace('T', ' '),
      ratio: `${ratio.toFixed(2)} of the rate at ${whole(sizes[0]!.findings)} findings`,
      ...cellsOf('', rows),
      'peak memory of commands and engines': peaksInWords(commands),
      aims: aimsCell(aims),
    },
  };
}

const fillRows = (sites: readonly SiteFigures[]): Row[] => [
  ['filled: findings/s', ...sites.map(({ size: { filled } }) => whole(filled.findings / filled.seconds))],
];

function diskRows(sites: readonly SiteFigures[]): Row[] {
  const row = (what: string, bytes: (disk: DiskUse) => number): Row => [
    what,
    ...sites.map(({ disk, stored }) => `${gb(bytes(disk))} GB, ${whole(bytes(disk) / stored)} B a finding`),
  ];
  return [
    row('disk: database', ({ database }) => database),
    row('  log', ({ log }) => log),
    row('  topics of changes', ({ changeTopics }) => changeTopics),
    ['  write-ahead log', ...sites.map(({ disk }) => `${gb(disk.writeAheadLog)} GB`)],
  ];
}

function upkeepRows(sites: readonly SiteFigures[]): Row[] {
  return sites[0]!.upkeep.flatMap(({ name }, i): Row[] => {
    const each = (cell: (upkeep: Upkeep, stored: number) => string) =>
      sites.map(({ upkeep, stored }) => cell(upkeep[i]!, stored));
    return [
      [
        `${name}: seconds`,
        ...each(({ run }, stored) =>
          run ? `${whole(run.seconds)} s, ${whole(stored / run.seconds)} findings/s` : 'no room on the disk',
        ),
      ],
      ['  CPU, µs a finding', ...each(({ run }, stored) => (run ? micros(run.processes, stored) : ''))],
      ...(sites.some(({ upkeep }) => upkeep[i]!.written !== undefined)
        ? [['  written', ...each(({ written }) => (written === undefined ? '' : `${gb(written)} GB`))] as Row]
        : []),
    ];
  });
}

const micros = (processes: readonly ProcessUse[], findings: number): string =>
  whole((totalCpuSeconds(processes) / findings) * 1e6);
const gb = (bytes: number): string => (bytes / GB).toFixed(2);

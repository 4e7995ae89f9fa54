import { type Machine, machineInWords } from '../machine.ts';
import type { RecordBook, Recorded, RecordedSmoke } from './record-book.ts';

const BEGINNING = `# Benchmarks

Written by \`npm run bench -- all\` from \`bench/recorded.json\`, or a section alone by \`npm run bench -- NAME --record\`:
each figure beside its baseline from the same run, where there is one, and the spread over the rounds, which take turns
in going first. CPU is that of all processes together. A commit with \`+\` had changes in its tree.
\`npm run bench -- smoke\` holds small runs against the last section, and fails where a ratio has fallen by a third.`;

/** The page of docs/benchmarks.md. */
export function pageOf({ benchmarks, smoke }: RecordBook): string {
  const machines = [...Object.values(benchmarks), ...(smoke ? [smoke] : [])].map(({ machine }) => machine);
  const places = [...new Set(machines.map(machineInWords))];
  const placeOf = (machine: Machine) =>
    places.length > 1 ? `, machine ${places.indexOf(machineInWords(machine)) + 1}` : '';
  const parts = [
    BEGINNING,
    ...(places.length > 0 ? [machinesPart(places, machines)] : []),
    ...Object.entries(benchmarks).map(([name, recorded]) => section(name, recorded, placeOf)),
    ...(smoke ? [smokeSection(smoke, placeOf)] : []),
  ];
  return `${parts.join('\n\n')}\n`;
}

/** The disk is as it was at the last of its runs. */
function machinesPart(places: string[], machines: Machine[]): string {
  const lines = places.map((place, i) => {
    const { syncsPerSecond } = machines.findLast((machine) => machineInWords(machine) === place)!;
    const disk = `${syncsPerSecond.toLocaleString('en-US')} synchronous writes of 8 KB a second`;
    return `${i + 1}. ${place}; ${disk}`;
  });
  return ['## Machines', '', ...lines].join('\n');
}

function section(
  name: string,
  { command, machine, cells }: Recorded,
  placeOf: (machine: Machine) => string,
): string {
  const rows = Object.entries(cells).map(([what, text]) => row([what, text]));
  return [
    `## ${name}`,
    '',
    `${when(machine)}${placeOf(machine)}: \`${command}\``,
    '',
    '| | |',
    '|---|---|',
    ...rows,
  ].join('\n');
}

function smokeSection({ machine, ratios }: RecordedSmoke, placeOf: (machine: Machine) => string): string {
  return [
    '## smoke',
    '',
    `${when(machine)}${placeOf(machine)}: \`npm run bench -- smoke --record\``,
    '',
    row(['benchmark', 'ratio of its small size']),
    '|---|---|',
    ...Object.entries(ratios).map(([name, ratio]) => row([name, ratio.toFixed(2)])),
  ].join('\n');
}

const when = ({ date, commit }: Machine): string => `${date.slice(0, 10)} at \`${commit}\``;

const row = (cells: string[]): string =>
  `| ${cells.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`;

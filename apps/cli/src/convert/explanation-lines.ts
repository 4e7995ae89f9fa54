import type { ExplainedItem, Format, ReportItem } from '#libs/reports';
import { printable } from '../printable.ts';

/** A finding and its fields; `null`: the format is in code, which does not state the fields that it reads. */
export type ShownItem = Omit<ExplainedItem, 'fields'> & { fields: ExplainedItem['fields'] | null };

const VALUE_CHARS_MAX = 200;

export function explanationLines(file: string, { name }: Format, items: ShownItem[]): string[] {
  if (items.length === 0) return [`${file} (${name}): no findings`];
  return [
    `${file} (${name})`,
    ...(items[0]!.fields === null
      ? ['  This format is in code: only the result is shown. Maps also show the fields that they read.']
      : []),
    ...items.flatMap(itemLines),
  ];
}

function itemLines({ item, fields, left }: ShownItem): string[] {
  if (item.kind === 'asset') return [];
  const heading = `${item.place}: ${printable(item.name)}`;
  if (item.kind === 'unmapped') return [heading, `  not mapped: ${item.reason}`, ...leftLines(left)];
  const from = new Map((fields ?? []).map((each) => [each.field, each.from]));
  return [
    heading,
    ...valuesOf(item).map(([name, value]) => {
      const paths = [name, ...(name === 'standards' ? ['cwes'] : [])].flatMap(
        (field) => from.get(field) ?? [],
      );
      const source =
        fields === null
          ? ''
          : ` <- ${paths.length > 0 ? printable(paths.join(', ')) : name === 'asset.name' ? '--asset' : 'the map'}`;
      return `  ${name}: ${value}${source}`;
    }),
    ...leftLines(left),
  ];
}

const leftLines = (left: string[]): string[] =>
  left.length === 0 ? [] : [`  not read: ${left.map(printable).join(', ')}`];

/** The fields of a finding that say something, each on one line. */
function valuesOf(item: Extract<ReportItem, { kind: 'finding' }>): [name: string, value: string][] {
  const { kind, place, asset, ...fields } = item;
  const all: [string, unknown][] = [
    ...Object.entries(asset ?? {}).map(([name, value]): [string, unknown] => [`asset.${name}`, value]),
    ...Object.entries(fields),
  ];
  return all.filter(([, value]) => saysSomething(value)).map(([name, value]) => [name, shown(value)]);
}

const saysSomething = (value: unknown): boolean => {
  if (value === null || value === undefined || value === '') return false;
  return typeof value !== 'object' || Object.values(value).some(saysSomething);
};

function shown(value: unknown): string {
  const text = printable(typeof value === 'string' ? value : JSON.stringify(value));
  return text.length <= VALUE_CHARS_MAX ? text : `${text.slice(0, VALUE_CHARS_MAX)} …`;
}

import { Cvss2, Cvss3P0, Cvss3P1, Cvss4P0 } from './cvss-calculators.ts';

type CvssVersion = '2.0' | '3.0' | '3.1' | '4.0';

/** A CVSS vector that names every base metric once, and nothing that its version does not know. */
export interface ParsedVector {
  version: CvssVersion;
  /** Metric → value as the specification writes them, in the order of the vector: `AV` → `N`. */
  metrics: Map<string, string>;
}

interface Grammar {
  /** Metric in capitals → its name and, by value in capitals, its values. */
  metrics: Map<string, { name: string; values: Map<string, string> }>;
  base: string[];
}

const calculators = { '2.0': Cvss2, '3.0': Cvss3P0, '3.1': Cvss3P1, '4.0': Cvss4P0 };
const BASE_CATEGORY = 'base';

const grammars = Object.fromEntries(
  Object.entries(calculators).map(([version, Calculator]) => [version, grammarOf(new Calculator())]),
) as Record<CvssVersion, Grammar>;

function grammarOf(calculator: InstanceType<(typeof calculators)[CvssVersion]>): Grammar {
  const grammar: Grammar = { metrics: new Map(), base: [] };
  for (const [category, components] of calculator.getRegisteredComponents()) {
    for (const { shortName, values } of components) {
      const names = values.map(({ shortName: value }) => [value.toUpperCase(), value] as const);
      grammar.metrics.set(shortName.toUpperCase(), { name: shortName, values: new Map(names) });
      if (category.name === BASE_CATEGORY) grammar.base.push(shortName);
    }
  }
  return grammar;
}

/** A vector without the prefix `CVSS2#`, which some scanners write and no specification knows. */
export const bareCvssVector = (text: string): string => text.trim().replace(/^CVSS2#/i, '');

const PREFIX = /^CVSS:(\d\.\d)\//;
const UNDEFINED_VALUES = ['X', 'ND'];

/**
 * Reads a vector of CVSS 2.0, 3.0, 3.1 or 4.0. Lenient as real senders need it (ADR-0020): any case, spaces around it, the
 * brackets of version 2; without a prefix the version is detected from the metrics, and 3.0 from 3.1 by `statedVersion`
 * (3.1 if that says neither). Null if a metric is unknown, repeated, or a base metric is missing.
 */
export function parseCvssVector(text: string, statedVersion: string | null): ParsedVector | null {
  const bare = text
    .trim()
    .replace(/^\((.*)\)$/, '$1')
    .toUpperCase();
  const prefix = PREFIX.exec(bare);
  const parts = bare.slice(prefix?.[0].length ?? 0).split('/');
  const version = prefix ? prefix[1]! : versionByMetrics(parts, statedVersion);
  if (!Object.hasOwn(grammars, version)) return null;
  const metrics = readMetrics(parts, grammars[version as CvssVersion]);
  return metrics && { version: version as CvssVersion, metrics };
}

function versionByMetrics(parts: string[], statedVersion: string | null): CvssVersion {
  if (parts.some((part) => part.startsWith('VC:'))) return '4.0';
  // Also the name of a supplemental metric of 4.0, whose vectors were detected above.
  if (parts.some((part) => part.startsWith('AU:'))) return '2.0';
  return statedVersion?.trim() === '3.0' ? '3.0' : '3.1';
}

function readMetrics(parts: string[], { metrics: known, base }: Grammar): Map<string, string> | null {
  const metrics = new Map<string, string>();
  for (const part of parts) {
    const [name, value, ...rest] = part.split(':');
    const metric = known.get(name!);
    const metricValue = metric?.values.get(value ?? '');
    if (!metric || metricValue === undefined || rest.length > 0 || metrics.has(metric.name)) return null;
    metrics.set(metric.name, metricValue);
  }
  const isGiven = (name: string) => metrics.has(name) && !UNDEFINED_VALUES.includes(metrics.get(name)!);
  return base.every(isGiven) ? metrics : null;
}

/** The vector as its version writes it, with the prefix that versions from 3.0 on have. */
export function formatCvssVector({ version, metrics }: ParsedVector): string {
  const text = [...metrics].map(([name, value]) => `${name}:${value}`).join('/');
  return version === '2.0' ? text : `CVSS:${version}/${text}`;
}

import { readFileSync } from 'node:fs';
import { parse } from 'yaml';

/** A service of docker-compose.yml, with the fields that the checks use. */
export interface Service {
  image?: string;
  build?: string;
  command?: string[];
  environment?: Record<string, string>;
  user?: string;
  init?: boolean;
  read_only?: boolean;
  tmpfs?: string[];
  cap_drop?: string[];
  security_opt?: string[];
  mem_limit?: string;
  restart?: string;
  stop_grace_period?: string;
  ports?: string[];
  volumes?: string[];
  healthcheck?: { test: string[]; interval: string; timeout: string; start_period: string; retries: number };
  depends_on?: Record<string, { condition: string }>;
}

export interface ComposeFile {
  services: Record<string, Service>;
  volumes: Record<string, unknown>;
}

const FILE = new URL('../../docker-compose.yml', import.meta.url);

/** docker-compose.yml with its variables replaced, as `docker compose` does it if `env` is its environment. */
export function readCompose(env: Record<string, string> = {}): ComposeFile {
  const document: unknown = parse(readFileSync(FILE, 'utf8'), { merge: true });
  return withValues(document, (text) => interpolate(text, env)) as ComposeFile;
}

/** The services that run a program of this repository; the others run images of their makers. */
export const programsOf = ({ services }: ComposeFile): [string, Service][] =>
  Object.entries(services).filter(([, { build }]) => build !== undefined);

function withValues(node: unknown, replace: (text: string) => string): unknown {
  if (typeof node === 'string') return replace(node);
  if (Array.isArray(node)) return node.map((item) => withValues(item, replace));
  if (node === null || typeof node !== 'object') return node;
  return Object.fromEntries(Object.entries(node).map(([name, value]) => [name, withValues(value, replace)]));
}

/** @throws Error on any other form of a variable: the file uses one, and each has its default there */
function interpolate(text: string, env: Record<string, string>): string {
  const replaced = text.replaceAll(/\$\{(\w+):-([^}]*)\}/g, (_, name, fallback) => env[name] || fallback);
  if (replaced.includes('$'))
    throw new Error(`a variable without a default, or another form of one: ${text}`);
  return replaced;
}

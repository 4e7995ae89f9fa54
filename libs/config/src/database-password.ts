import { resolve } from 'node:path';
import type { Config } from './config.ts';

export function hasPassword(url: string): boolean {
  if (!URL.canParse(url)) return false;
  const { password, searchParams } = new URL(url);
  return password !== '' || searchParams.has('password');
}

/**
 * The URLs then say all about a connection.
 * @param file of the password, if there is one: it is read for each connection
 */
export function withPassword({ databasePassword, ...config }: Config, file: string | undefined): Config {
  if (databasePassword === undefined) return config;
  const [name, value] = file ? ['passwordFile', resolve(file)] : ['password', databasePassword];
  const complete = (url: string) =>
    hasPassword(url) ? url : `${url}${url.includes('?') ? '&' : '?'}${name}=${encodeURIComponent(value)}`;
  const { databaseUrl, databaseReadUrl } = config;
  return {
    ...config,
    databaseUrl: complete(databaseUrl!),
    ...(databaseReadUrl !== undefined && { databaseReadUrl: complete(databaseReadUrl) }),
  };
}

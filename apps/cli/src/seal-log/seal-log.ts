import { resolve } from 'node:path';
import { Backup } from '#libs/backup';
import { ConfigError } from '#libs/config';
import { openSecretKeys } from '#libs/key-wrapping';
import { type SealedBackup, sealBackup } from '#libs/log-sealing';
import { SubjectKeyError } from '#libs/sealing';
import { Vault } from '#libs/vault';
import { newBackup } from '../backup/new-backup.ts';
import { type CliError, usageError } from '../cli-error.ts';
import { Folding } from '../folding.ts';
import { configOf } from '../site.ts';
import { siteFailure } from '../site-failure.ts';
import type { Terminal } from '../terminal.ts';

export interface SealLogOptions {
  /** Path of the backup's file of keys; unset: in its directory. */
  keys?: string;
  json?: boolean;
}

/**
 * @throws CliError exit 2 if a directory or the secret key is invalid; exit 1 if the disk is full
 */
export async function sealLog(
  source: string,
  directory: string,
  { keys, json = false }: SealLogOptions,
  terminal: Terminal,
): Promise<void> {
  const { from, to } = await newBackup(source, directory);
  const reading = new Folding(terminal, json, 'Reading');
  const sealing = new Folding(terminal, json, 'Sealing');
  try {
    const config = configOf(terminal.env);
    const vault = new Vault(await openSecretKeys(config, { mayMake: false }));
    const sealed = await sealBackup(await Backup.open(from, { keysFile: keys && resolve(keys) }), to, {
      vault,
      machines: config.sealMachines,
      onRead: reading.reach,
      onSealed: (records, of) => {
        reading.end();
        sealing.reach(records, of);
      },
    });
    sealing.end();
    terminal.stdout.write(
      json ? `${JSON.stringify({ ok: true, ...sealed })}\n` : summaryLine(sealed, directory),
    );
  } catch (error) {
    throw failureOf(error as NodeJS.ErrnoException, directory);
  } finally {
    reading.end();
    sealing.end();
  }
}

function failureOf(error: NodeJS.ErrnoException, directory: string): CliError | Error {
  if (error instanceof ConfigError) return usageError(error.message);
  if (error instanceof SubjectKeyError) {
    return usageError(`${error.message}: use the secret key that ${directory} was begun with`);
  }
  return siteFailure(error, directory);
}

const summaryLine = ({ records, written, subjects, logId }: SealedBackup, directory: string): string =>
  `Sealed     ${records} records with ${subjects} subjects as log ${logId}${written < records ? `; ${records - written} were complete` : ''}\n` +
  `Next       posture restore ${directory}, into a new site; start it with SEAL_PERSONAL_TEXTS=true\n`;

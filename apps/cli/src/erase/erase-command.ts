import { Command } from 'commander';
import type { Schemas } from '#client';
import { usageError } from '../cli-error.ts';
import { connect } from '../connect.ts';
import { printable } from '../printable.ts';
import type { Terminal } from '../terminal.ts';
import { eraseSubject } from './erase-subject.ts';
import { listErasures } from './list-erasures.ts';

interface EraseOptions {
  reason?: string;
  list?: boolean;
  url?: string;
  json?: boolean;
}

const EXAMPLES = `
Destroys the key of a subject's sealed texts (SEAL_PERSONAL_TEXTS). This cannot be undone. Names, attributes, evidence
and history of the subject show "erased"; findings and scores stay. The command can be repeated: a second erasure
returns the first. It requires an admin.

A subject is a user entity (user:NAME), a machine that is sealed (machine:NAME, SEAL_MACHINES), a person with a deleted
credential (person:NAME), or an id, which is in log lines and in --list. An erased name is no longer known: what comes
again is a new subject.

Examples:
  posture erase user:ana@acme.com --reason "request of 12 May, ticket 42"
  posture erase person:ana --reason "left the company"
  posture erase --list`;

/** One id of 64 begins with "-", as an option does. No option has its length. */
class CommandWithId extends Command {
  override parseOptions(args: string[]) {
    const isId = (arg: string) => /^-[\w-]{21}$/.test(arg);
    if (args.includes('--') || !args.some(isId)) return super.parseOptions(args);
    return super.parseOptions([...args.filter((arg) => !isId(arg)), '--', ...args.filter(isId)]);
  }
}

/** `posture erase`. */
export function eraseCommand(terminal: Terminal): Command {
  return new CommandWithId('erase')
    .description('Erase the personal texts of a subject')
    .argument('[subject]', 'user:NAME, machine:NAME, person:NAME, or the id of a subject')
    .option('--reason <text>', 'why, for the audit trail; do not name the person')
    .option('--list', 'list the erasures')
    .option('--url <address>', 'address of the service (POSTURE_URL)')
    .option('--json', 'print one JSON document only')
    .addHelpText('after', EXAMPLES)
    .action(async (subject: string | undefined, { reason, list, url, json = false }: EraseOptions) => {
      if (list && (subject !== undefined || reason !== undefined)) {
        throw usageError('--list takes neither a subject nor --reason');
      }
      if (!list && (subject === undefined || reason === undefined)) {
        throw usageError(
          'an erasure requires a subject and --reason, such as: user:ana@acme.com --reason TEXT',
        );
      }
      const { client } = await connect(terminal, { url, json });
      if (list) await listErasures(client, json, terminal);
      else await eraseSubject(client, { subject: readSubject(subject!), reason: reason! }, json, terminal);
    });
}

/** `user:NAME`, `machine:NAME` and `person:NAME`, also with a name that has colons; everything else is an id. */
function readSubject(given: string): Schemas['EraseDto']['subject'] {
  const [, type, name] = /^(user|machine|person):(.*)$/s.exec(given) ?? [];
  if (type !== undefined) return { type: type as 'user' | 'machine' | 'person', name: name! };
  if (/^[\w-]{22}$/.test(given)) return { id: given };
  throw usageError(
    `${printable(given)} is no subject: it must be user:NAME, machine:NAME, person:NAME, or the id of a subject in 22 characters`,
  );
}

import type { PostureClient } from '#client';
import { connect } from '../connect.ts';
import type { Connection } from '../connection.ts';
import { reject } from '../rejection.ts';
import type { Terminal } from '../terminal.ts';

export interface SessionOptions {
  url?: string;
  json?: boolean;
}

/** The service, and where a command prints its result. */
export interface Session {
  client: PostureClient;
  access: Connection['access'];
  /** On stdout: the result as one JSON document, or the text. */
  print(result: object, text: string): void;
  /** A line on stderr, beside a text. */
  note(line: string): void;
}

/** @throws CliError exit 2 if the connection is not configured, exit 1 if the service refuses or is unreachable */
export async function withSession(
  terminal: Terminal,
  { url, json = false }: SessionOptions,
  work: (session: Session) => Promise<void>,
): Promise<void> {
  const { client, connection } = await connect(terminal, { url, json });
  const session: Session = {
    client,
    access: connection.access,
    print: (result, text) => {
      terminal.stdout.write(`${json ? JSON.stringify({ ok: true, ...result }) : text}\n`);
    },
    note: (line) => {
      if (!json) terminal.stderr.write(`${line}\n`);
    },
  };
  await work(session).catch(reject);
}

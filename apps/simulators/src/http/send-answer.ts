import { setTimeout } from 'node:timers/promises';
import type { FastifyReply } from 'fastify';
import type { FaultAct } from '../faults/fault.ts';
import type { Answer } from './answer.ts';

const GARBAGE = '<html><body>upstream connect error \u0000{"resources":[';

/** Sends an answer; late, cut or as garbage if that was requested. */
export async function sendAnswer(
  reply: FastifyReply,
  { status, headers = {}, body }: Answer,
  act: FaultAct | undefined,
): Promise<void> {
  if (act?.kind === 'slow' && !(await hasWaited(reply, act.delayMs))) return;
  if (act?.kind === 'cut') {
    cut(reply, status, headers, Buffer.from(JSON.stringify(body)), act.bytes);
    return;
  }
  const isGarbage = act?.kind === 'garbage';
  reply
    .status(isGarbage ? 200 : status)
    .headers(headers)
    .type('application/json');
  await reply.send(isGarbage ? GARBAGE : JSON.stringify(body));
}

/** Whether the client was still there at the end. */
async function hasWaited(reply: FastifyReply, delayMs: number): Promise<boolean> {
  const gone = new AbortController();
  const leave = () => gone.abort();
  reply.raw.once('close', leave);
  await setTimeout(delayMs, undefined, { signal: gone.signal }).catch(() => undefined);
  reply.raw.off('close', leave);
  if (gone.signal.aborted) reply.hijack();
  return !gone.signal.aborted;
}

function cut(
  reply: FastifyReply,
  status: number,
  headers: Record<string, string>,
  body: Buffer,
  bytes: number = Math.floor(body.length / 2),
): void {
  reply.hijack();
  const { raw } = reply;
  raw.writeHead(status, {
    ...headers,
    'content-type': 'application/json',
    // The announced length is larger than the body.
    'content-length': Math.max(body.length, bytes + 1),
  });
  raw.write(body.subarray(0, bytes), () => raw.socket?.destroy());
}

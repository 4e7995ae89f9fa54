import { once } from 'node:events';
import { connect } from 'node:net';

export interface RawAnswer {
  status: number;
  headers: string;
  body: Record<string, unknown> | null;
}

export interface RawRequest {
  port: number;
  method?: string;
  path: string;
  headers?: Record<string, string>;
  body: Buffer;
  /** Sent in chunks of 64 KB, without a length beforehand. */
  isChunked?: boolean;
  /** Sends the body only after `100 Continue`. */
  expectsContinue?: boolean;
}

const PIECE_BYTES = 65_536;

/**
 * A client that writes its whole request before it reads, as Python's do: if the server closes the connection before,
 * it fails without having seen the response.
 */
export async function sendRaw(request: RawRequest): Promise<RawAnswer> {
  const {
    port,
    method = 'POST',
    path,
    headers = {},
    body,
    isChunked = false,
    expectsContinue = false,
  } = request;
  const socket = connect(port, '127.0.0.1');
  // Writes and reads report it; without a listener it would end the process.
  socket.on('error', () => undefined);
  await once(socket, 'connect');
  const lines = Object.entries({
    host: `127.0.0.1:${port}`,
    connection: 'close',
    ...(isChunked ? { 'transfer-encoding': 'chunked' } : { 'content-length': String(body.length) }),
    ...(expectsContinue && { expect: '100-continue' }),
    ...headers,
  }).map(([name, value]) => `${name}: ${value}\r\n`);
  // Paused: nothing is read before everything is written.
  socket.pause();
  await write(socket, Buffer.from(`${method} ${path} HTTP/1.1\r\n${lines.join('')}\r\n`));
  const received: Buffer[] = [];
  if (expectsContinue) {
    received.push(await readOnce(socket));
    socket.pause();
  }
  for (let at = 0; at < body.length; at += PIECE_BYTES) {
    const piece = body.subarray(at, at + PIECE_BYTES);
    const framed = isChunked
      ? Buffer.concat([Buffer.from(`${piece.length.toString(16)}\r\n`), piece, CRLF])
      : piece;
    await write(socket, framed);
  }
  if (isChunked) await write(socket, Buffer.from('0\r\n\r\n'));
  for await (const piece of socket) received.push(piece as Buffer);
  return parse(Buffer.concat(received).toString());
}

const CRLF = Buffer.from('\r\n');

function write(socket: ReturnType<typeof connect>, bytes: Buffer): Promise<void> {
  return new Promise((resolve, reject) => {
    socket.write(bytes, (error) => (error ? reject(error) : resolve()));
  });
}

async function readOnce(socket: ReturnType<typeof connect>): Promise<Buffer> {
  socket.resume();
  const [piece] = await once(socket, 'data');
  return piece as Buffer;
}

function parse(text: string): RawAnswer {
  const final = text.replace(/^HTTP\/1\.1 100 [\s\S]*?\r\n\r\n/, '');
  const end = final.indexOf('\r\n\r\n');
  const headers = final.slice(0, end).toLowerCase();
  const content = final.slice(end + 4);
  const json = headers.includes('transfer-encoding: chunked') ? content.split('\r\n')[1]! : content;
  return { status: Number(final.slice(9, 12)), headers, body: json === '' ? null : JSON.parse(json) };
}

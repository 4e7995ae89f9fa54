import { MessageChannel } from 'node:worker_threads';
import { describe, expect, it } from '@jest/globals';
import { ChunkReceiver, ReceiverGoneError, sendChunks } from './chunk-port.ts';
import { type RecordChunk, recordsOf } from './record-chunks.ts';

const chunk = (text: string): RecordChunk => {
  const bytes = new Uint8Array(Buffer.byteLength(text));
  Buffer.from(text).copy(bytes);
  return { keys: ['k'], ends: [bytes.length], bytes };
};

const textOf = (received: RecordChunk) => recordsOf(received)[0]!.value.toString();

describe('sendChunks and ChunkReceiver', () => {
  it('hand chunks over in order, at most two ahead of the log', async () => {
    const { port1, port2 } = new MessageChannel();
    const made: number[] = [];
    const appended: string[] = [];
    let aheadMax = 0;
    function* chunks() {
      for (let i = 0; i < 20; i++) {
        made.push(i);
        aheadMax = Math.max(aheadMax, made.length - appended.length);
        yield chunk(String(i));
      }
    }
    new ChunkReceiver(port1, async (received) => {
      await new Promise(setImmediate);
      appended.push(textOf(received));
    });
    await sendChunks(port2, chunks());
    port1.close();
    expect(appended).toEqual(Array.from({ length: 20 }, (_, i) => String(i)));
    // The one being made, and two in progress.
    expect(aheadMax).toBeLessThanOrEqual(3);
  });

  it('stop at the first failure: nothing later is appended', async () => {
    const { port1, port2 } = new MessageChannel();
    const appended: string[] = [];
    const receiver = new ChunkReceiver(port1, async (received) => {
      if (textOf(received) === '2') throw new Error('log away');
      appended.push(textOf(received));
    });
    const sent = sendChunks(port2, ['0', '1', '2', '3', '4', '5'].map(chunk));
    await expect(sent).rejects.toThrow(ReceiverGoneError);
    expect(receiver.failure).toEqual(new Error('log away'));
    expect(appended).toEqual(['0', '1']);
  });

  it('need nothing to send', async () => {
    const { port1, port2 } = new MessageChannel();
    await expect(sendChunks(port2, [])).resolves.toBeUndefined();
    port1.close();
  });
});

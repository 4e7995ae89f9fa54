// Tells of every change of a finding as it happens, until Ctrl-C.
import { posture } from './connect.js';

const ended = new AbortController();
process.once('SIGINT', () => ended.abort());

const changes = posture.changes({
  topics: ['findings'],
  signal: ended.signal,
  // Whoever keeps the id of the last change that was dealt with misses none: pass it here, also days later.
  ...(process.argv[2] && { after: process.argv[2] }),
  onOpen: (id) => console.error(`following behind ${id}`),
  onCut: () => console.error('cut off; trying again'),
});
for await (const { kind, data, id } of changes) {
  if (kind === 'finding')
    console.log(`${data.change.name}  ${data.state}  ${data.assetName}  ${data.name}  ${id}`);
}

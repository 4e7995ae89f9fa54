// Prints every change of a finding as it happens, until Ctrl-C.
import { posture } from './connect.js';

const ended = new AbortController();
process.once('SIGINT', () => ended.abort());

const changes = posture.changes({
  topics: ['findings'],
  signal: ended.signal,
  // To resume without missing a change, also days later, pass the id of the last processed change here.
  ...(process.argv[2] && { after: process.argv[2] }),
  onOpen: (id) => console.error(`following after ${id}`),
  onCut: () => console.error('connection cut: reconnecting'),
});
for await (const { kind, data, id } of changes) {
  if (kind === 'finding')
    console.log(`${data.change.name}  ${data.state}  ${data.assetName}  ${data.name}  ${id}`);
}

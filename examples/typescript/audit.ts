// Prints the history of a finding, each change with its cause and position in the log; then its state at an instant.
import { args, posture } from './connect.js';

const [id, instant] = args('FINDING_ID') as [string, string?];
const path = { id };
let first: string | undefined;
for await (const step of posture.items('/api/v3/findings/{id}/history', { params: { path } })) {
  first ??= step.at;
  const { cause, position } = step;
  const by = cause.user ?? cause.kind;
  console.log(
    `${step.at}  ${step.change}  ${step.from ?? '-'} -> ${step.to}  by ${by}  ${position.topic}/${position.partition}@${position.offset}`,
  );
}

const now = await posture.get('/api/v3/findings/{id}', { params: { path } });
const asOf = instant ?? first!;
const then = await posture.get('/api/v3/findings/{id}', { params: { path, query: { asOf } } });
console.log(`as of ${asOf}: ${then.state}`);
console.log(
  `now: ${now.state}${now.accepted ? `, accepted by ${now.accepted.by}: ${now.accepted.rationale}` : ''}`,
);

import 'reflect-metadata';
import { runProgram } from '#libs/program';
import { createGateway } from './create-gateway.ts';

await runProgram({
  name: 'gateway',
  mayEmbed: false,
  start: async (program) => {
    const { app, credentials } = await createGateway(program);
    await app.listen(program.config.port, program.config.host);
    return { url: await app.getUrl(), credentials };
  },
  onStarted: ({ url, credentials }) => {
    process.stdout.write(`Gateway on ${url}\n`);
    // Where containers run, this output is kept by others: the password itself is in the file alone.
    if (credentials) process.stdout.write('The first admin is in DATA_DIR/initial-credentials\n');
  },
});

import 'reflect-metadata';
import { runProgram } from '#libs/program';
import { createGateway } from './create-gateway.ts';

await runProgram({
  name: 'gateway',
  allowEmbeddedDatabase: false,
  start: async (program) => {
    const { app, credentials } = await createGateway(program);
    await app.startAllMicroservices();
    await app.listen(program.config.port, program.config.host);
    return { url: await app.getUrl(), credentials };
  },
  onStarted: ({ url, credentials }) => {
    process.stdout.write(`Gateway on ${url}\n`);
    // The output of containers is stored elsewhere: only the file contains the password.
    if (credentials) process.stdout.write('The first admin is in DATA_DIR/initial-credentials\n');
  },
});

import 'reflect-metadata';
import { runProgram } from '#libs/program';
import { createGateway } from './create-gateway.ts';

await runProgram({
  mayEmbed: false,
  start: async (program) => {
    const { app } = await createGateway(program);
    await app.listen(program.config.port, program.config.host);
    return app.getUrl();
  },
  onStarted: (url) => process.stdout.write(`Gateway on ${url}\n`),
});

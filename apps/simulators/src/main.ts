import { Command, CommanderError, InvalidArgumentError } from 'commander';
import { AXONIUS_KEYS } from './axonius/axonius-platform.ts';
import { FALCON_CLIENTS } from './falcon/falcon-client.ts';
import { DEFAULTS, type SimulatorOptions, startSimulators } from './start-simulators.ts';
import { TENABLE_KEYS } from './tenable/tenable-platform.ts';

const USAGE_EXIT = 2;
const PORT = 8090;

function wholeNumber(text: string): number {
  const number = Number(text);
  if (!/^\d+$/.test(text) || !Number.isSafeInteger(number)) throw new InvalidArgumentError('a whole number');
  return number;
}

const command = new Command('npm run simulators --')
  .description('Answers as the EDR platform, the inventory platform and the vulnerability scanner do.')
  .option('--hosts <n>', 'hosts of the EDR platform', wholeNumber, DEFAULTS.hosts)
  .option('--alerts <n>', 'alerts of the EDR platform', wholeNumber, DEFAULTS.alerts)
  .option('--devices <n>', 'devices of the inventory platform', wholeNumber, DEFAULTS.devices)
  .option('--assets <n>', 'assets of the vulnerability scanner', wholeNumber, DEFAULTS.assets)
  .option('--vulnerabilities <n>', 'their vulnerabilities', wholeNumber, DEFAULTS.vulnerabilities)
  .option('--seed <n>', 'the same seed gives the same records', wholeNumber, DEFAULTS.seed)
  .option('--port <n>', 'where to listen', wholeNumber, PORT)
  .option('--address <address>', 'the address to listen on', DEFAULTS.address)
  .option('--requests-per-minute <n>', 'of the EDR platform', wholeNumber, DEFAULTS.requestsPerMinute)
  .exitOverride();

try {
  command.parse();
  await run(command.opts<SimulatorOptions>());
} catch (error) {
  if (error instanceof CommanderError) {
    process.exitCode = error.exitCode === 0 ? 0 : USAGE_EXIT;
  } else {
    process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
    process.exitCode = 1;
  }
}

async function run(options: SimulatorOptions): Promise<void> {
  const { url, control, close } = await startSimulators(options);
  process.stdout.write(`Simulators on ${url}
EDR platform: ${control.hosts.size} hosts, ${control.alerts.size} alerts
  client id ${FALCON_CLIENTS.full.id}, secret ${FALCON_CLIENTS.full.secret}
Inventory platform: ${control.devices.size} devices
  api key ${AXONIUS_KEYS.full.key}, secret ${AXONIUS_KEYS.full.secret}
Vulnerability scanner: ${control.assets.size} assets, ${control.vulnerabilities.size} vulnerabilities
  access key ${TENABLE_KEYS.full.accessKey}, secret key ${TENABLE_KEYS.full.secretKey}
`);
  const stop = () => {
    close().catch((error) => {
      process.stderr.write(`${error}\n`);
      process.exitCode = 1;
    });
  };
  process.once('SIGINT', stop).once('SIGTERM', stop);
}

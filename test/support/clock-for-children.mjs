// Preloaded by tests: what a program starts has its clock too, though the service gives PostgreSQL another environment.
import childProcess from 'node:child_process';
import { syncBuiltinESMExports } from 'node:module';

const { spawn } = childProcess;
const clock = Object.fromEntries(
  Object.entries(process.env).filter(([name]) => /^(LD_PRELOAD|FAKETIME_.+|DONT_FAKE_.+)$/.test(name)),
);

childProcess.spawn = (program, args, options) =>
  spawn(program, args, { ...options, env: { ...(options?.env ?? process.env), ...clock } });
syncBuiltinESMExports();

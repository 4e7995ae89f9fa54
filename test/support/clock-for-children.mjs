// Preloaded by tests: children of a program have its clock too, although the service gives PostgreSQL another
// environment.
import childProcess from 'node:child_process';
import { syncBuiltinESMExports } from 'node:module';

const { spawn } = childProcess;
// Without FAKETIME_SHARED: it names a semaphore of this process, which a child of another user cannot open. Such a
// child ends if it cannot make one of its own either, because a killed process with its number has left one.
const clock = Object.fromEntries(
  Object.entries(process.env).filter(([name]) =>
    /^(LD_PRELOAD|FAKETIME_(?!SHARED$).+|DONT_FAKE_.+)$/.test(name),
  ),
);

childProcess.spawn = (program, args, options) =>
  spawn(program, args, { ...options, env: { ...(options?.env ?? process.env), ...clock } });
syncBuiltinESMExports();

import { Command } from 'commander';
import type { Terminal } from '../terminal.ts';
import { addConfirm } from './confirm-command.ts';
import { addMend } from './mend-command.ts';

/** `posture clock`. */
export function clockCommand(terminal: Terminal): Command {
  const command = new Command('clock').description('Confirm or correct the clock that stamps events');
  addConfirm(command, terminal);
  addMend(command, terminal);
  return command;
}

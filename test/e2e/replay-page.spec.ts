import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { type PageBlock, pageBlocks } from '../support/page-blocks.ts';
import { describeInRun } from '../support/part-of-run.ts';
import { PastedTerminal } from '../support/pasted-terminal.ts';
import { ProjectClone } from '../support/project-clone.ts';
import { missingLine } from '../support/shown-output.ts';

const BLOCK_MS_MAX = 60_000;

interface Step {
  commands: string;
  /** The output that the page shows below the commands; null: nothing. */
  shown: string | null;
}

const stepsOf = (blocks: PageBlock[]): Step[] =>
  blocks.flatMap(({ language, text }, index) => {
    if (language !== 'sh') return [];
    const next = blocks[index + 1];
    return [{ commands: text, shown: next?.language === 'text' ? next.text : null }];
  });

const blocks = pageBlocks('docs/replay.md');
const steps = stepsOf(blocks);

describeInRun({ shares: 2, turn: 0 }, 'an audit as docs/replay.md walks it, in one terminal', () => {
  let clone: ProjectClone;
  let terminal: PastedTerminal;
  let last = '';

  beforeAll(async () => {
    clone = await ProjectClone.make();
    await clone.start();
    terminal = new PastedTerminal(clone);
  }, 120_000);
  afterAll(async () => {
    await terminal?.close();
    await clone?.stopAndRemove();
  }, 60_000);

  it('has no block that is neither run nor compared', () => {
    expect(new Set(blocks.map(({ language }) => language))).toEqual(new Set(['sh', 'text']));
    const shown = steps.filter((step) => step.shown !== null);
    expect(steps.length + shown.length).toBe(blocks.length);
  });

  it.each(steps.map((step) => [step.commands.split('\n').at(-1)!, step] as const))(
    '%s',
    async (_title, { commands, shown }) => {
      last = await terminal.paste(commands);
      const missing = shown === null ? null : missingLine(shown, last);
      if (missing !== null)
        throw new Error(`the page shows\n${missing}\nwhich is not in, or in another order:\n${last}`);
    },
    BLOCK_MS_MAX,
  );

  it('ends with tables that equal the fold of the log', () => {
    expect(last).toMatch(/^Clean: \d+ rows match the \d+ records of the log\n$/m);
  });
});

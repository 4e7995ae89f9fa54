import { fileURLToPath } from 'node:url';
import { type NodePath, type PluginObject, transformAsync, types } from '@babel/core';
import linguiMacro from '@lingui/babel-plugin-lingui-macro';
import { getConfig } from '@lingui/conf';
import { compileMessage } from '@lingui/message-utils/compileMessage';
import type { Plugin } from 'vite';

export const LINGUI_CONFIG = fileURLToPath(new URL('lingui.config.mjs', import.meta.url));

/**
 * Turns Lingui's macros into messages. The English ones stay in the pages, so that a page loads with its texts and only
 * other languages load a catalog.
 */
export function messages(): Plugin {
  const config = getConfig({ configPath: LINGUI_CONFIG });
  const Trans = [fileURLToPath(new URL('src/language/trans.tsx', import.meta.url)), 'Trans'] as const;
  const linguiConfig = { ...config, runtimeConfigModule: { ...config.runtimeConfigModule, Trans } };
  const options = { linguiConfig, stripMessageField: false };
  return {
    name: 'messages',
    enforce: 'pre',
    transform: {
      filter: { id: /\.tsx?$/, code: /@lingui\/(core|react)\/macro/ },
      async handler(source, filename) {
        const made = await transformAsync(source, {
          filename,
          plugins: [[linguiMacro, options], compiledMessages],
          parserOpts: { plugins: ['typescript', 'jsx'] },
          configFile: false,
          babelrc: false,
          sourceMaps: true,
        });
        return made && { code: made.code!, map: made.map };
      },
    },
  };
}

/** Compiles the messages that the macros leave as texts: the browser then needs no parser of ICU messages. */
const compiledMessages = (): PluginObject => ({
  visitor: {
    Program: {
      exit: (program) =>
        program.traverse({
          ObjectExpression(path) {
            if (!path.node.leadingComments?.some(({ value }) => value === 'i18n')) return;
            for (const property of path.get('properties')) compile(property);
          },
        }),
    },
  },
});

function compile(property: NodePath<types.ObjectExpression['properties'][number]>): void {
  const { node } = property;
  if (!types.isObjectProperty(node) || !types.isIdentifier(node.key, { name: 'message' })) return;
  if (types.isStringLiteral(node.value)) node.value = types.valueToNode(compileMessage(node.value.value));
}

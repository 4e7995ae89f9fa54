import './app/component-styles.ts';
import '@mantine/notifications/styles.layer.css';
import './app/global.css';
import { MantineProvider } from '@mantine/core';
import { QueryClientProvider } from '@tanstack/react-query';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { RouterProvider } from 'react-router/dom';
import { queryClient } from './api/query-client.ts';
import { Notices } from './app/notices.tsx';
import { router } from './app/router.tsx';
import { styleNonce } from './app/style-nonce.ts';
import { cssVariables, themeIn } from './app/theme.ts';
import { activatePreferred } from './language/language.ts';
import { LanguageProvider } from './language/language-provider.tsx';
import { shareSession } from './session/session.ts';

// Dialogs disable scrolling with an inline style. get-nonce reads its nonce from here.
Object.assign(globalThis, { __webpack_nonce__: styleNonce() });

const root = createRoot(document.getElementById('root')!);

function App() {
  return (
    <MantineProvider
      theme={themeIn()}
      cssVariablesResolver={cssVariables}
      defaultColorScheme="auto"
      getStyleNonce={styleNonce}
      deduplicateInlineStyles
    >
      <Notices />
      <QueryClientProvider client={queryClient}>
        <RouterProvider router={router} />
      </QueryClientProvider>
    </MantineProvider>
  );
}

const app = (
  <StrictMode>
    <LanguageProvider>
      <App />
    </LanguageProvider>
  </StrictMode>
);

// A link in a new tab shares the session of the first tab. No top-level `await`: pages could then not import this chunk,
// and it would be split into about fifty small chunks.
void Promise.all([shareSession(), activatePreferred()]).then(() => root.render(app));

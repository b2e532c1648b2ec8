// How Monaco's editors look: in the colours of the tokens, which Monaco wants as numbers.
import { useEffect, useSyncExternalStore } from 'react';
import { useGraphiQLActions, useMonaco } from '@graphiql/react';
import { scheme } from './ui/theme.js';

const transparent = '#ffffff00';

/** Comments, line numbers and descriptions have a contrast of at least 4.5, which Monaco's own do not have. */
const schemes = {
  light: { base: 'vs', raised: '#ffffff', text: '#1b1d24', quiet: '#595c69', accent: '#4338ca', chosen: '#4338ca1a', comment: '2f6b2f', argument: '5a3fc0' },
  dark: { base: 'vs-dark', raised: '#1d2027', text: '#e7e8ee', quiet: '#a2a6b4', accent: '#a5b4fc', chosen: '#a5b4fc26', comment: '8fbf7f', argument: 'b3a6ff' },
};

export const themes = { light: 'partita-light', dark: 'partita-dark' };

function themeOf({ base, raised, text, quiet, accent, chosen, comment, argument }) {
  return {
    base,
    inherit: true,
    rules: [
      { token: 'comment.gql', foreground: comment },
      { token: 'comment.line.json', foreground: comment },
      { token: 'argument.identifier.gql', foreground: argument },
    ],
    colors: {
      'editor.background': transparent,
      'scrollbar.shadow': transparent,
      'editorLineNumber.foreground': quiet,
      'editorLineNumber.dimmedForeground': quiet,
      'editorLineNumber.activeForeground': text,
      'textLink.foreground': accent,
      'textLink.activeForeground': accent,
      'editorHoverWidget.background': raised,
      'menu.background': raised,
      'quickInput.background': raised,
      'editorSuggestWidget.background': raised,
      'editorSuggestWidget.selectedBackground': chosen,
      'editorSuggestWidget.selectedForeground': text,
      'editorSuggestWidget.highlightForeground': accent,
      'list.hoverBackground': chosen,
      'list.highlightForeground': accent,
      'list.focusHighlightForeground': accent,
    },
  };
}

/** Shows the editors in the colour scheme of the page. */
export function useScheme() {
  const { setTheme } = useGraphiQLActions();
  const monaco = useMonaco((state) => state.monaco);
  const shown = useSyncExternalStore(scheme.subscribe, scheme.get);
  useEffect(() => {
    if (!monaco) return;
    monaco.editor.defineTheme(themes[shown], themeOf(schemes[shown]));
    setTheme(shown);
  }, [monaco, setTheme, shown]);
}

/** Lines are wrapped, so that none is cut off, in the font of the page. */
export function useFont(editors) {
  useEffect(() => {
    const fontFamily = getComputedStyle(document.documentElement).getPropertyValue('--mono');
    for (const editor of editors) {
      editor?.updateOptions({ fontFamily, fontSize: 14, lineHeight: 21, wordWrap: 'on', wrappingIndent: 'indent' });
    }
  }, editors);
}

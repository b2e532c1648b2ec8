import { useEffect } from 'react';
import { TabFocus } from 'monaco-editor/esm/vs/editor/browser/config/tabFocus.js';

/**
 * Tab is written into Monaco's editors, but after Escape it leads out of them:
 * https://www.w3.org/TR/WCAG22/#no-keyboard-trap
 */
export function useLeaving(editors) {
  useEffect(() => {
    const listeners = editors.flatMap((editor) => {
      if (!editor) return [];
      return [
        editor.onKeyDown(({ browserEvent }) => browserEvent.key === 'Escape' && TabFocus.setTabFocusMode(true)),
        editor.onDidBlurEditorWidget(() => TabFocus.setTabFocusMode(false)),
      ];
    });
    return () => listeners.forEach((listener) => listener.dispose());
  }, editors);
}

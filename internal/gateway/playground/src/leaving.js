import { useEffect } from 'react';

/**
 * Tab is written into Monaco's editors, but after Escape it leads out of them:
 * https://www.w3.org/TR/WCAG22/#no-keyboard-trap
 */
export function useLeaving(editors) {
  useEffect(() => {
    const listeners = editors.flatMap((editor) => {
      if (!editor) return [];
      const leave = (tabFocusMode) => editor.updateOptions({ tabFocusMode });
      return [
        editor.onKeyDown(({ browserEvent }) => {
          if (browserEvent.key === 'Escape') leave(true);
        }),
        editor.onDidBlurEditorWidget(() => leave(false)),
      ];
    });
    return () => listeners.forEach((listener) => listener.dispose());
  }, editors);
}
